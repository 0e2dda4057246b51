"""The labels of the shared example tickets, by hand: ids and positions only, none of their text.

LIBRARY: for each ticket, in the order of its anomalies, the phenomena of the shipped library that say the same; `new`
where none does; several where a careful person could take either.
"""

from __future__ import annotations

LIBRARY: dict[str, tuple[str, ...]] = {
    "T-0001": (
        "P-0010",
        "P-0061",
        "P-0063",
        "P-0070|P-0069|P-0024|new",
    ),
    "T-0002": (
        "P-0044",
        "P-0023",
        "P-0050",
        "P-0005",
    ),
    "T-0003": (
        "P-0134",
        "P-0143",
        "P-0119|P-0125|new",
    ),
    "T-0004": (
        "P-0072",
        "P-0072|new",
        "P-0066",
    ),
    "T-0005": (
        "P-0077",
        "P-0081",
        "P-0082",
    ),
    "T-0006": (
        "P-0121|new",
        "P-0011",
        "P-0123",
        "P-0122",
        "new",
    ),
    "T-0007": (
        "new",
        "new|P-0116",
        "new",
    ),
    "T-0008": (
        "P-0020",
        "P-0083",
        "P-0082",
    ),
    "T-0009": (
        "P-0063",
        "P-0068",
        "P-0071",
        "new|P-0064",
    ),
    "T-0010": (
        "P-0129|P-0016",
        "P-0130",
        "new|P-0130",
        "P-0367",
    ),
    "T-0011": (
        "P-0089",
        "new",
        "new",
    ),
    "T-0012": (
        "P-0021",
        "P-0024|P-0025",
        "new",
        "P-0021",
        "new|P-0001",
    ),
    "T-0013": (
        "P-0027",
        "new|P-0027",
        "new",
        "new|P-0027|P-0013",
    ),
    "T-0014": (
        "P-0145",
        "new|P-0147",
        "new|P-0046",
        "P-0147",
    ),
    "T-0015": (
        "P-0151|P-0102",
        "new",
        "new",
    ),
    "T-0016": (
        "new",
        "new",
        "P-0124",
        "P-0012",
    ),
    "T-0017": (
        "P-0021",
        "P-0039",
        "new",
        "new|P-0039",
    ),
    "T-0018": (
        "P-0010",
        "P-0061|P-0062",
        "new",
    ),
    "T-0019": (
        "P-0087",
        "P-0088",
        "P-0086",
    ),
    "T-0020": (
        "P-0077|P-0079|new",
        "new|P-0079",
        "new",
    ),
    "T-0021": (
        "P-0090",
        "new",
        "P-0091",
        "new",
    ),
    "T-0022": (
        "P-0093",
        "P-0093|new",
        "new",
        "P-0093",
    ),
    "T-0023": (
        "P-0063|P-0064|new",
        "P-0071",
        "new",
        "new",
        "new|P-0064",
    ),
    "T-0024": (
        "P-0132",
        "P-0132|P-0140|new",
        "new",
        "P-0129",
    ),
    "T-0025": (
        "P-0002|P-0101|new",
        "P-0085",
        "new",
        "P-0008",
        "new",
        "P-0103|P-0102|new",
    ),
}

CAUSES: dict[str, str] = {
    "T-0001": "RC-0025",
    "T-0002": "RC-0008",
    "T-0003": "RC-0049",
    "T-0004": "RC-0030|RC-0026",
    "T-0005": "RC-0022",
    "T-0006": "RC-0043",
    "T-0007": "new",
    "T-0008": "RC-0022",
    "T-0009": "RC-0027",
    "T-0010": "RC-0047",
    "T-0011": "RC-0033",
    "T-0012": "RC-0002|RC-0001",
    "T-0013": "RC-0004",
    "T-0014": "RC-0053",
    "T-0015": "RC-0054",
    "T-0016": "RC-0044|RC-0043",
    "T-0017": "new|RC-0002",
    "T-0018": "RC-0025",
    "T-0019": "RC-0031",
    "T-0020": "RC-0021",
    "T-0021": "RC-0032",
    "T-0022": "RC-0040|new",
    "T-0023": "RC-0027|RC-0026",
    "T-0024": "RC-0048",
    "T-0025": "RC-0020",
}

# Anomalies that say the same among themselves, as (ticket, position); every other one stands alone.
GROUPS: tuple[frozenset[tuple[str, int]], ...] = (
    frozenset({("T-0001", 0), ("T-0018", 0)}),
    frozenset({("T-0001", 1), ("T-0018", 1)}),
    frozenset({("T-0001", 2), ("T-0009", 0), ("T-0023", 0)}),
    frozenset({("T-0005", 0), ("T-0020", 0)}),
    frozenset({("T-0005", 2), ("T-0008", 2)}),
    frozenset({("T-0009", 2), ("T-0023", 1)}),
    frozenset({("T-0010", 0), ("T-0024", 3)}),
    frozenset({("T-0012", 0), ("T-0012", 3), ("T-0017", 0)}),
)
