"""The record of a case in words: who was hurt, what was done, how it is now."""

from __future__ import annotations

from services.planner.account.deeds import Deed
from services.planner.account.moments import Moment
from services.planner.account.record import Record
from services.planner.account.terms import terms
from services.planner.model import Aftermath, TurnResults
from services.planner.speak.voice import Voice


def hurts_in_words(record: Record, voice: Voice) -> str:
    """What was hurt and how, as a clause; empty where nothing was told of it."""
    said = [each.say(voice.language) for each in record.hurts]
    one = {each.trouble for each in record.hurts}
    if len(one) == 1 and len(said) > 1:  # "The database and the API became slow".
        told = terms("troubles")[one.pop()].say(voice.language)
        said = [*(each.removesuffix(told).strip() for each in said[:-1]), said[-1]]
    return voice.say("and").join(said)


def done_in_record(
    record: Record, results: TurnResults, voice: Voice, bare: bool = False, unsaid: tuple[str, ...] = ()
) -> str:
    """What was done, oldest first. bare: without names; unsaid: what is not to be told, by its words."""
    deeds = record.deeds or tuple(
        Deed(each.turn, each.action, objects=each.objects, told=each.words)
        for each in results.treatments
        if not results.remarks and not each.undone
    )
    told = [(each, _named(each, voice, bare)) for each in deeds]
    kept = [(each, text) for each, text in told if text and not any(_tells(words, each, text) for words in unsaid)]
    times = [each.when for each, _ in kept]
    timed = [
        _at(text, each.when if each.when not in times[at + 1 :] else None, voice)
        for at, (each, text) in enumerate(kept)
    ]
    return voice.listed(dict.fromkeys(timed))


def _tells(words: str, deed: Deed, text: str) -> bool:
    return words in text.lower() or words in deed.told.lower() or (deed.told.lower() in words and bool(deed.told))


def _at(done: str, when: Moment | None, voice: Voice) -> str:
    """A deed with its time; of several at a time the last one has it."""
    if when is None:
        return done
    return voice.say("brief_timed", done=done, time=when._replace(day="").say(voice.language))


def _named(deed: Deed, voice: Voice, bare: bool) -> str:
    if deed.settings:
        return voice.listed(each.say(voice.language) for each in deed.settings)
    if deed.verb:
        return (deed._replace(objects=()) if bare else deed).compose(voice.language)
    objects = "" if bare or not deed.objects else " " + voice.listed(deed.objects)
    if f"did_{deed.action}" in voice.phrases:
        return voice.say(f"did_{deed.action}", objects=objects)
    return "" if bare or not deed.action.isupper() else voice.say("brief_ran", statement=f"`{deed.action}`")


def state_in_words(record: Record, results: TurnResults, voice: Voice, plain: bool = False) -> str:
    """How it is now, where that was told: over or not, and what was measured; whether it helped is never guessed."""
    named = [each for each in record.figures if not (plain and each.is_internal)] or record.figures
    figures = voice.listed(each.say(voice.language) for each in named)
    state = _state(record, results, voice)
    if not state:
        return voice.say("brief_figures", figures=figures) if figures else ""
    return voice.say("brief_with_figures", state=state, figures=figures) if figures else state


def _state(record: Record, results: TurnResults, voice: Voice) -> str:
    if results.aftermath is Aftermath.WELL:
        by = record.well_by
        return voice.say("brief_well_by", time=by.say(voice.language)) if by is not None else voice.say("brief_well")
    unchanged = results.aftermath is Aftermath.UNCHANGED and (record.deeds or not results.remarks)
    return voice.say("brief_unchanged") if unchanged and not record.better else ""
