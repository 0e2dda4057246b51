"""Whether a value counts as what is asked for: the value, said of the thing that the check is about."""

from __future__ import annotations

from lang import deferred_re as re
from lang.objects import identifiers_in
from services.planner.model import Item, ObservationStep, SessionView, Speaker
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

_COUNTS = listed("answerable.counts")
_BY_NUMBER = re.compile(r"\s*\d\s*[:：.、)]")
_NUMBER = re.compile(r"\d[\d.]*\s?(?:%|[kmgt]i?b?(?![a-z]))?", re.IGNORECASE)
_OPENS = listed("answerable.opens")
_HEDGES = listed("answerable.hedges")
_PARTS = re.compile(r"\s*[,，]\s*")
_ENDS = " ,.;:!?，。；：！？、"


def asked_if_it_counts(said: str, view: SessionView) -> ObservationStep | None:
    """What a message states that asks if its value counts, with the thing that it is of; None for another one."""
    if not (view.pending and _COUNTS.search(read(said).normal) and any(map(str.isdigit, said))):
        return None
    if _BY_NUMBER.match(said) or "\n" in said.strip():
        return None  # "2: does 187 count?" is of that item, and lines of an output say what they are of.
    stated = [part.strip(_ENDS) for part in map(_without_asking, sentences_of(said))]
    told = _HEDGES.sub(" ", ", ".join(part for part in stated if any(map(str.isdigit, part))))
    told = ", ".join(" ".join(part.split()) for part in _PARTS.split(told))
    thing = _thing(_item_meant(said, view))
    return ObservationStep(told if thing in told.lower() else f"{thing} {told}") if told else None


def _without_asking(sentence: str) -> str:
    """A sentence without the words that ask if it counts, but for the number in them."""
    found = _COUNTS.search(sentence.lower())
    if found is None:
        return sentence
    number = _NUMBER.search(found[0])
    before = _OPENS.sub("", sentence[: found.start()])
    return f"{before}{number[0] if number is not None else ''} {sentence[found.end() :]}"


def _item_meant(said: str, view: SessionView) -> Item:
    """The open check that the message names a thing of, else that which was shown last, else the first."""
    named = {*identifiers_in(said)}
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
    of_thing = (each for each in view.pending if named & {*identifiers_in(f"{each.name.zh} {each.name.en}")})
    shown = (each for each in view.pending if f"**{each.name.zh}**" in last or f"**{each.name.en}**" in last)
    return next(of_thing, next(shown, view.pending[0]))


def _thing(item: Item) -> str:
    """The identifier that opens the name of a check; empty where none does."""
    names = (item.name.en, item.name.zh)
    return next((each for name in names for each in identifiers_in(name)[:1] if name.startswith(each)), "")
