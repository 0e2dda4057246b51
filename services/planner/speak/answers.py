"""Answers to questions: causes, relations, history, reasoning, what-if, data; the rest is in `standing.py`."""

from __future__ import annotations

from collections.abc import Sequence

from lang.concepts.named_things import things_named
from lang.tokens import read_text
from services.planner.model import (
    Answer,
    DataAnswer,
    HelpAnswer,
    HistoryAnswer,
    HypothesesAnswer,
    HypothesisDetail,
    ProgressAnswer,
    RankedRecommendation,
    ReasoningAnswer,
    ReasonLine,
    RelationsAnswer,
    RelationView,
    TurnResults,
    Verdict,
    WhatIfAnswer,
)
from services.planner.speak import caveats, checks, diagnosis
from services.planner.speak.case import which_object
from services.planner.speak.case.grounds import reason_in_words, things_asked_why
from services.planner.speak.conclusion import shorten
from services.planner.speak.diagnosis import tickets
from services.planner.speak.objects import objects_known
from services.planner.speak.record import standing
from services.planner.speak.record.heard import tell_if_heard
from services.planner.speak.summary.told_back import tell_back
from services.planner.speak.voice import Voice, brief, verdict
from services.planner.speak.whole_case import render_whole_case

_LINES = 6
# A list of causes that have less than this tells nothing.
_NAMED = 0.05
_FOR, _AGAINST = 4, 3
_APART = 3
# A table in a talk is narrow; all of it goes with the figure.
_MOST_COLUMNS, _WIDEST = 5, 24
# Contributions below the first bound round to 0.0 bits; those from the second on get a line.
_WEIGHS, _WORTH_SAYING = 0.05, 0.3
# Words that ask for numbers, in one language and in the other.
_NUMBERS = frozenset(("bit", "weight", "calculate", "compute", "math"))
_COUNTED = ("权重", "比特", "公式")
_ASSUMED: dict[Verdict | None, str] = {
    Verdict.CONFIRMED: "assumed_yes",
    Verdict.DENIED: "assumed_no",
    Verdict.UNKNOWN: "assumed_unknown",
}


def render_answer(answer: Answer, results: TurnResults, voice: Voice) -> str:
    """Renders one answer as a section."""
    match answer:
        case ProgressAnswer():
            return standing.describe_progress(answer, results, voice)
        case HypothesesAnswer():
            return _hypotheses(answer, voice)
        case RelationsAnswer():
            return _relations(answer, voice)
        case HistoryAnswer(heard=True):
            return tell_if_heard(answer, results, voice)
        case HistoryAnswer():
            return _history(answer, results, voice)
        case ReasoningAnswer():
            holder = which_object.tell_idle_holder(answer.text, objects_known(results), voice)
            return "\n".join(part for part in (holder, _reasoning(answer, results, voice)) if part)
        case WhatIfAnswer():
            return _what_if(answer, voice)
        case HelpAnswer(topic=topic) if topic is not None:
            return render_whole_case(answer, results, voice)
        case HelpAnswer():
            return standing.help_with(answer, results, voice)
        case DataAnswer():
            return _data(answer, voice)


def _hypotheses(answer: HypothesesAnswer, voice: Voice) -> str:
    if not answer.hypotheses:
        return voice.say("hypotheses_none")
    if answer.total_count and all(item.confidence < _NAMED for item in answer.hypotheses):
        return voice.say("hypotheses_flat")
    counted = answer.total_count > 0
    heading = voice.say("hypotheses", total=answer.total_count) if counted else voice.say("hypotheses_plain")
    return "\n".join([heading, *[_hypothesis(item, place, voice) for place, item in enumerate(answer.hypotheses, 1)]])


def _hypothesis(item: HypothesisDetail, place: int, voice: Voice) -> str:
    # The leader's grounds are told; the others are a line each.
    notes = (
        []
        if place > 1
        else [
            voice.say("hypothesis_for", names=voice.names(item.supporting, 3)) if item.supporting else "",
            voice.say("hypothesis_missing", names=voice.names(item.missing, 3)) if item.missing else "",
            voice.say("hypothesis_tickets", ids=voice.listed(item.ticket_ids[:3])) if item.ticket_ids else "",
        ]
    )
    told = voice.say("semicolon").join(note for note in notes if note)
    return voice.say(
        "hypothesis",
        rank=item.rank or place,
        name=voice.name(item.name, item.root_cause_id),
        percent=voice.percent(item.confidence),
        notes=voice.say("hypothesis_notes", notes=told) if told else "",
    )


