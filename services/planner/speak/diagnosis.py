"""The ranking of causes, its movement since the last turn, and the stuck notice."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from services.planner.model import (
    BeliefChange,
    DiagnosisView,
    Mover,
    RankedHypothesis,
    ReasoningAnswer,
    Status,
    TurnResults,
    Verdict,
)
from services.planner.speak import caveats
from services.planner.speak.checks import FLAT, is_enough, is_flat
from services.planner.speak.voice import Voice, brief, polish

_SHOWN = 3
_CHANGES = 2
# So much of what is known is named where no cause stands out.
_KNOWN = 4
# A cause with less than this part of the leader's probability is not named beside it.
_FAR_BEHIND = 0.3
_TONES = {Status.EXPLORING: "tone_exploring", Status.NARROWING: "tone_narrowing", Status.CONFIRMING: "tone_confirming"}
# Minimum change of a belief that is reported as movement.
MOVED = 0.015
# Minimum former probability of an overtaken leader that is named.
_LED = 0.1
# While stuck, the manual advice is repeated every this many idle turns.
_REMINDED = 3
# Minimum probability of "something else" that is reported.
OTHER_WORTH_SAYING = 0.15
_TICKETS = 5
_LIKELIER = 0.5
_NUMBER = re.compile(r"\d+", re.ASCII)


def asks_only(results: TurnResults) -> bool:
    """Whether this turn changed nothing: the person only asked."""
    return not (results.noted or results.corrections or results.suggestions or results.look)


def changes(changed: tuple[BeliefChange, ...], voice: Voice) -> str:
    """Beliefs before and after, most changed as given."""
    return voice.listed(
        [
            voice.say(
                "change",
                name=voice.name(item.name, item.root_cause_id),
                before=voice.percent(item.confidence_before),
                after=voice.percent(item.confidence_after),
            )
            for item in changed[:_CHANGES]
        ]
    )


def has_movement(results: TurnResults, found: DiagnosisView) -> bool:
    """Whether the answer tells how the leader moved by what was said."""
    return not (asks_only(results) or results.corrections) and any(map(_has_moved, found.hypotheses[:1]))


def standing(results: TurnResults, found: DiagnosisView, heard: str, voice: Voice) -> str:
    """The leader's movement, the leading causes that were not told in this answer, and how far it is to a conclusion.

    heard: what the answer says before.
    """
    if not found.hypotheses:
        return voice.say("no_causes")
    first = all(item.confidence_before is None for item in found.hypotheses)
    if is_flat(found):
        return ""
    if not first and _is_quiet(found, results):
        return ""
    moved = "" if first else _movement(found, results, voice)
    leader, *others = _worth_naming(found)
    told = bool(moved) or is_ranked(leader, heard, voice)
    before = f"{heard}\n{moved}"
    named = [item for item in (others if told else (leader, *others)) if not is_ranked(item, before, voice)]
    phrase = "standing_behind" if told else "standing_first" if first else "standing"
    causes = voice.listed([cause(item, voice) for item in named])
    parts = [moved, voice.say(phrase, causes=causes) if causes else ""]
    if found.other_confidence >= OTHER_WORTH_SAYING:
        parts.append(voice.say("other_share", percent=voice.percent(found.other_confidence)))
    if results.status in _TONES and not found.recommendations and not is_enough(found):
        parts.append(voice.say(_TONES[results.status]))
    return voice.stop.join(part for part in parts if part)


def is_ranked(item: RankedHypothesis, text: str, voice: Voice) -> bool:
    """Whether a line of a text has a cause with its probability."""
    name, percent = voice.name(item.name, item.root_cause_id), voice.percent(item.confidence)
    return any(name in line and percent in line for line in text.split("\n"))


def leads_nowhere(found: DiagnosisView) -> bool:
    """Whether no cause is believed enough to be argued for."""
    return all(item.confidence < FLAT for item in found.hypotheses)


def undecided(found: DiagnosisView | None, results: TurnResults, voice: Voice, named: bool = False) -> str:
    """That no cause stands out, what is known, and what could not be placed; named: with the likeliest cause."""
    first = found.hypotheses[:1] if found is not None and named else ()
    known = [voice.quoted(view.name) for view in results.seen if view.verdict is Verdict.CONFIRMED]
    known += [
        voice.say("answer_no", name=voice.marked(view.name)) for view in results.seen if view.verdict is Verdict.DENIED
    ]
    told = [voice.say("undecided"), *(voice.say("undecided_leader", cause=cause(item, voice)) for item in first)]
    told += [voice.say("undecided_known", names=voice.listed(known[:_KNOWN]))] if known else []
    told += [voice.say("undecided_words", words=brief(words)) for words in (found.untied[:1] if found else ())]
    return voice.stop.join(filter(None, told))


def _worth_naming(found: DiagnosisView) -> list[RankedHypothesis]:
    """The leader, and those behind it that are not far behind."""
    leader, *others = found.hypotheses[:_SHOWN]
    least = leader.effective_confidence * _FAR_BEHIND
    return [leader, *(item for item in others if item.effective_confidence >= least)]


def cause(item: RankedHypothesis, voice: Voice) -> str:
    """A cause with its probability."""
    return voice.say("cause", name=voice.name(item.name, item.root_cause_id), percent=voice.percent(item.confidence))


def _movement(found: DiagnosisView, results: TurnResults, voice: Voice) -> str:
    leader = found.hypotheses[0]
    before = leader.confidence_before
    if before is None or results.corrections or not _has_moved(leader):
        return ""
    text = _from_to("moved", leader, voice)
    text += _because(found.movers, leader.confidence - before, voice)
    former = max(found.hypotheses, key=lambda item: item.confidence_before or 0.0)
    led = (former.confidence_before or 0.0) >= _LED
    if (
        led
        and former is not leader
        and voice.percent(former.confidence_before or 0.0) != voice.percent(former.confidence)
    ):
        text += _from_to("overtaken", former, voice)
    return text + voice.say("correction_end")


def _is_quiet(found: DiagnosisView, results: TurnResults) -> bool:
    """Whether nothing moved the causes."""
    return not (any(_has_moved(item) for item in found.hypotheses) or results.suggestions)


def _has_moved(item: RankedHypothesis) -> bool:
    return item.confidence_before is not None and abs(item.confidence - item.confidence_before) >= MOVED


def _from_to(phrase: str, item: RankedHypothesis, voice: Voice) -> str:
    return voice.say(
        phrase,
        name=voice.name(item.name, item.root_cause_id),
        before=voice.percent(item.confidence_before or 0.0),
        after=voice.percent(item.confidence),
    )


def _because(movers: tuple[Mover, ...], change: float, voice: Voice) -> str:
    """The evidence that contributed most to the leader's movement."""
    mover = next((item for item in movers if item.bits * change > 0), None)
    if mover is None:
        return ""
    if not mover.name.say(voice.language):
        return voice.say("moved_because", name=as_told(mover.words, voice))
    denied = mover.verdict is Verdict.DENIED
    name = mover.name.say(voice.language)
    return voice.say(
        "moved_because", name=voice.say("mover_denied", name=name) if denied else voice.say("mover", name=name)
    )


