"""The tables that statements change or maintain, as written or said, and the two sides of a foreign key."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.objects.kinds_and_roles import CHILD, FK_COLUMN, PARENT, Role, Seen

# A name is taken whole: "customer_id" is no "cus" that refers "to" something.
_NAME = r'"?(?:[A-Za-z_]\w*"?\."?)?{}"?'
_TABLE_CHILD, _TABLE_PARENT = (_NAME.format(rf"(?P<{side}>[A-Za-z_]\w*)(?!\w)") for side in ("child", "parent"))
_COLUMN = r'"?(?P<column>[A-Za-z_]\w*)(?!\w)"?'
_REFERS = r"(?:references|referencing|refers to|points (?:to|at)|->|→|引用|指向|参照|关联)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE | re.ASCII)
    for form in (
        # ALTER TABLE orders ADD FOREIGN KEY (customer_id) REFERENCES customers (id)
        rf"\btable\s+(?:only\s+)?{_TABLE_CHILD}\s[^;]*?"
        rf"foreign key\s*\(\s*{_COLUMN}\s*\)\s*references\s+{_TABLE_PARENT}",
        # orders.customer_id references customers; orders 的 customer_id 外键指向 customers
        rf"\b(?P<child>[A-Za-z_]\w*)(?:\.|\s*表?的\s*|\({{1}}){_COLUMN}\)?\s*(?:上的|是|列)?\s*(?:外键|列)*\s*"
        rf"(?:(?:is|has) an? (?:fk|foreign key)(?: that)?\s*)?(?:{_REFERS}|to)\s*(?:the\s+)?{_TABLE_PARENT}",
        # orders has a foreign key on customers, column customer_id; orders 有外键指向 customers
        rf"\b(?P<child>[A-Za-z_]\w*)(?: table)?\s*表?\s*(?:has|have|with|有|上有)\s*(?:an?|the|个|一个)?\s*"
        rf"(?:foreign keys?|fk|外键)\s*(?:on|to|into|{_REFERS}|到)\s*(?:the\s+)?{_TABLE_PARENT}"
        rf"(?:\W{{0,3}}(?:column|on column|via|through|by|列是?|字段是?)\s*{_COLUMN})?",
        # invoices.customer_id has no index; invoices.customer_id 上没有索引
        rf"\b(?P<child>[A-Za-z_]\w*)\.{_COLUMN}\s*(?:上|这一?列|列)?\s*"
        rf"(?:has no index|is not indexed|isn'?t indexed|without an index|缺索引|没有?索引|没建索引)",
        # What PostgreSQL runs in the child when a row of the parent goes.
        rf"\bfrom only\s+{_TABLE_CHILD}\s+x\s+where\s+\$1\s+operator\(pg_catalog\.=\)\s+{_COLUMN}",
    )
)
_NO_NAMES = frozenset(("it", "this", "that", "table", "the", "which", "and", "only", "a", "an", "which", "column"))
_LISTED = lists_beside(__file__)

_CHANGED = _LISTED.pattern("changed", re.IGNORECASE | re.ASCII)
# Somebody ran it, or is to run it.
_RUN = re.compile(r"\b(?:ran|runs?|running|did|tried)\s+$|[跑做]了?一?[下次遍]?\s*$", re.IGNORECASE)


def foreign_keys_in(text: str) -> Iterator[Seen]:
    """The child, its column and the parent of the foreign keys that a text names."""
    for form in _FORMS:
        for found in form.finditer(text):
            sides = {side: name for side, name in found.groupdict().items() if name}
            if not _NO_NAMES & {name.lower() for name in sides.values()}:
                yield from sides_of(sides.get("child", ""), sides.get("column", ""), sides.get("parent", ""))


def sides_of(child: str, column: str, parent: str) -> Iterator[Seen]:
    """The objects of one foreign key; a side that is not known is empty."""
    if child:
        yield Seen(CHILD, child)
        yield Seen("table", child)
    if column:
        yield Seen(FK_COLUMN, column)
    if parent:
        yield Seen(PARENT, parent)
        yield Seen("table", parent, role=Role.PARENT)


def changed_tables(text: str) -> Iterator[str]:
    """The tables of statements; a verb that is a word of a sentence has none: "makes the vacuum write faster"."""
    for found in _CHANGED.finditer(text):
        verb, table = found["verb"], found["table"]
        alone = verb == verb.lower() and len(verb.split()) == 1 and table.isalpha()
        if not alone or text[found.end() : found.end() + 1] in (";", "(") or _RUN.search(text[: found.start()]):
            yield table
