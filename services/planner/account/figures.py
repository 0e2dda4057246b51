"""Figures as they are told: of what, how much, and from what to what; said again in either language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from services.planner.account.terms import Term, find_terms, has_mark, listed, terms
from services.planner.account.told import Said
from services.planner.model import Language, Remark

# Units by what they measure, with their sizes and how they are told in both languages.
_UNITS = {
    "ms": ("s", 0.001, "ms", "毫秒"),
    "s": ("s", 1.0, "s", "秒"),
    "min": ("s", 60.0, "min", "分钟"),
    "h": ("s", 3600.0, "h", "小时"),
    "%": ("%", 1.0, "%", "%"),
    "kB": ("bytes", 2.0**10, "kB", "kB"),
    "MB": ("bytes", 2.0**20, "MB", "MB"),
    "GB": ("bytes", 2.0**30, "GB", "GB"),
    "TB": ("bytes", 2.0**40, "TB", "TB"),
}
_UNIT_WORDS = (
    ("ms", r"毫秒|ms(?![A-Za-z0-9_])|millis\w*"),
    ("min", r"分钟|mins?(?![A-Za-z0-9_])|minutes?(?![A-Za-z0-9_])"),
    ("h", r"个?小时|hours?(?![A-Za-z0-9_])|hrs?(?![A-Za-z0-9_])"),
    ("s", r"秒|secs?(?![A-Za-z0-9_])|seconds?(?![A-Za-z0-9_])|s(?![A-Za-z0-9_])"),
    ("%", r"%|％|percent(?![A-Za-z0-9_])"),
    ("kB", r"kb(?![A-Za-z0-9_])"),
    ("MB", r"mb?(?![A-Za-z0-9_])"),
    ("GB", r"g(?![A-Za-z0-9_])|gb(?![A-Za-z0-9_])|gigs?(?![A-Za-z0-9_])|个g(?![A-Za-z0-9_])"),
    ("TB", r"tb?(?![A-Za-z0-9_])"),
)
_UNIT = "|".join(f"(?P<u{at}>{words})" for at, (_, words) in enumerate(_UNIT_WORDS))
# Numbers in characters before a unit; two in a row are from one to the other: "八九秒".
_HAN_NUMBER = re.compile(
    r"(?P<tens>[一二三四五六七八九]?十)?(?P<ones>[一二两三四五六七八九]{1,2})?(?=\s*(?:多|来)?\s*(?:秒|毫秒|分钟|个?小时|g\b))"
)
_DIGITS = "零一二三四五六七八九"
_RATE = re.compile(r"^\s*(?:/|per\b|an? (?:hour|minute|second|day)|every|每)|^\s*(?:一|每)(?:小时|分钟|秒|天)")
_AMOUNT = re.compile(
    r"(?<![A-Za-z0-9_.:{/-])(?:(?P<from>\d+(?:\.\d+)?)\s?(?:到|至|-|–|~| to )\s?(?=\d))?"
    rf"(?P<number>\d+(?:,\d{{3}})+|\d+(?:\.\d+)?)\s?(?P<wan>万)?(?P<more>多)?\s?(?:{_UNIT})?(?![A-Za-z_:]*\d)(?![A-Za-z_])",
    re.IGNORECASE,
)
_ZERO = re.compile(r"归零|归0|(?<![\w.])(?:zero|no)(?= (?:resets?|errors?|timeouts?))|(?:back to|at) zero")
# A name with a sign of its own: pg_wal, %util, r/s, p95.
_IDENTIFIER = re.compile(r"(?<![\w.=/'-])(?:%?[A-Za-z]+(?:_[A-Za-z]+)+|%[a-z]+|[rw]/s)(?![A-Za-z0-9_(])")
_ARROW = re.compile(r"\s*(?:->|→|=>|(?:掉|降|落|涨|升|变|回)?到(?:了)?|变成|down to|to|back to)\s*")
# "85 % and not 90".
_DENIED = re.compile(r"(?:不是|\bnot)\s*$")
_FROM = re.compile(r"(?:\bfrom|从)\s*$")
# It is told in seconds, also without a unit.
_LAG = "lag"
# These tell nothing beside another thing.
_BESIDE = ("app", "database", "connection", "site")
_GAP = 26
# So much better, or less, is a change to tell of.
_LESS = 0.7


class Amount(NamedTuple):
    """How much: the number as it was said, its unit, and what that comes to in the base unit."""

    number: str
    unit: str
    value: float

    @property
    def dimension(self) -> str:
        """What it measures."""
        return _UNITS[self.unit][0] if self.unit else ""

    def say(self, language: Language) -> str:
        """The amount in a language."""
        if not self.unit:
            return self.number
        _, _, en, zh = _UNITS[self.unit]
        return f"{self.number}{'' if en == '%' else ' '}{zh if language is Language.ZH else en}"


class Figure(NamedTuple):
    """What a clause tells of something: before, where it has both, and how much. label: a term, or a name as it is."""

    label: str
    amount: Amount
    before: Amount | None = None
    turn: int = 0
    usual: bool = False
    now: bool = False
    place: int = 0

    def say(self, language: Language) -> str:
        """The figure in words: the name, from how much to how much."""
        term = terms("labels").get(self.label)
        name = term.say(language) if term is not None else _page_name(self.label, language)
        told = self.amount.say(language)
        return f"{name} {self.before.say(language)} → {told}" if self.before is not None else f"{name} {told}"

    @property
    def is_internal(self) -> bool:
        """Whether its name tells nothing to anybody but those who work on it."""
        return self.label not in terms("labels") and not any(each in terms("things") for each in self.label.split("+"))

    @property
    def key(self) -> tuple[str, str]:
        """By this a figure of before and one of now are of the same."""
        return self.label, self.amount.dimension


def _page_name(label: str, language: Language) -> str:
    named = [terms("things")[each] for each in label.split("+") if each in terms("things")]
    return thing_in_words(named, language) if named else label


def thing_in_words(named: Sequence[Term], language: Language) -> str:
    """Neighbouring words for a thing as one name."""
    return ("" if language is Language.ZH else " ").join(each.say(language) for each in named)


def amounts_in(words: str) -> Iterator[tuple[int, int, Amount]]:
    """The amounts that words tell, with their places."""
    for found in _AMOUNT.finditer(words):
        if _RATE.match(words[found.end() :].lower()):
            continue
        unit = next((name for at, (name, _) in enumerate(_UNIT_WORDS) if found[f"u{at}"]), "")
        number = found["number"].replace(",", "")
        scale = (10_000 if found["wan"] else 1) * (_UNITS[unit][1] if unit else 1)
        told = f"{number}{'+' if found['more'] else ''}" if not found["wan"] else f"{float(number) * 10_000:g}"
        if found["from"] and _FROM.search(words[: found.start()].lower()):
            first = Amount(found["from"], unit, float(found["from"]) * scale)
            yield found.start(), found.start("from") + len(found["from"]), first
            yield found.start("number"), found.end(), Amount(told, unit, float(number) * scale)
            continue
        told = f"{found['from']}–{told}" if found["from"] else told
        yield found.start(), found.end(), Amount(told, unit, float(number) * scale)
    for found in _ZERO.finditer(words.lower()):
        yield found.start(), found.end(), Amount("0", "", 0.0)


def figures_told(told: Sequence[Said]) -> list[Figure]:
    """The figures of the clauses, in their order; one without a name of its own goes on with that of its sentence."""
    found: list[Figure] = []
    carried, sentence = "", ""
    for place, said in enumerate(told):
        if said.sentence != sentence and not _goes_on(said.text):
            carried = ""
        sentence = said.sentence
        figures, carried = _in_clause(said, carried, place)
        found += figures
    return found


def _goes_on(clause: str) -> bool:
    return clause.lower().startswith(("now", "it ", "it'", "现在", "平时", "以前"))


def _in_clause(said: Said, carried: str, place: int) -> tuple[list[Figure], str]:
    words = _in_digits(said.text)
    labels = _labels_in(words)
    amounts = sorted(amounts_in(words))
    found: list[Figure] = []
    last: tuple[int, Amount] | None = None
    for first, end, amount in amounts:
        before_it = (name for _, stop, name in reversed(labels) if stop <= first + 1 and _fits(name, amount))
        label = next(before_it, "")
        behind = next((name for start, _, name in labels if 0 <= start - end <= 2), "") if not label else ""
        name = label or behind or (carried if not labels or labels[0][0] > first else "")
        last_end = last[0] if last is not None else 0
        if not name or not _fits(name, amount):
            last = end, amount
            continue
        before = None
        if last is not None and _is_arrow(words[last[0] : first]) and _alike(last[1], amount):
            before = last[1]
            found = found[:-1] if found and found[-1].amount is last[1] else found
        if _DENIED.search(words[:first].lower()):
            continue
        usual = has_mark("usual", words[last_end:first][-_GAP:])
        if name == _LAG and not amount.unit:
            amount = amount._replace(unit="s")
            before = before and before._replace(unit="s")
        found.append(Figure(name, amount, before, said.turn, usual, has_mark("now", words), place))
        last = end, amount
    return found, labels[-1][2] if labels else carried


def _in_digits(words: str) -> str:
    """Words with the numbers before a unit in digits."""

    def digits(found: re.Match[str]) -> str:
        tens, ones = found["tens"] or "", (found["ones"] or "").replace("两", "二")
        if not tens and not ones:
            return ""
        if tens:
            return str((_DIGITS.index(tens[0]) if tens != "十" else 1) * 10 + (_DIGITS.index(ones[0]) if ones else 0))
        return "–".join(str(_DIGITS.index(each)) for each in ones).replace("–", "-")

    return _HAN_NUMBER.sub(digits, words).replace("一万多", "10000多")


def _is_arrow(between: str) -> bool:
    return len(between) <= _GAP and _ARROW.search(between) is not None


def _alike(one: Amount, other: Amount) -> bool:
    return one.dimension == other.dimension or not one.unit or not other.unit


def _labels_in(words: str) -> list[tuple[int, int, str]]:
    """The names of what is measured, with their places; neighbouring things are one."""
    found = [(each.first, each.last, each.term.name) for each in find_terms("labels", words)]
    named = [each for each in find_terms("things", words) if not _covers(found, each.first)]
    named = [each for each in named if each.term.name not in _BESIDE] or named
    for at, each in enumerate(named):
        joined = at and found[-1][1] == named[at - 1].last and not words[named[at - 1].last : each.first].strip()
        label = f"{found[-1][2]}+{each.term.name}" if joined else each.term.name
        found.append((each.first, each.last, label))
    names = [
        (each.start(), each.end(), each[0]) for each in _IDENTIFIER.finditer(words) if not _covers(found, each.start())
    ]
    return sorted([*found, *names])


def _covers(found: Sequence[tuple[int, int, str]], place: int) -> bool:
    return any(first <= place < last for first, last, _ in found)


def _fits(label: str, amount: Amount) -> bool:
    """Whether an amount may be one of this: one with a unit takes no other; of a thing only a time is told."""
    term = terms("labels").get(label)
    if term is not None:
        unit = term.known.get("unit", "")
        return (
            amount.dimension == unit if unit else label == _LAG or bool(amount.unit) is not bool(term.known.get("bare"))
        )
    if any(each in terms("things") for each in label.split("+")):
        return amount.dimension == "s" and label not in listed("general")
    return True


def shown_before(label: str, dimension: str, remarks: Sequence[Remark]) -> Amount | None:
    """What an output shows of a name before: `| Threads_connected | 478 |`, `310G  /data/pg_wal`."""
    words = terms("labels")[label].known["words"] if label in terms("labels") else [re.escape(label)]
    name = "|".join(words)
    pattern = re.compile(
        rf"(?im)^[^\n\w]*(?:{name})\s*[|:=]\s*(?P<after>\d[\d.]*\s?[kmgt]?b?)\s*(?:\||$)"
        rf"|^\s*(?P<size>\d[\d.]*[kmgt])\s+\S*(?<![\w])(?:{name})\s*$"
    )
    found = [match for each in remarks for match in pattern.finditer(each.text)]
    told = [amount for match in found for _, _, amount in amounts_in((match["after"] or match["size"]).strip())]
    fitting = [each for each in told if each.dimension == dimension or not dimension]
    return fitting[0] if fitting else None


def is_better(figure: Figure) -> bool:
    """Whether it fell by much from before to now, or to nothing."""
    return figure.before is not None and figure.amount.value <= figure.before.value * _LESS
