"""What the person told, from the record of the case: what stands, what was ruled out, done and planned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.planner.account.record import Record, record_of
from services.planner.account.told import Said, clauses_told
from services.planner.model import EvidenceView, HistoryAnswer, TurnResults, Verdict
from services.planner.speak.record.set_aside import makes_claim
from services.planner.speak.summary.record_in_words import done_in_record, hurts_in_words, state_in_words
from services.planner.speak.voice import Voice, brief
from services.planner.understand.questions.looking_back import asks_what_was_done, asks_what_was_told

_MOST, _ALSO, _LONGEST = 12, 5, 60


def tell_back(answer: HistoryAnswer, results: TurnResults, voice: Voice) -> str:
    """What was told, part by part; what was done alone, where only that is asked. Nothing of what was taken back."""
    if not results.remarks:
        return ""
    asked = results.remarks[-1].text
    record = record_of(results)
    done = done_in_record(record, results, voice)
    if asks_what_was_done(asked) and not asks_what_was_told(asked):
        return "\n".join(_done(record, results, voice)) or voice.say("told_done_none")
    lines = [
        *_began(record, voice),
        *_on_record(results, voice),
        *([voice.say("record_done", done=done)] if done else []),
        *_now(record, results, voice),
        *_also(answer, record, results, voice),
    ]
    return "\n".join([voice.say("record_told"), *lines]) if lines else ""


def _done(record: Record, results: TurnResults, voice: Voice) -> Iterator[str]:
    if done := done_in_record(record, results, voice):
        yield voice.say("record_done", done=done)
        yield from _now(record, results, voice)


def _began(record: Record, voice: Voice) -> Iterator[str]:
    if record.since is not None:
        yield voice.say("record_since", since=record.since.say(voice.language))
    if hurts := hurts_in_words(record, voice):
        yield voice.say("record_hurts", hurts=hurts)
    for change in record.changes:
        yield voice.say("record_change", change=change.say(voice.language))


def _on_record(results: TurnResults, voice: Voice) -> Iterator[str]:
    for verdict, phrase in (
        (Verdict.CONFIRMED, "record_confirmed"),
        (Verdict.DENIED, "record_denied"),
        (Verdict.UNKNOWN, "record_unknown"),
    ):
        seen = [each for each in results.seen if each.verdict is verdict]
        if seen:
            yield voice.say(phrase, names=voice.listed(_named(each, voice) for each in seen[:_MOST]))


def _named(view: EvidenceView, voice: Voice) -> str:
    return voice.quoted(view.name, view.phenomenon_id)


def _now(record: Record, results: TurnResults, voice: Voice) -> Iterator[str]:
    if state := state_in_words(record, results, voice):
        yield voice.say("record_now", state=state)
    if record.plans:
        yield voice.say("record_plan", plan=voice.listed(each.say(voice.language) for each in record.plans))


def _also(answer: HistoryAnswer, record: Record, results: TurnResults, voice: Voice) -> Iterator[str]:
    """The claims that nothing of the record has, in quotes, the latest ones."""
    told = [each for each in clauses_told(results.remarks) if each.turn < results.turn and _is_claim(each)]
    gone = [entry.words for entry in answer.entries if entry.retracted]
    known = [*(each.words for each in results.seen), *(each.told for each in record.changes), *gone]
    known += [each.told for each in record.deeds]
    left = [each.text for each in told if not any(each.text in one or (one and one in each.text) for one in known)]
    if left:
        quoted = _quoted([*dict.fromkeys(left)][-_ALSO:], voice)
        yield voice.say("record_also", words=quoted)


def _is_claim(said: Said) -> bool:
    figure = any(map(str.isdigit, said.text))
    return len(said.text) <= _LONGEST and figure and makes_claim(said.text)


def _quoted(words: Sequence[str], voice: Voice) -> str:
    return voice.listed(voice.say("quoted", words=brief(each, _LONGEST)) for each in words)
