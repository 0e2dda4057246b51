"""The next check with its exact command and the effect of each answer, and two more in a line each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lang.objects import bind
from services.planner.model import (
    ClarifyKind,
    DiagnosisView,
    HelpAnswer,
    HypothesisView,
    OutcomeView,
    RankedRecommendation,
    Status,
    TurnResults,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.speak.record.set_aside import needed
from services.planner.speak.steps.as_code import code, fits_a_line
from services.planner.speak.verdicts.verdict import open_suspects
from services.planner.speak.voice import Voice, brief
from services.planner.understand.answers.settings_shown import SETTINGS
from services.planner.understand.text.domain import is_technical

# A cause below the first tells a person nothing; below the second it is no cause at all.
FLAT, _NOTHING = 0.15, 0.05
_ALSO = 2
# Up to this turn other checks stand beside the main one, with how to answer in short.
HINT_TURNS = 2
_ANSWERS = 2
# A cause this likely is acted on before it is concluded, and from this belief on no other look is asked for.
_LIKELY, _SURE = 0.8, 0.85
# A cause leads clearly from this belief on, where it has so many times the belief in the next one.
_LEADS, _TIMES = 0.5, 2.0


def next_checks(results: TurnResults, found: DiagnosisView, voice: Voice) -> str:
    """The main check, then the others in short; a notice if no check is left."""
    if not found.recommendations:
        return _none_left(results, found, voice)
    main, *others = found.recommendations
    if is_sure(found) and not open_suspects(results.suggestions):
        return "" if results.answers else _enough(found, voice)
    if found.first_look:
        return _first_look(found, voice)
    if found.look_waits:
        return voice.once("look_waits")
    suspected = open_suspects(results.suggestions)
    if was_shown(main, voice) and not suspected:
        return _still_open(main, results, voice)
    lines = [
        _introduced(main, results, found, voice),
        check(main, voice),
        outcomes(main, next(iter(suspected), ""), voice),
    ]
    shown = "\n".join(line for line in lines if line)
    if not others or voice.turn > HINT_TURNS or leads_clearly(found):
        return shown
    return shown + "\n\n" + voice.say("also_checks", checks=_listed(others[:_ALSO], voice))


def _still_open(main: RankedRecommendation, results: TurnResults, voice: Voice) -> str:
    """The check that was shown before, by its name; not under an answer."""
    asks = not (results.noted or results.corrections)
    if asks and not all(isinstance(each, HelpAnswer) and each.action == SETTINGS for each in results.answers):
        return ""
    return unchanged(main, voice)


def _first_look(found: DiagnosisView, voice: Voice) -> str:
    return "\n".join([voice.say("first_look"), code(found.first_look, "shell")])


def _listed(items: Sequence[RankedRecommendation], voice: Voice) -> str:
    return voice.say("semicolon").join(
        voice.say("also_check", ordinal=item.ordinal, name=voice.name(item.name, item.phenomenon_id)) for item in items
    )


def meanwhile(results: TurnResults, voice: Voice) -> str:
    """What to look at under a single reading that is asked about, so that the search goes on; else empty."""
    found, asked = results.diagnosis, results.clarification
    if found is None or found.conclusion is not None or not found.recommendations or is_sure(found):
        return ""
    if asked is None or asked.kind is not ClarifyKind.PROPOSED or len(asked.options) != 1:
        return ""
    if found.first_look:
        return _first_look(found, voice)
    following, told = found.recommendations[0], results.noted or results.corrections or results.answers
    if told or was_shown(following, voice) or asked.options[0].phenomenon_id == following.phenomenon_id:
        return ""
    return "\n".join([voice.say("next_meanwhile"), check(following, voice), outcomes(following, "", voice)])


def without_idle(results: TurnResults) -> TurnResults:
    """The results without the checks that would change nothing."""
    found = results.diagnosis
    if found is None:
        return results
    kept = tuple(item for item in found.recommendations if not item.idle)
    return replace(results, diagnosis=replace(found, recommendations=kept))


def is_enough(found: DiagnosisView) -> bool:
    """Whether a cause is likely enough to act on, and no open check would change that."""
    return not found.recommendations and any(item.confidence >= _LIKELY for item in found.hypotheses)


def _none_left(results: TurnResults, found: DiagnosisView, voice: Voice) -> str:
    """That what is known is enough to act on, or that there is nothing left to look at."""
    if not found.hypotheses or results.status is Status.STUCK:
        return ""
    if not is_enough(found):
        return voice.say("no_more_checks")
    return _enough(found, voice)


def _enough(found: DiagnosisView, voice: Voice) -> str:
    """That a cause is likely enough to act on, once."""
    leader = max(found.hypotheses, key=lambda item: item.confidence)
    return voice.once("enough", cause=voice.name(leader.name, leader.root_cause_id))


def _introduced(main: RankedRecommendation, results: TurnResults, found: DiagnosisView, voice: Voice) -> str:
    """What a check is for; one that the person cannot make is for whoever can."""
    if main.beyond:
        return voice.say("next_beyond", things=needed(main.beyond, voice))
    if main.words and is_technical(main.words) and not is_question(main.words):
        return voice.say("next_told", words=brief(main.words))
    return voice.say(_lead_in(main, results, found))


def _lead_in(main: RankedRecommendation, results: TurnResults, found: DiagnosisView) -> str:
    """The phrase for the check's purpose: test a suspicion, confirm, tell causes apart, or start."""
    told_apart = {view.root_cause_id for view in (*main.related, *main.if_yes.beliefs)}
    if not told_apart.isdisjoint(open_suspects(results.suggestions)):
        return "next_suspected"
    if results.status is Status.CONFIRMING:
        return "next_confirming" if _may_change_the_lead(main, found) else "next_firmer"
    return "next_open" if is_flat(found) else "next_exploring"


