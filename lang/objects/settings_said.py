"""Settings of a server as a person or an output tells them: a name with its value, and the count of connections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lang import deferred_re as re
from lang.parts import is_content
from lang.tokens import read_text

SETTING = "setting"
CONNECTIONS = "connections"
_AMOUNT = r"\d+(?:\.\d+)?\s?(?:[kmgt]i?b|ms|min|s|h)?(?![\w%.]*\d)(?![A-Za-z_])"
# "max_connections is 300", "max_connections 本来就 300 了"; what is asked about or to be set is no value yet.
_TOLD = re.compile(
    r"(?<![\w.])(?<!set )(?P<name>[a-z]+(?:_[a-z]+)+)\s*"
    r"(?:(?:现在|目前|本来|已经|一直|就|才|只有|是|为|也|=|:|：|is|was|only|already|currently|still|at|just|now)\s*)+"
    rf"'?(?P<value>{_AMOUNT})(?![^.。,，\n]*[?？])",
    re.IGNORECASE | re.ASCII,
)
_COUNTED = re.compile(
    r"(?<![\d.:])(\d{2,5})\s*(?:个|多个|条)?\s*(?:左右的?)?(?:连接(?!池)|connections?\b)", re.IGNORECASE | re.ASCII
)
_VALUE = re.compile(_AMOUNT, re.IGNORECASE | re.ASCII)
_LIMITS = "_timeout"
_SWITCH = ("on", "off")
_NAME = re.compile(r"[a-z]+(?:_[a-z]+)+")


def settings_told(text: str) -> Iterator[str]:
    """The settings that words tell, as "max_connections=300"."""
    for found in _TOLD.finditer(text):
        yield f"{found['name'].lower()}={_plain(found['value'])}"
    for count in _COUNTED.findall(text):
        yield f"{CONNECTIONS}={count}"


def is_limit(name: str) -> bool:
    """True for a setting that limits a time: what it ends is often called by its name."""
    return name.lower().endswith(_LIMITS)


def limits_told(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Where words tell the value of a limit in time other than 0, and its name."""
    for found in _TOLD.finditer(text):
        if is_limit(found["name"]) and found["value"].strip("0 "):
            yield found.span(), found["name"].lower()


def covers(text: str, setting: tuple[int, int], span: tuple[int, int]) -> bool:
    """True if nothing of weight stands in a span of a text beside a setting with its value."""
    beside = text[span[0] : max(setting[0], span[0])] + " " + text[setting[1] : span[1]]
    inside = span[0] < setting[1] and setting[0] < span[1]
    return inside and not any(map(is_content, read_text(beside).tokens))


def settings_shown(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """The settings that rows of pg_settings tell, or the one value of a SHOW."""
    for row in rows:
        name, value = row.get("name", ""), row.get("setting", "")
        if len(row) == 1 and len(rows) == 1:
            ((name, value),) = row.items()
        unit = row.get("unit", "")
        # Blocks are no unit that people reckon in.
        shown = f"{value}{unit}"
        if _NAME.fullmatch(name) and (_VALUE.fullmatch(shown) or value in _SWITCH):
            yield f"{name}={_plain(shown)}"


def _plain(value: str) -> str:
    return "".join(value.split())