def as_told(words: Sequence[str], voice: Voice) -> str:
    """What all that was told sounds like, with the words that do most, where it is like it."""
    quotes = voice.listed([voice.say("quoted", words=brief(each)) for each in words])
    return voice.say("as_told_words", words=quotes) if quotes else voice.say("as_told")


def tickets(hits: int, count: int, voice: Voice) -> str:
    """How many of the cause's tickets had it; empty without tickets."""
    return voice.say("moved_tickets", hits=hits, count=count) if count else ""


def stuck(found: DiagnosisView, voice: Voice) -> str:
    """The stuck notice with its reason and manual advice.

    Empty where one of the last answers gave that, and while a cause is likelier than all others together.
    """
    if any(each.confidence >= _LIKELIER for each in found.hypotheses[:1]):
        return ""
    by_hand = polish(voice.say("stuck_next"), voice.language)
    if by_hand in voice.previous or (found.idle_turns > _REMINDED and found.idle_turns % _REMINDED):
        return ""
    parts = [voice.say("stuck_idle", turns=found.idle_turns) if found.idle_turns > 1 else voice.say("stuck")]
    if found.root_cause_count and found.other_confidence >= OTHER_WORTH_SAYING:
        other = voice.percent(found.other_confidence)
        parts.append(voice.say("stuck_fit", count=found.root_cause_count, other=other))
    parts += [caveats.stuck_on(found, voice), by_hand]
    return voice.stop.join(part for part in parts if part)


def what_tickets(answer: ReasoningAnswer, voice: Voice) -> str:
    """Where the tickets are from that an answer counts; what two of their numbers are, those asked about if named."""
    counted = [line for line in answer.lines if line.ticket_hits > 0 and line.bits > 0]
    named = set(_NUMBER.findall(answer.text))
    asked = [line for line in counted if {str(line.ticket_hits), str(line.ticket_count)} <= named]
    lines = [voice.say("what_tickets")]
    for line in (asked or counted)[:1]:
        name, sign = voice.name(answer.name, answer.root_cause_id), voice.quoted(line.name, line.phenomenon_id)
        lines.append(voice.say("what_tickets_of", name=name, sign=sign, hits=line.ticket_hits, count=line.ticket_count))
    return voice.stop.join(lines)


def tickets_behind(answer: ReasoningAnswer, voice: Voice) -> str:
    """The tickets of a cause that had what was seen; empty without any."""
    lines = (line for line in answer.lines if line.bits > 0 and line.verdict is Verdict.CONFIRMED)
    behind = dict.fromkeys(ticket for line in lines for ticket in line.ticket_ids)
    return voice.say("reasoning_tickets", ids=voice.listed(list(behind)[:_TICKETS])) if behind else ""