def _relations(answer: RelationsAnswer, voice: Voice) -> str:
    subject = answer.subject.say(voice.language) or answer.subject_id
    if not subject:
        return voice.say("relations_unknown")
    if not answer.relations:
        return voice.say("relations_none", name=subject)
    phrase = "relations_phenomena" if answer.subject_is_root_cause else "relations_causes"
    return "\n".join([voice.say(phrase, name=subject), *[_relation(item, voice) for item in answer.relations[:_LINES]]])


def _relation(item: RelationView, voice: Voice) -> str:
    counted = item.ticket_count > 0
    reason = item.reason.say(voice.language)
    return voice.say(
        "relation",
        name=voice.name(item.name, item.entity_id),
        percent=voice.percent(item.likelihood),
        tickets=voice.say("relation_tickets", hits=item.ticket_hits, count=item.ticket_count) if counted else "",
        reason=voice.say("relation_reason", text=reason) if reason else "",
    )


def _history(answer: HistoryAnswer, results: TurnResults, voice: Voice) -> str:
    told = tell_back(answer, results, voice)
    if told or not answer.entries:
        return told or voice.say("history_none")
    heading = voice.say("history", turns=answer.turns) if answer.turns else voice.say("history_plain")
    lines = [
        voice.say(
            "history_entry",
            turn=entry.turn,
            name=voice.name(entry.name),
            verdict=verdict(entry.verdict, voice),
            words=voice.say("history_words", words=shorten(entry.words)) if entry.words else "",
            retracted=voice.say("history_retracted") if entry.retracted else "",
        )
        for entry in answer.entries
    ]
    return "\n".join([heading, *lines])


def _reasoning(answer: ReasoningAnswer, results: TurnResults, voice: Voice) -> str:
    asked = _explain_asking(answer, results, voice)
    if asked and not answer.lines:
        return asked
    if is_undecided(answer):
        return asked or diagnosis.undecided(results.diagnosis, results, voice)
    if not answer.name.say(voice.language) and not answer.root_cause_id:
        return asked or voice.say("reasoning_none")
    if answer.text and not _wants_numbers(answer.text):
        return "\n\n".join(part for part in (asked, reason_in_words(answer, voice)) if part)
    name, percent = voice.name(answer.name, answer.root_cause_id), voice.percent(answer.confidence)
    lines = [voice.say("reasoning", name=name, percent=percent)]
    lines.append(voice.say("reasoning_prior", bits=voice.bits(answer.prior_odds_bits)))
    if abs(answer.likeness_bits) >= _WORTH_SAYING:
        told = diagnosis.as_told(answer.words, voice)
        lines.append(voice.say("reasoning_told", told=told, bits=voice.bits(answer.likeness_bits)))
    weighing = [line for line in answer.lines if abs(line.bits) >= _WORTH_SAYING]
    shown = [line for line in weighing if line.bits > 0][:_FOR] + [line for line in weighing if line.bits < 0][
        :_AGAINST
    ]
    lines += [_reason(line, voice) for line in shown]
    whole = len(shown) == sum(abs(line.bits) >= _WEIGHS for line in answer.lines)
    summed = "reasoning_sum" if whole else "reasoning_sum_all"
    lines.append(voice.say(summed, bits=voice.bits(answer.posterior_odds_bits)))
    parts = (asked, "\n".join(lines), "\n".join(_render_weights(answer, voice)))
    return "\n\n".join(part for part in parts if part)


def is_undecided(answer: Answer) -> bool:
    """Whether it is asked why the leading cause is believed, while none stands out."""
    if not isinstance(answer, ReasoningAnswer) or answer.text.startswith("/"):
        return False
    return answer.leads and answer.confidence < checks.FLAT


def _wants_numbers(asked: str) -> bool:
    """True if a question asks for the weights themselves, as the command does."""
    keys = {token.key for token in read_text(asked).tokens}
    return asked.startswith("/") or bool(keys & _NUMBERS) or any(word in asked for word in _COUNTED)


def _reason(line: ReasonLine, voice: Voice) -> str:
    return voice.say(
        "reasoning_for" if line.bits > 0 else "reasoning_against",
        name=voice.name(line.name, line.phenomenon_id),
        verdict=verdict(line.verdict, voice),
        bits=voice.bits(line.bits),
        tickets=tickets(line.ticket_hits, line.ticket_count, voice),
    )


