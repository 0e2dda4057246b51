"""Where something that is on record is from: the words or the row that it was read from, and when."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from lang.concepts.named_things import things_named
from services.planner.model import DiagnosisView, EvidenceView, HelpAnswer, TurnResults
from services.planner.speak.voice import Voice, brief, verdict

_MOST = 3
_NUMBER = re.compile(r"(?<![\w.])\d{2,}", re.ASCII)
_WORDS = 120


def tell_source(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The source of each entry that is asked about, and how it is taken off; or that nothing of it is on record."""
    asked = answer.evidence[:_MOST]
    if not asked:
        return "" if results.noted else _of_none(answer.text, results.diagnosis, voice)
    by_source: dict[tuple[str, int], list[EvidenceView]] = {}
    for view in asked:
        by_source.setdefault((view.words or view.value, view.turn), []).append(view)
    kept = [view for view in asked if view in results.seen]
    off = [voice.say("source_off", name=voice.name(kept[0].name, kept[0].phenomenon_id))] if kept else []
    return "\n".join([*(_from(*source, views, results, voice) for source, views in by_source.items()), *off])


def _from(words: str, turn: int, views: Sequence[EvidenceView], results: TurnResults, voice: Voice) -> str:
    """What was read from these words, the words themselves, and when they were said."""
    names = voice.listed(_named(view, voice) for view in views)
    ago = results.turn - turn
    when = voice.say("source_just_now") if ago <= 1 else voice.say("source_ago", ago=ago)
    if not words:
        return voice.say("source_unquoted", names=names, when=when)
    quoted = voice.say("quoted", words=brief(" ".join(words.split()), _WORDS))
    return voice.say("source", names=names, words=quoted, when=when)


def _named(view: EvidenceView, voice: Voice) -> str:
    name = voice.name(view.name, view.phenomenon_id)
    if view.verdict is None:
        return name
    return voice.say("with_verdict", name=name, verdict=verdict(view.verdict, voice))


def _of_none(asked: str, found: DiagnosisView | None, voice: Voice) -> str:
    """That nobody said it: that it is a number of the last answer, else a cause or a check of the library."""
    mine = next((number for number in _NUMBER.findall(asked) if number in _NUMBER.findall(voice.previous)), "")
    if mine:
        return voice.say("source_mine", number=mine)
    return voice.stop.join([voice.say("source_none"), *_of_the_library(asked, found, voice)])


def _of_the_library(asked: str, found: DiagnosisView | None, voice: Voice) -> list[str]:
    """That what is asked about is a cause that is weighed or a check that is asked for, where it is one."""
    named = things_named(asked)
    if found is None or not named:
        return []
    for item in found.hypotheses:
        if named <= things_named(f"{item.name.zh}\n{item.name.en}"):
            name, percent = voice.name(item.name, item.root_cause_id), voice.percent(item.confidence)
            return [voice.say("source_cause", name=name, percent=percent)]
    for check in found.recommendations:
        if named <= things_named(f"{check.name.zh}\n{check.name.en}"):
            return [voice.say("source_check", name=voice.name(check.name, check.phenomenon_id))]
    return []
