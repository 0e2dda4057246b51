"""The next check with its exact command and the effect of each answer, and two more in a line each."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from services.planner.model import (
    DiagnosisView,
    HypothesisView,
    OutcomeView,
    RankedRecommendation,
    Status,
    TurnResults,
)
from services.planner.speak.voice import Voice

# A cause below this tells a person nothing.
_FLAT = 0.06
_ALSO = 2
# Up to this turn the answer explains how to ask for a command.
_EXPLAINED_TURNS = 3
_ONE_LINE = 100
# A shorter command may occur in an answer by coincidence.
_TELLING = 12
_SQL = re.compile(
    r"^\s*(?:--|(?:SELECT|EXPLAIN|SHOW|WITH|PREPARE|ALTER|SET|VACUUM|ANALYZE|REINDEX|CREATE)\b)", re.MULTILINE
)


def next_checks(results: TurnResults, found: DiagnosisView, voice: Voice) -> str:
    """The main check, then the others in short; a notice if no check is left."""
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
    """The phrase for the check's purpose: test a suspicion, confirm, tell causes apart, or start."""
    suspected = {suggestion.root_cause_id for suggestion in results.suggestions} - {""}
    if suspected.intersection(view.root_cause_id for view in (*main.related, *main.if_yes.beliefs)):
        return "next_suspected"
    if results.status is Status.CONFIRMING:
        return "next_confirming"
    return "next_open" if is_flat(found) else "next_exploring"


def check(item: RankedRecommendation, voice: Voice) -> str:
    """A check with its number, command and presence test."""
    return "\n".join([_numbered(item, voice), *how_to_look(item, voice)])


def _numbered(item: RankedRecommendation, voice: Voice) -> str:
    name = voice.name(item.name, item.phenomenon_id)
    return voice.say("check", ordinal=item.ordinal, name=name) if item.ordinal else f"**{name}**"


def was_shown(item: RankedRecommendation, voice: Voice) -> bool:
    """True if the previous answer already recommended this check."""
    how = item.observation_method.strip()
    return _numbered(item, voice) in voice.previous or (len(how) >= _TELLING and how in voice.previous)


def in_a_line(item: RankedRecommendation, found: DiagnosisView, voice: Voice) -> str:
    """The check by name, how to get its command, and the effect of each answer."""
    leader = found.hypotheses[0].root_cause_id if found.hypotheses else ""
    how = _ask_for_command(item, voice)
    said = voice.say("progress_next", name=_numbered(item, voice), how=how)
    return said + voice.stop + outcomes(item, leader, voice)


def _ask_for_command(item: RankedRecommendation, voice: Voice) -> str:
    if not (item.ordinal and item.observation_method.strip()):
        return ""
    return voice.say("more_command", ordinal=item.ordinal)


def how_to_recheck(item: RankedRecommendation, voice: Voice) -> str:
    """The command in brackets if it fits a line, else how to ask for it; empty without a command."""
    how = item.observation_method.strip()
    if not how:
        return ""
    if _fits_a_line(how):
        return voice.say("bracketed", text=code(how, item.observe_kind).rstrip(" .。"))
    return voice.say("more_command", ordinal=item.phenomenon_id) if item.phenomenon_id else ""


def how_to_look(item: RankedRecommendation, voice: Voice) -> list[str]:
    """The command and the presence test, one per line; empty if the results have neither."""
    lines = [code(item.observation_method, item.observe_kind)] if item.observation_method.strip() else []
    present = item.present_when.say(voice.language).rstrip(" .。")
    return [*lines, voice.say("check_present", present=present)] if present else lines


def code(how: str, kind: str) -> str:
    """Formats a command: inline code if short, else a fenced block; a single line of prose stays as it is."""
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
    """The beliefs after yes and after no; if unknown, the expected information gain."""
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
    """The leader after the answer, and the current leader if it is another cause."""
    front = max(outcome.beliefs, key=lambda belief: belief.confidence)
    shown = [front, *[belief for belief in outcome.beliefs if belief.root_cause_id == leader and belief is not front]]
    return voice.say("comma").join(belief_of(belief, voice) for belief in shown)


def belief_of(belief: HypothesisView, voice: Voice) -> str:
    """A cause with its probability."""
    name = voice.name(belief.name, belief.root_cause_id)
    return voice.say("cause", name=name, percent=voice.percent(belief.confidence))


def _also(items: Sequence[RankedRecommendation], turn: int, voice: Voice) -> list[str]:
    """One line per check, with the command if it fits; in the first turns also how to get the others."""
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
    """The hint on short answers, for the number of checks shown."""
    shown = min(len(found.recommendations), 1 + _ALSO)
    phrases = ("", "how_to_answer_one", "how_to_answer_two", "how_to_answer")
    return voice.once(phrases[shown]) if shown else ""


def is_flat(found: DiagnosisView) -> bool:
    """Whether no cause stands out: a list of causes at a few per cent tells a person nothing."""
    return all(item.effective_confidence < _FLAT for item in found.hypotheses)