def _render_weights(answer: ReasoningAnswer, voice: Voice) -> list[str]:
    """Absence of counter-evidence, unchecked phenomena, supporting tickets, and the answer that would overturn it."""
    against = any(line.bits <= -_WEIGHS for line in answer.lines)
    overturn = caveats.render_overturn(answer.overturn, None if answer.leads else answer.name, voice)
    lines = [
        voice.say("reasoning_unopposed") if answer.lines and not against else "",
        voice.say("reasoning_unchecked", names=voice.names(answer.unchecked)) if answer.unchecked else "",
        diagnosis.tickets_behind(answer, voice),
        overturn,
    ]
    return [line for line in lines if line]


def _explain_asking(answer: ReasoningAnswer, results: TurnResults, voice: Voice) -> str:
    """Why a check is asked for; what a look that was shown is for, where no check is named or numbered."""
    item, said = answer.question, answer.text.casefold()
    if item is None:
        return ""
    named = any(map(str.isdigit, said)) or item.name.say(voice.language).casefold() in said
    if voice.has_said("first_look") and said and not named and not said.startswith("/"):
        return voice.say(
            "reasoning_look", name=voice.name(item.name, item.phenomenon_id), causes=_told_apart(item, voice)
        )
    if things := things_asked_why(answer.text):
        asked = (item, *(results.diagnosis.recommendations if results.diagnosis is not None else ()))
        item = next((each for each in asked if things & things_named(f"{each.name.zh}\n{each.name.en}")), None)
    return _explain_question(item, answer, voice) if item is not None else voice.say("reasoning_not_asked")


def _explain_question(item: RankedRecommendation, answer: ReasoningAnswer, voice: Voice) -> str:
    bits = voice.say("bits", bits=f"{item.information_gain_bits:.1f}")
    name = voice.name(item.name, item.phenomenon_id)
    if item.idle:
        return voice.say("reasoning_question_idle", name=name)
    phrase = "reasoning_question_apart" if len(item.related) > 1 else "reasoning_question"
    if is_undecided(answer):
        phrase = "reasoning_question_open"
    reason = voice.say(phrase, name=name, bits=bits, causes=_told_apart(item, voice))
    if reason in voice.previous:
        return voice.say("reasoning_question_again", name=name)
    return "\n".join(part for part in (reason, checks.outcomes(item, "", voice)) if part)


def _told_apart(item: RankedRecommendation, voice: Voice) -> str:
    return voice.listed([voice.name(view.name, view.root_cause_id) for view in item.related[:_APART]])


def _what_if(answer: WhatIfAnswer, voice: Voice) -> str:
    unresolved = [voice.say("what_if_unresolved", words=words) for words in answer.unresolved]
    if not answer.assumed:
        return "\n".join(unresolved) or voice.say("what_if_unresolved", words="?")
    assumed = voice.listed(
        [
            voice.say(_ASSUMED.get(view.verdict, "assumed_yes"), name=voice.marked(view.name, view.phenomenon_id))
            for view in answer.assumed
        ]
    )
    lines = [voice.say("what_if", assumed=assumed, leader=_leader(answer, voice))]
    if answer.changes:
        lines.append(voice.say("what_if_changes", changes=diagnosis.changes(answer.changes, voice)))
    lines += [*unresolved, voice.say("what_if_note")]
    return "\n".join(lines)


def _leader(answer: WhatIfAnswer, voice: Voice) -> str:
    before, after = answer.leader_before.say(voice.language), answer.leader_after.say(voice.language)
    shares = {
        "before": voice.percent(answer.leader_confidence_before),
        "after": voice.percent(answer.leader_confidence_after),
    }
    if not after:
        return voice.say("what_if_nothing")
    if before in ("", after):
        return voice.say("what_if_same", name=after, **shares)
    return voice.say("what_if_other", before_name=before, after_name=after, **shares)


def _data(answer: DataAnswer, voice: Voice) -> str:
    """The sentence, its rows as a table, and how the question was understood."""
    if not answer.answer:
        return voice.say("data_none")
    lines = [answer.answer, *(voice.say("data_option", text=option) for option in answer.options)]
    if answer.rows:
        lines += ["", _cells(answer.columns), _cells(["---"] * len(answer.columns))]
        lines += [_cells(row.cells) for row in answer.rows]
    if answer.understood:
        lines += ["", voice.say("data_understood", text=answer.understood)]
    return "\n".join(lines)


def _cells(cells: Sequence[str]) -> str:
    return f"| {' | '.join(brief(cell.replace('|', '/'), _WIDEST) for cell in cells[:_MOST_COLUMNS])} |"
