"""The next check, with its exact command and what each answer would mean, and two more in one line each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from services.planner.model import HypothesisView, Status
from services.planner.results import TurnResults
from services.planner.speak.voice import Voice
from services.planner.views import DiagnosisView, OutcomeView, RankedRecommendation

_ALSO = 2
# From this turn on the person knows how to ask for a command.
_EXPLAINED_TURNS = 3
_ONE_LINE = 100
# A command shorter than this may stand in an answer by chance.
_TELLING = 12
_SQL = re.compile(
    r"^\s*(?:--|(?:SELECT|EXPLAIN|SHOW|WITH|PREPARE|ALTER|SET|VACUUM|ANALYZE|REINDEX|CREATE)\b)", re.MULTILINE
)


def next_checks(results: TurnResults, found: DiagnosisView, voice: Voice) -> str:
    """The main check, then the others in short; that there is none left when there is none."""
    if not found.recommendations:
        return voice.say("no_more_checks") if found.hypotheses and results.status is not Status.STUCK else ""
    main, *others = found.recommendations
    suspected = [item.root_cause_id for item in results.suggestions if item.root_cause_id]
    leader = next(iter([*suspected, *(item.root_cause_id for item in found.hypotheses)]), "")
    if was_shown(main, voice):
        lines = [voice.say("next_same", name=_numbered(main, voice), how=_ask_for_command(main, voice))]
    else:
        lines = [voice.say(_lead_in(main, results, found)), check(main, voice)]
    lines.append(outcomes(main, leader, voice))
    shown = "\n".join(line for line in lines if line)
    if not others:
        return shown
    return shown + "\n\n" + "\n".join([voice.say("also_checks"), *_also(others[:_ALSO], results.turn, voice)])


def _lead_in(main: RankedRecommendation, results: TurnResults, found: DiagnosisView) -> str:
    """Why this check: to test a suspicion, to settle it, to tell the causes apart, or to begin with something."""
    suspected = {suggestion.root_cause_id for suggestion in results.suggestions} - {""}
    if suspected.intersection(view.root_cause_id for view in (*main.related, *main.if_yes.beliefs)):
        return "next_suspected"
    if results.status is Status.CONFIRMING:
        return "next_confirming"
    return "next_open" if found.flat else "next_exploring"


def check(item: RankedRecommendation, voice: Voice) -> str:
    """A check with its number, its command, and what counts as present."""
    return "\n".join([_numbered(item, voice), *how_to_look(item, voice)])


def _numbered(item: RankedRecommendation, voice: Voice) -> str:
    name = voice.name(item.name, item.phenomenon_id)
    return voice.say("check", ordinal=item.ordinal, name=name) if item.ordinal else f"**{name}**"


def was_shown(item: RankedRecommendation, voice: Voice) -> bool:
    """Whether the last answer already sent the person to this check."""
    how = item.observation_method.strip()
    return _numbered(item, voice) in voice.previous or (len(how) >= _TELLING and how in voice.previous)


def in_a_line(item: RankedRecommendation, found: DiagnosisView, voice: Voice) -> str:
    """The check by name, how to get its command, and what each answer would mean."""
    leader = found.hypotheses[0].root_cause_id if found.hypotheses else ""
    how = _ask_for_command(item, voice)
    said = voice.say("progress_next", name=_numbered(item, voice), how=how)
    return said + voice.stop + outcomes(item, leader, voice)


def _ask_for_command(item: RankedRecommendation, voice: Voice) -> str:
    if not (item.ordinal and item.observation_method.strip()):
        return ""
    return voice.say("more_command", ordinal=item.ordinal)


def how_to_recheck(item: RankedRecommendation, voice: Voice) -> str:
    """The command of a check in brackets when it fits a line, else how to ask for it; empty when there is none."""
    how = item.observation_method.strip()
    if not how:
        return ""
    if _fits_a_line(how):
        return voice.say("bracketed", text=code(how, item.observe_kind).rstrip(" .。"))
    return voice.say("more_command", ordinal=item.phenomenon_id) if item.phenomenon_id else ""


def how_to_look(item: RankedRecommendation, voice: Voice) -> list[str]:
    """The command and what counts as yes, as lines; empty when the results have neither."""
    lines = [code(item.observation_method, item.observe_kind)] if item.observation_method.strip() else []
    present = item.present_when.say(voice.language).rstrip(" .。")
    return [*lines, voice.say("check_present", present=present)] if present else lines


def code(how: str, kind: str) -> str:
    """A command as code: in the line when it is short, else fenced; one line of plain words as it is."""
    how = how.strip()
    manual = kind == "manual"
    if manual and "\n" not in how and not _SQL.search(how):
        return how
    if _fits_a_line(how):
        return f"`{how}`"
    tongue = "sql" if kind == "sql" or _SQL.search(how) else ("" if manual else "sh")
    return f"```{tongue}\n{how}\n```"


def _fits_a_line(how: str) -> bool:
    return "\n" not in how and len(how) <= _ONE_LINE and "`" not in how


def outcomes(item: RankedRecommendation, leader: str, voice: Voice) -> str:
    """What yes and what no would make of the beliefs; without those, what the answer is worth."""
    parts = [
        voice.say(phrase, beliefs=_beliefs(outcome, leader, voice))
        for phrase, outcome in (("check_if_yes", item.if_yes), ("check_if_no", item.if_no))
        if outcome.beliefs
    ]
    if parts:
        return voice.say("semicolon").join(parts) + voice.say("correction_end")
    if item.information_gain_bits > 0:
        return voice.say("check_gain", bits=voice.say("bits", bits=f"{item.information_gain_bits:.1f}"))
    return ""


def _beliefs(outcome: OutcomeView, leader: str, voice: Voice) -> str:
    """The belief in front after the answer, and the present leader's when that is another."""
    front = max(outcome.beliefs, key=lambda belief: belief.confidence)
    shown = [front, *[belief for belief in outcome.beliefs if belief.root_cause_id == leader and belief is not front]]
    return voice.say("comma").join(belief_of(belief, voice) for belief in shown)


def belief_of(belief: HypothesisView, voice: Voice) -> str:
    """A cause with its belief."""
    name = voice.name(belief.name, belief.root_cause_id)
    return voice.say("cause", name=name, percent=voice.percent(belief.confidence))


def _also(items: Sequence[RankedRecommendation], turn: int, voice: Voice) -> list[str]:
    """A line each, with the command where it fits; in the first turns how to get the others."""
    lines, longer = [], []
    for item in items:
        how = item.observation_method.strip()
        fits = bool(how) and _fits_a_line(how)
        shown = voice.say("also_how", how=code(how, item.observe_kind)) if fits else ""
        name = voice.name(item.name, item.phenomenon_id)
        lines.append(voice.say("also_check", ordinal=item.ordinal, name=name, how=shown))
        if how and not fits and item.ordinal:
            longer.append(item.ordinal)
    if longer and turn <= _EXPLAINED_TURNS:
        lines.append(voice.once("more_commands", ordinal=longer[0]))
    return [line for line in lines if line]


def how_to_answer(found: DiagnosisView, voice: Voice) -> str:
    """How to answer in short, fitting the number of checks shown."""
    shown = min(len(found.recommendations), 1 + _ALSO)
    phrases = ("", "how_to_answer_one", "how_to_answer_two", "how_to_answer")
    return voice.once(phrases[shown]) if shown else ""
