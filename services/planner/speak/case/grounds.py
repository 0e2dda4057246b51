"""Why a cause, how sure, and whether something has to do with it: in words, from the facts at hand."""

from __future__ import annotations

from lang.concepts.named_things import things_named
from services.planner.model import (
    Aftermath,
    ConclusionView,
    DiagnosisView,
    HelpAnswer,
    HypothesisView,
    MatterView,
    ReasoningAnswer,
    ReasonLine,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak import caveats, checks, diagnosis
from services.planner.speak.case import meanings
from services.planner.speak.case.remedy_steps import done_in_words
from services.planner.speak.verdicts.changes import tell_change
from services.planner.speak.verdicts.verdict import tell_verdict
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import read_actions
from services.planner.treatment.sentences import clauses_of
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.questions.asked_otherwise import asks_what_tickets
from services.planner.understand.questions.of_the_cause import (
    asks_how_so,
    asks_same,
    asks_tickets,
    asks_what_would_change,
    asks_why,
    draws_conclusion,
)

# So many sentences tell how a cause works.
_TOLD, _GROUNDS, _LEADING, _TICKETS = 2, 3, 2, 5
# A cause that leads so clearly is named as the likely one; it is concluded from more.
_LIKELY = 0.8
# From these beliefs on a yes is plain, and a likely one.
_SURE, _HALF = 0.85, 0.5
# How a cause with less works explains nothing yet.
_LEADS = 0.2
# What lowers a belief by less is not told as speaking against it.
_LOWERS = 1.0
_MEANS = frozenset(("meaning", "shows"))
# From this weight on, what is on record speaks for the cause; less is not worth a word.
_SPEAKS = 0.3


def tell_certainty(asked: str, found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """How sure a conclusion is, in two lines: what it rests on, and the one answer that would change it."""
    against = caveats.render_against(found.conflicting, results, voice)
    none = voice.say("overturn_none") if asks_what_would_change(asked) else ""
    doubts = caveats.render_overturn(found.overturn, None, voice) or none
    said = voice.stop.join(filter(None, (_of_belief(found, "certainty_yes", voice), _rests_on(found, voice))))
    return "\n".join(part for part in (said, *_cured(results, voice), *against, doubts) if part)


def _of_belief(cause: ConclusionView | HypothesisView, phrase: str, voice: Voice) -> str:
    return voice.say(phrase, name=voice.name(cause.name, cause.root_cause_id), percent=voice.percent(cause.confidence))


def _so_far(cause: ConclusionView | HypothesisView, phrase: str, voice: Voice) -> str:
    return _of_belief(cause, phrase, voice) if cause.confidence >= _LEADS else voice.say("nothing_yet")


def _rests_on(found: ConclusionView, voice: Voice) -> str:
    return voice.say("rests_on", names=voice.names(found.supporting, _GROUNDS)) if found.supporting else ""


def _cured(results: TurnResults, voice: Voice) -> list[str]:
    """That it recovered after a step bears the cause out."""
    cured = results.aftermath is Aftermath.WELL and bool(results.treatments)
    return [voice.say("certainty_cured", done=done_in_words(results, voice))] if cured else []


def tell_open_certainty(
    leading: ConclusionView | None, found: DiagnosisView, results: TurnResults, voice: Voice
) -> str:
    """How sure the leader of an open case is, and the check that would settle it."""
    likely = found.hypotheses[0].confidence >= _LIKELY
    causes = voice.listed([diagnosis.cause(item, voice) for item in found.hypotheses[: 1 if likely else _LEADING]])
    sure = "certainty_likely" if found.recommendations else "certainty_enough"
    half = "certainty_half" if found.hypotheses[0].confidence >= _HALF else "certainty_no"
    said = voice.say(sure if likely else half, causes=causes)
    rests, against = (_rests_on(leading, voice), leading.conflicting) if leading is not None else ("", ())
    lines = [
        voice.stop.join(part for part in (said, rests) if part),
        *(_cured(results, voice) if likely else ()),
        *caveats.render_against(against, results, voice),
        *(checks.in_a_line(item, found, voice) for item in found.recommendations[:1]),
    ]
    return "\n".join(line for line in lines if line)


def reason_in_words(answer: ReasoningAnswer, voice: Voice) -> str:
    """What speaks for a cause and against it, and where it is believed the one answer that would overturn it."""
    if asks_what_tickets(answer.text):
        return diagnosis.what_tickets(answer, voice)
    if asks_tickets(answer.text):
        return diagnosis.tickets_behind(answer, voice) or voice.say("reasoning_none")
    if answer.leads and checks.tells_nothing(answer.confidence):
        return voice.say("hypotheses_flat")
    speaking = [line for line in answer.lines if line.bits >= _SPEAKS]
    seen = [line for line in speaking if line.verdict is Verdict.CONFIRMED] or speaking
    supporting = [_ground(line, voice) for line in seen[:_GROUNDS]]
    # Where no words can be named for it, and there is more to name, it only blurs the rest.
    if answer.likeness_bits >= _SPEAKS and (answer.words or not supporting):
        supporting.append(diagnosis.as_told(answer.words, voice))
    lowering = [line for line in answer.lines if line.bits <= -_LOWERS and line.verdict is Verdict.DENIED]
    absent = [_ground(line, voice) for line in lowering[:_GROUNDS]]
    asked = answer.question is not None and answer.overturn is not None and answer.question.name == answer.overturn.name
    lifted = None if answer.leads else answer.name
    overturn = "" if asked or answer.confidence < _HALF else caveats.render_overturn(answer.overturn, lifted, voice)
    if not overturn and asks_what_would_change(answer.text):
        overturn = voice.say("overturn_none")
    said = _of_belief(HypothesisView(answer.root_cause_id, answer.name, answer.confidence), "grounds", voice)
    rests = voice.say("rests_on", names=voice.listed(supporting)) if supporting else ""
    lines = [
        voice.say("not_that_now") if _names_another(answer) else "",
        voice.stop.join(part for part in (said, rests) if part),
        voice.say("against", names=voice.listed(absent)) if absent else "",
        overturn,
    ]
    return "\n".join(line for line in lines if line)


def things_asked_why(asked: str) -> frozenset[str]:
    """The things that words name up to where they ask why, without numbers."""
    clauses = [*clauses_of(asked)]
    last = max((at for at, clause in enumerate(clauses) if asks_why(clause)), default=len(clauses))
    return frozenset(each for each in things_named("\n".join(clauses[: last + 1])) if not each.isdigit())


def _names_another(answer: ReasoningAnswer) -> bool:
    """Whether a question of the leading cause names only what neither it nor anything that speaks for it is about."""
    named = things_asked_why(answer.text)
    seen = (line.name for line in answer.lines if line.bits >= _SPEAKS and line.verdict is Verdict.CONFIRMED)
    known = things_named("\n".join(f"{name.zh}\n{name.en}" for name in (answer.name, *seen)))
    return answer.leads and bool(named) and named.isdisjoint(known)


def _ground(line: ReasonLine, voice: Voice) -> str:
    name = voice.quoted(line.name, line.phenomenon_id)
    if line.verdict is Verdict.DENIED:
        return voice.say("answer_no", name=voice.marked(line.name, line.phenomenon_id))
    counted = line.ticket_hits > 0 and line.bits > 0
    return voice.say(
        "grounds_item",
        name=name,
        tickets=diagnosis.tickets(line.ticket_hits, line.ticket_count, voice) if counted else "",
    )


def tell_relation(answer: HelpAnswer, found: DiagnosisView | None, voice: Voice) -> str:
    """Whether what is asked about has to do with the trouble, and what would settle it; how the cause comes to it."""
    matter = answer.matter
    if matter is not None and matter.change:
        return _with_next(tell_change(matter, answer, voice), found, voice, again=True)
    if mechanism := _tell_how_so(answer, found, voice):
        return mechanism
    if matter is None or not matter.leader.root_cause_id:
        return meanings.explain_named(answer, voice) or tell_verdict(matter or MatterView(answer.text), voice)
    if not matter.phenomenon_id:
        return _with_next(tell_verdict(matter, voice), found, voice, again=True)
    sign = matter.verdict is None or matter.bits >= _SPEAKS
    of_leader = things_named(answer.text) & things_named(f"{matter.leader.name.zh}\n{matter.leader.name.en}")
    concludes = draws_conclusion(answer.text)
    if not (sign and concludes):
        said = _relation(matter, voice)
    elif matter.points_to.root_cause_id and not of_leader:
        said = _of_belief(matter.leader, "related_rather", voice)
    else:
        said = _say_yes(matter, voice)
    if (now := answer.conclusion or answer.leading) is not None and concludes and sign:
        said = voice.stop.join(part for part in (said, _rests_on(now, voice)) if part)
    return _with_next(said, found, voice)


def _with_next(said: str, found: DiagnosisView | None, voice: Voice, *, again: bool = False) -> str:
    """What was said, with the next check of an open case, without what the last answer had; again: said in any case."""
    following = found.recommendations[:1] if found is not None and found.conclusion is None else ()
    lines = [said, *(checks.in_a_line(item, found, voice) for item in following if found)]
    known = [line for line in lines[int(again) :] if polish(line, voice.language) in voice.previous]
    new = [line for line in lines if line and line not in known]
    return "\n".join(new or lines[:1])


def _tell_how_so(answer: HelpAnswer, open_case: DiagnosisView | None, voice: Voice) -> str:
    """How the leading cause works in two sentences, where that or whether it is the same is asked.

    As long as it does not clearly lead it explains nothing: what speaks for it is told then.
    """
    found = answer.conclusion or answer.leading
    same = asks_same(answer.text)
    asks = same or asks_how_so(answer.text) or asks_why(answer.text)
    if found is None or draws_conclusion(answer.text) or not asks:
        return ""
    if same:
        return voice.stop.join([_of_belief(found, "same_cause", voice), _gist(found.mechanism, voice)])
    if (matter := answer.matter) is not None and matter.root_cause_id not in ("", found.root_cause_id):
        return _with_next(tell_verdict(matter, voice), open_case, voice)
    if answer.conclusion is None and found.confidence < _HALF:
        return _tell_state(found, open_case, voice)
    return _tell_link(answer, found, voice) or tell_mechanism(answer, voice)


def _tell_state(found: ConclusionView, open_case: DiagnosisView | None, voice: Voice) -> str:
    """What a case comes to so far: its leading cause, if any leads, what that rests on, and the next check."""
    rests = _rests_on(found, voice) if found.confidence >= _LEADS else ""
    return _with_next(voice.stop.join(filter(None, (_so_far(found, "grounds", voice), rests))), open_case, voice)


def _tell_link(answer: HelpAnswer, found: ConclusionView, voice: Voice) -> str:
    """Why the sign that is asked about shows under the cause; empty where the library has no reason, or it was told."""
    matter = answer.matter
    if matter is None or not matter.phenomenon_id or matter.points_to.root_cause_id or found.confidence < _LIKELY:
        return ""
    reason = matter.reason.say(voice.language)
    if not reason or asks_how_so(answer.text) or voice.was_told(reason):
        return ""
    sign, name = voice.name(matter.name, matter.phenomenon_id), voice.name(found.name, found.root_cause_id)
    return voice.say("because", sign=sign, name=name, reason=reason)


def tell_comes_to(answer: HelpAnswer, open_case: DiagnosisView | None, voice: Voice) -> str:
    """How the cause works; where it is asked what something means, with what is next, or what speaks for a weak one."""
    found, means = answer.conclusion or answer.leading, _MEANS.intersection(wants_in(read_actions(answer.text)))
    if found is not None and means and answer.conclusion is None and found.confidence < _HALF:
        return _tell_state(found, open_case, voice)
    told = tell_mechanism(answer, voice)
    return _with_next(told, open_case, voice) if means else told


def tell_mechanism(answer: HelpAnswer, voice: Voice) -> str:
    """How the cause brings the trouble about; asked again, in plain words, then what is left of it."""
    found = answer.conclusion or answer.leading
    if found is None or (answer.conclusion is None and found.confidence < _LEADS):
        return voice.say("nothing_yet")
    name, how = voice.name(found.name, found.root_cause_id), _gist(found.mechanism, voice)
    phrase = "how_so" if answer.conclusion is not None or found.confidence >= _LIKELY else "how_so_open"
    plain, rest = found.plain.say(voice.language), _rest(found.mechanism, voice)
    parts = ((how, voice.say(phrase, name=name, how=how)), (plain, plain), (rest, rest))
    return next((said for bare, said in parts if bare and not voice.was_told(bare)), voice.say("mechanism_told"))


def _rest(mechanism: Text, voice: Voice) -> str:
    """What the first sentences leave out of how a cause works."""
    return voice.some_sentences(mechanism.say(voice.language), first=_TOLD)


def _gist(mechanism: Text, voice: Voice) -> str:
    """How a cause works, in its first sentences."""
    return voice.some_sentences(mechanism.say(voice.language), end=_TOLD)


def _say_yes(matter: MatterView, voice: Voice) -> str:
    """Yes to the leading cause, as far as it is believed."""
    belief = matter.leader.confidence
    said = "related_same" if belief >= _SURE else "related_likely" if belief >= _HALF else "related_maybe"
    return _of_belief(matter.leader, said, voice)


def _relation(matter: MatterView, voice: Voice) -> str:
    if matter.verdict is Verdict.DENIED:
        return voice.say("related_denied", matter=voice.name(matter.name))
    if matter.verdict is Verdict.CONFIRMED:
        return _on_record(matter, voice)
    return tell_verdict(matter, voice)


def _on_record(matter: MatterView, voice: Voice) -> str:
    """What something on record has to do with the leading cause, once that is more likely than not."""
    name, belief, reason = voice.name(matter.name), matter.leader.confidence, matter.reason.say(voice.language)
    if belief < _HALF:
        return voice.say("related_possible", matter=name)
    phrase = "related_yes" if matter.bits >= _SPEAKS else "related_trigger"
    why = voice.say("related_why", reason=reason) if reason and belief >= _LIKELY else ""
    leader, percent = voice.name(matter.leader.name), voice.percent(belief)
    return voice.say(phrase, matter=name, leader=leader, percent=percent, reason=why)