def _may_change_the_lead(item: RankedRecommendation, found: DiagnosisView) -> bool:
    """Whether another cause than now would lead after one of the answers; True if that is unknown."""
    outcomes_known = [outcome.beliefs for outcome in (item.if_yes, item.if_no) if outcome.beliefs]
    leads = {max(beliefs, key=lambda belief: belief.confidence).root_cause_id for beliefs in outcomes_known}
    return len(outcomes_known) < _ANSWERS or leads != {found.hypotheses[0].root_cause_id}


def check(item: RankedRecommendation, voice: Voice) -> str:
    """A check with its number, command and presence test."""
    return "\n".join([_numbered(item, voice), *how_to_look(item, voice)])


def _numbered(item: RankedRecommendation, voice: Voice) -> str:
    name = voice.name(item.name, item.phenomenon_id)
    return voice.say("check", ordinal=item.ordinal, name=name) if item.ordinal else f"**{name}**"


def was_shown(item: RankedRecommendation, voice: Voice) -> bool:
    """True if one of the last answers already recommended this check."""
    return item.shown or _numbered(item, voice) in voice.previous


def unchanged(item: RankedRecommendation, voice: Voice) -> str:
    """A check that was shown before, by name, and how to get its command."""
    return voice.say("next_same", name=_numbered(item, voice), how=_ask_for_command(item, voice))


def in_a_line(item: RankedRecommendation, found: DiagnosisView, voice: Voice) -> str:
    """The check by name, how to get its command, and the effect of each answer; empty if it was just asked for."""
    if found.first_look or found.look_waits:
        return _first_look(found, voice) if found.first_look else voice.once("look_waits")
    if was_shown(item, voice):
        return ""
    how = _how(item, voice)
    said = voice.say("progress_next", name=_numbered(item, voice), how=how)
    return said + voice.stop + outcomes(item, "", voice)


def leads_clearly(found: DiagnosisView) -> bool:
    """Whether a cause is more likely than not, and at least twice as likely as the next one."""
    leader, *others = found.hypotheses or (None,)
    if leader is None or leader.confidence < _LEADS:
        return False
    return leader.confidence >= _TIMES * max((each.confidence for each in others if each), default=0.0)


def is_sure(found: DiagnosisView) -> bool:
    """Whether a cause is so likely that nothing more is asked for."""
    return leads_clearly(found) and found.hypotheses[0].confidence >= _SURE


