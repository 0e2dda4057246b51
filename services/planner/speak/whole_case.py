"""Answers to what a person under pressure asks of the whole case: sureness, risk, prevention, a summary, closing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lang.objects import Seen, objects_in
from lang.tokens import Kind, read_text
from services.planner.model import (
    ConclusionView,
    DiagnosisView,
    HelpAnswer,
    QuestionTopic,
    RankedHypothesis,
    TurnResults,
    Verdict,
)
from services.planner.speak import actions, caveats, checks, diagnosis
from services.planner.speak.conclusion import first_aid, remedy, render_relief, render_step, shorten
from services.planner.speak.objects import objects_seen
from services.planner.speak.voice import Voice

_LEADING, _GROUNDS, _STEPS = 2, 3, 2
_RISKY = ("medium", "high")
# What may be done before the cause is known, and how likely a cause must be to be relieved.
_HARMLESS = ("none", "low")
_WORTH_RELIEF = 0.2
# A cause that leads so clearly is named as the likely one; it is concluded from more.
_LIKELY = 0.8
# Shorter numbers are those of checks and causes.
_PID_DIGITS = 3
# Words of a check, which names its signals: "new_sessions = 692 /s".
_MEASURED = " = "
# Most objects that are named at once.
_NAMED = 4
_SESSION = """SELECT pid, usename, application_name, client_addr, state, xact_start,
       pg_blocking_pids(pid) AS blocked_by, left(query, 120) AS query
FROM pg_stat_activity WHERE pid = {pid};"""


def render_whole_case(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The answer to a question with a topic, after a conclusion or before one."""
    match answer.topic:
        case QuestionTopic.CLOSING:
            return _closing(answer.conclusion, voice)
        case QuestionTopic.RULED_OUT:
            return _ruled_out(answer, voice)
        case QuestionTopic.RECOVERED:
            return _recovered(answer.conclusion, results.diagnosis, voice)
        case QuestionTopic.OBJECT:
            return _object(answer, results, voice)
        case QuestionTopic.RUNNING:
            return "\n".join([voice.say("running"), voice.say("running_rights")])
    if answer.topic is QuestionTopic.RELIEF and answer.conclusion is None:
        return _relieve(answer, results.diagnosis, voice)
    if answer.conclusion is not None:
        return _concluded(answer, answer.conclusion, voice)
    return _open(answer, results.diagnosis, results, voice)


def _closing(found: ConclusionView | None, voice: Voice) -> str:
    named = voice.say("closing_found", name=voice.name(found.name, found.root_cause_id)) if found else ""
    return voice.stop.join(part for part in (voice.say("closing"), named) if part)


def _ruled_out(answer: HelpAnswer, voice: Voice) -> str:
    denied = [view for view in answer.evidence if view.verdict is Verdict.DENIED]
    names = voice.listed(voice.quoted(view.name, view.phenomenon_id) for view in denied)
    return voice.say("ruled_out", names=names) if names else voice.say("ruled_out_none")


