"""What was hurt and how, since when, and what is meant to be done about it, in the terms of the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from services.planner.account.changes import Change, number_of_rows
from services.planner.account.figures import thing_in_words
from services.planner.account.moments import Moment, moment_in
from services.planner.account.terms import Term, find_terms, has_mark, listed, mark_before, terms
from services.planner.account.told import Said
from services.planner.model import Language

_EACH = re.compile(
    r"(?:每(?:批|次|一批)\s*|(?:batches|chunks?) of )(?P<number>\d+)\s*(?P<scale>万|k)?"
    r"|(?P<number_at>\d+)\s*(?P<scale_at>万|k)?\s*(?:rows )?(?:at a time|per batch|a batch)",
    re.IGNORECASE,
)
# What may stand between neighbouring things.
_FILLER = re.compile(r"[那个的里这\s]")
# These tell nothing beside another thing.
_BESIDE = ("app", "database", "connection", "site")
_BETWEEN = 3  # Neighbouring things are parted by no more than this.


class Hurt(NamedTuple):
    """What users saw: the things in their order, and what was wrong with them."""

    things: tuple[str, ...]
    trouble: str
    turn: int = 0

    def say(self, language: Language) -> str:
        """It in words, as a clause."""
        named = [_term(each) for each in self.things]
        told = terms("troubles")[self.trouble].say(language)
        if language is Language.ZH:
            return f"{thing_in_words(named, language)}{told}"
        what = named[0].known["alone"] if len(named) == 1 else f"the {thing_in_words(named, language)}"
        return f"{what} {told}"


class Plan(NamedTuple):
    """What somebody means to do so that it stays away."""

    kind: str
    rows: str = ""
    turn: int = 0

    def say(self, language: Language) -> str:
        """The plan in words."""
        zh = language is Language.ZH
        rows = (f"，每批 {self.rows} 行" if zh else f" of {self.rows} rows") if self.rows else ""
        return terms("plans")[self.kind].say(language).format(rows=rows)


def _term(name: str) -> Term:
    if name == "disk":
        disk = listed("disk")
        return Term(name, disk["en"], disk["zh"], disk)
    return terms("things")[name]


def hurts_told(told: Sequence[Said]) -> list[Hurt]:
    """What was hurt, by the messages in their order; a trouble without a thing is of that named before it."""
    found: list[Hurt] = []
    carried: tuple[str, ...] = ()
    for said in told:
        things = _things_in(said.text)
        carried = things or carried
        for each in find_terms("troubles", said.text):
            if has_mark("untold", said.text[: each.first][-20:]):
                continue
            named = _whose(each.term.name, things, carried)
            if named:
                found.append(Hurt(named, each.term.name, said.turn))
    return _strongest(found)


def _whose(trouble: str, things: tuple[str, ...], carried: tuple[str, ...]) -> tuple[str, ...]:
    """What a trouble is of: always the same, else what its clause names, else what was named before."""
    always = str(listed("of").get(trouble, ""))
    if always and trouble not in listed("open"):
        return (always,)
    return things or ((always,) if always else carried)


def _things_in(words: str) -> tuple[str, ...]:
    """The things that a clause names side by side; those that stand for anything only where nothing else is named."""
    found = [*find_terms("things", words)]
    special = [each for each in found if each.term.name not in listed("general")]
    if not special:
        return (found[-1].term.name,) if found else ()
    first = found.index(special[0])
    run = [found[first]]
    for each in found[first + 1 :]:
        if _FILLER.sub("", words[run[-1].last : each.first]) or len(run) > _BETWEEN:
            break
        run.append(each)
    return tuple(dict.fromkeys(each.term.name for each in run if each.term.name not in _BESIDE))


def _strongest(found: Iterable[Hurt]) -> list[Hurt]:
    """What tells most, each thing once: the first in the vocabulary, and nothing of a part of what is told."""
    order = [*terms("troubles")]
    kept: list[Hurt] = []
    for each in sorted(found, key=lambda one: (order.index(one.trouble), -len(one.things))):
        if not any({*each.things} <= {*one.things} or {*one.things} <= {*each.things} for one in kept):
            kept.append(each)
    return kept


def plans_told(told: Sequence[Said]) -> list[Plan]:
    """What somebody means to do against its coming back; what is only asked is no plan."""
    found: dict[str, Plan] = {}
    for said in told:
        if not has_mark("intends", said.sentence) or mark_before("untold", said.text, len(said.text)):
            continue
        for each in find_terms("plans", said.text):
            rows = _EACH.search(said.sentence)
            number = rows and number_of_rows(rows["number"] or rows["number_at"], rows["scale"] or rows["scale_at"])
            found[each.term.name] = Plan(each.term.name, number or "", said.turn)
    return list(found.values())


def since_told(told: Sequence[Said], changes: Sequence[Change]) -> Moment | None:
    """Since when the trouble is there, by the first clause that dates it; a later one may add the time of the day."""
    dated = [
        (each, moment) for each in told if (moment := moment_in(each.text)) and not has_mark("uneventful", each.text)
    ]
    begins = [each for each in dated if _tells_begin(each[0])]
    free = [each for each in dated if not any(each[0].text in one.told for one in changes)]
    of_trouble = [each for each in free if any(find_terms("troubles", each[0].sentence))]
    first = next(iter([*begins, *of_trouble]), None)
    if first is None or first[1].clock:
        return first[1] if first is not None else None
    later = next((moment for _, moment in begins if moment.clock), None)
    return later._replace(day=later.day or first[1].day) if later is not None else first[1]


_BEGINS = re.compile(
    r"\b(?:since|from|started|began|first (?:errors?|alerts?|complaints?)|went bad)\b"
    r"|开始|从(?!库)|自(?!己|动)|起(?:就|，|$)|突然|第一个"
)


def _tells_begin(said: Said) -> bool:
    return _BEGINS.search(said.text.lower()) is not None