def settling(found: DiagnosisView, voice: Voice) -> str:
    """The one check that would settle it, in a line; none beside a cause that is all but sure."""
    for item in () if is_sure(found) else found.recommendations[:1]:
        return voice.say("settling", name=_numbered(item, voice), how=_how(item, voice))
    return ""


def _ask_for_command(item: RankedRecommendation, voice: Voice) -> str:
    if not (item.ordinal and item.observation_method.strip()):
        return ""
    return voice.say("more_command", ordinal=item.ordinal)


def _how(item: RankedRecommendation, voice: Voice) -> str:
    """The command of a check that is new: in brackets where it fits a line, else how to ask for it."""
    asked = _ask_for_command(item, voice)
    return asked and (_short_command(item, voice) or asked)


def how_to_recheck(item: RankedRecommendation, voice: Voice) -> str:
    """The command in brackets if it fits a line, else how to ask for it; empty without a command."""
    asked = voice.say("more_command", ordinal=item.phenomenon_id) if item.phenomenon_id else ""
    return item.observation_method.strip() and (_short_command(item, voice) or asked)


def _short_command(item: RankedRecommendation, voice: Voice) -> str:
    """The command of a check in brackets, where it fits a line."""
    how = bind(item.observation_method.strip(), voice.objects)
    return voice.say("bracketed", text=code(how, item.observe_kind).rstrip(" .。")) if fits_a_line(how) else ""


def how_to_look(item: RankedRecommendation, voice: Voice) -> list[str]:
    """The command and the presence test, one per line; empty if the results have neither."""
    how = bind(item.observation_method, voice.objects)
    lines = [code(how, item.observe_kind)] if how.strip() else []
    present = item.present_when.say(voice.language).rstrip(" .。")
    return [*lines, voice.say("check_present", present=present)] if present else lines


def outcomes(item: RankedRecommendation, asked: str, voice: Voice) -> str:
    """The beliefs after yes and after no, where one of them is worth a word; if unknown, the expected gain."""
    effects = (("check_if_yes", item.if_yes), ("check_if_no", item.if_no))
    beliefs = [belief.confidence for _, outcome in effects for belief in outcome.beliefs]
    if not beliefs and item.information_gain_bits > 0:
        return voice.say("check_gain", bits=voice.say("bits", bits=f"{item.information_gain_bits:.1f}"))
    parts = [
        voice.say(phrase, beliefs=_beliefs(outcome, asked, voice))
        for phrase, outcome in effects
        if any(belief.confidence >= _NOTHING for belief in outcome.beliefs)
    ]
    return voice.say("semicolon").join(parts) + voice.say("correction_end") if max(beliefs, default=0) >= FLAT else ""


def _beliefs(outcome: OutcomeView, asked: str, voice: Voice) -> str:
    front = max(outcome.beliefs, key=lambda belief: belief.confidence)
    shown = [front, *[belief for belief in outcome.beliefs if belief.root_cause_id == asked and belief is not front]]
    return voice.say("comma").join(belief_of(belief, voice) for belief in shown)


def belief_of(belief: HypothesisView, voice: Voice) -> str:
    """A cause with its probability."""
    return voice.say(
        "cause", name=voice.name(belief.name, belief.root_cause_id), percent=voice.percent(belief.confidence)
    )


def how_to_answer(found: DiagnosisView, voice: Voice) -> str:
    """The hint on short answers and on how to get a command, for the number of checks shown."""
    shown = min(len(found.recommendations), 1 if leads_clearly(found) else 1 + _ALSO)
    phrases = ("", "how_to_answer_one", "how_to_answer_two", "how_to_answer")
    return voice.once(phrases[shown]) if shown else ""


def tells_nothing(confidence: float) -> bool:
    """Whether a cause is so unlikely that what speaks for it tells a person nothing."""
    return confidence < FLAT


def is_unknown(found: DiagnosisView) -> bool:
    """Whether nothing is known: no cause is worth its name."""
    return all(max(item.confidence, item.effective_confidence) < _NOTHING for item in found.hypotheses)


def is_flat(found: DiagnosisView) -> bool:
    """Whether no cause stands out: a list of causes at a few per cent tells a person nothing."""
    return all(max(item.confidence, item.effective_confidence) < FLAT for item in found.hypotheses)