def _object(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The objects that were seen, and the words on record that name one; else the step that finds it."""
    open_case = results.diagnosis
    words = [view.words for view in answer.evidence if view.verdict is Verdict.CONFIRMED and names_object(view.words)]
    asked = _session_asked(answer.text)
    if asked:
        said = (
            [_quoted([each for each in words if asked in each], voice)] if any(asked in each for each in words) else []
        )
        return "\n".join(
            [*said, voice.say("object_number", number=asked), f"```sql\n{_SESSION.format(pid=asked)}\n```"]
        )
    seen = objects_seen(results.seen)
    if seen:
        return _seen(seen, [*words, *(view.words for view in results.seen if any(objects_in(view.value)))], voice)
    if words:
        return _quoted(words, voice)
    if answer.conclusion is None or not answer.conclusion.solution:
        following = open_case.recommendations[:1] if open_case else ()
        shown = [checks.in_a_line(one, open_case, voice) for one in following if open_case]
        return "\n".join([voice.say("object_nobody"), *shown])
    return "\n".join([voice.say("object_unknown"), render_step(1, answer.conclusion.solution[0], voice)])


def _seen(seen: Sequence[Seen], words: Sequence[str], voice: Voice) -> str:
    """The objects, those that hold others up first, and the words or rows that they are from."""
    held = [each for each in seen if each.culprit]
    named = voice.listed(voice.say("object_named", kind=each.kind, name=each.name) for each in (held or seen)[:_NAMED])
    lines = [voice.say("object_held" if held else "object_seen", names=named)]
    return "\n".join([*lines, *([_quoted(words[:_GROUNDS], voice)] if words else [])])


def _quoted(words: Sequence[str], voice: Voice) -> str:
    quoted = (voice.say("quoted", words=shorten(each)) for each in dict.fromkeys(words))
    return voice.say("object_said", words=voice.listed(quoted))


def _session_asked(asked: str) -> str:
    """The number of a session that a question names; empty if it names none."""
    numbers = (token.text for token in read_text(asked).tokens if token.kind is Kind.NUMBER)
    return next((number for number in numbers if number.isdecimal() and len(number) >= _PID_DIGITS), "")


def names_object(words: str) -> bool:
    """Whether words name an object of somebody's system: an identifier of several parts, or a number after `pid`."""
    tokens = () if _MEASURED in words else read_text(words).tokens
    return any(
        token.joined or (before.key == "pid" and token.kind is Kind.NUMBER) for before, token in pairwise(tokens)
    )


def _recovered(found: ConclusionView | None, open_case: DiagnosisView | None, voice: Voice) -> str:
    if found is None:
        if open_case is None or not open_case.hypotheses:
            return voice.say("recovered_plain")
        causes = voice.listed([diagnosis.cause(item, voice) for item in open_case.hypotheses[:_LEADING]])
        following = [checks.in_a_line(one, open_case, voice) for one in open_case.recommendations[:1]]
        if open_case.hypotheses[0].confidence >= _LIKELY:
            return voice.say("recovered_likely", causes=diagnosis.cause(open_case.hypotheses[0], voice))
        return "\n".join([voice.say("recovered_open", causes=causes), *following])
    step = next((step for step in found.solution if step.prevents), None)
    said = voice.say("recovered", name=voice.name(found.name, found.root_cause_id))
    prevent = voice.say("recovered_prevent", action=voice.name(step.action, step.how)) if step else ""
    return "\n".join(part for part in (said, prevent) if part)


def _not_helped(found: ConclusionView, voice: Voice) -> str:
    name, verify = voice.name(found.name, found.root_cause_id), found.verify.say(voice.language)
    said = voice.say("not_helped", name=name, verify=verify) if verify else voice.say("not_helped_plain", name=name)
    unchecked = voice.names(found.unchecked, _GROUNDS)
    following = voice.say("not_helped_next", names=unchecked) if unchecked else voice.say("not_helped_more")
    return f"{said}\n{following}"


def relieve_early(answer: HelpAnswer, leader: RankedHypothesis, voice: Voice) -> str:
    """The harmless relief of a cause that leads clearly enough, before there is a conclusion; else empty."""
    harmless = next((step for step in answer.relief if step.risk in _HARMLESS), None)
    if harmless is None or leader.confidence < _WORTH_RELIEF:
        return ""
    name, percent = voice.name(leader.name, leader.root_cause_id), voice.percent(leader.confidence)
    return "\n".join([voice.say("relief_early", name=name, percent=percent), render_relief(harmless, voice)])


def _relieve(answer: HelpAnswer, found: DiagnosisView | None, voice: Voice) -> str:
    """What may be done at once and what must not, whatever the cause, and the check that goes on with the search."""
    if found is None or not found.hypotheses:
        return voice.say("relief_any")
    told = relieve_early(answer, found.hypotheses[0], voice) or voice.say("relief_any")
    return "\n".join([told, *(checks.in_a_line(one, found, voice) for one in found.recommendations[:1])])


def _summary(found: ConclusionView, voice: Voice) -> str:
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    first = next((voice.name(step.action, step.how) for step in found.solution), "")
    return voice.say("summary_found" if first else "summary_found_only", name=name, percent=percent, action=first)


def _concluded(answer: HelpAnswer, found: ConclusionView, voice: Voice) -> str:
    match answer.topic:
        case QuestionTopic.CERTAINTY:
            return _certainty(found, voice)
        case QuestionTopic.PREVENTION:
            return _prevention(found, voice)
        case QuestionTopic.RISK:
            return _risk(answer.text, found, voice)
        case QuestionTopic.RELIEF:
            first = first_aid(found, voice)
            return remedy(found, voice) if first.splitlines()[0] in voice.previous else first
        case QuestionTopic.NOT_HELPED:
            return _not_helped(found, voice)
        case QuestionTopic.SHARING:
            return "\n".join([_summary(found, voice), voice.say("sharing")])
        case _:
            return _summary(found, voice)


def _certainty(found: ConclusionView, voice: Voice) -> str:
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    grounds = voice.say("rests_on", names=voice.names(found.supporting, _GROUNDS)) if found.supporting else ""
    unchecked = voice.say("unchecked", names=voice.names(found.unchecked, _GROUNDS)) if found.unchecked else ""
    doubts = caveats.render_overturn(found.overturn, None, voice) or voice.say("overturn_none") + voice.stop + unchecked
    said = voice.say("certainty_yes", name=name, percent=percent, supporting=grounds)
    return "\n".join(part for part in (said, doubts) if part)


def _prevention(found: ConclusionView, voice: Voice) -> str:
    name = voice.name(found.name, found.root_cause_id)
    steps = [step for step in found.solution if step.prevents]
    verify = found.verify.say(voice.language)
    lines = [voice.say("prevents" if steps else "prevents_none", name=name)]
    lines += [render_step(number, step, voice) for number, step in enumerate(steps, 1)]
    return "\n".join([*lines, *([voice.say("verify", text=verify)] if verify else [])])


def _risk(asked: str, found: ConclusionView, voice: Voice) -> str:
    name = voice.name(found.name, found.root_cause_id)
    named = actions.actions_in(asked)
    numbered = list(enumerate(found.solution, 1))
    if actions.restarts_application(asked):
        numbered = [
            (number, step)
            for number, step in numbered
            if actions.restarts_application(actions.words_of_step(step, voice))
        ]
        if not numbered:
            return "\n".join(actions.warn_of(asked, voice))
    if named:
        chosen = [
            (number, step)
            for number, step in numbered
            if named & actions.actions_in(actions.words_of_step(step, voice))
        ]
    else:
        chosen = [(number, step) for number, step in numbered if step.risk in _RISKY] or numbered
    if not chosen:
        return "\n".join([voice.say("risk_not_a_step", name=name), *actions.warn_of(asked, voice)])
    lines = [render_step(number, step, voice) for number, step in chosen[:_STEPS]]
    return "\n".join([*actions.warn_of(asked, voice), voice.say("risk_of_step", name=name), *lines])


def _tell_open(answer: HelpAnswer, found: DiagnosisView, results: TurnResults, voice: Voice) -> str:
    """Where an open case stands, in the light of what is asked; a clear leader is named alone."""
    likely = found.hypotheses[0].confidence >= _LIKELY
    leading = found.hypotheses[: 1 if likely else _LEADING]
    causes = voice.listed([diagnosis.cause(item, voice) for item in leading])
    confirmed = [view for view in results.seen if view.verdict is Verdict.CONFIRMED][-_GROUNDS:]
    names = voice.listed(voice.quoted(view.name, view.phenomenon_id) for view in confirmed)
    match answer.topic:
        case QuestionTopic.CERTAINTY:
            return voice.say("certainty_likely" if likely else "certainty_no", causes=causes)
        case QuestionTopic.PREVENTION:
            return voice.say("prevents_early", causes=causes)
        case QuestionTopic.RISK:
            return voice.say(
                "risk_harmless" if actions.restarts_application(answer.text) else "risk_early", causes=causes
            )
    seen = voice.say("summary_seen", names=names) if names else ""
    return voice.say("summary_likely" if likely else "summary_early", causes=causes, seen=seen)


def _open(answer: HelpAnswer, found: DiagnosisView | None, results: TurnResults, voice: Voice) -> str:
    """Nothing is concluded: no claim, the leading causes, and the one check that would tell."""
    if found is None or checks.is_unknown(found):
        unknown = voice.say("nothing_yet")
        warned = actions.warn_of(answer.text, voice) or [voice.say("safety")]
        return "\n".join([*warned, unknown]) if answer.topic is QuestionTopic.RISK else unknown
    lines = [_tell_open(answer, found, results, voice)]
    if answer.topic is QuestionTopic.SHARING:
        return "\n".join([*lines, voice.say("sharing")])
    if answer.topic is QuestionTopic.RISK:
        lines = [*actions.warn_of(answer.text, voice), *lines]
    if answer.topic is not QuestionTopic.SUMMARY and found.recommendations:
        lines.append(checks.in_a_line(found.recommendations[0], found, voice))
    return "\n".join(lines)
