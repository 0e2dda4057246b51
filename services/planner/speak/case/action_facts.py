"""What is known of an action by itself: its statement, what it blocks, how long it takes, how it is taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from lang.numbers.values import read_values
from lang.objects import bind, blanks_in
from lang.objects.kinds_and_roles import SYNC_NAMES
from lang.objects.settings_said import SETTING, SETTING_WANTED
from lang.tokens import read_text
from lang.vocabulary import Unit
from services.planner.model import Aftermath, ConclusionView, Language, TurnResults
from services.planner.sizing.known import values_of
from services.planner.speak.objects import say_choices
from services.planner.speak.settings_now import beside_told, by_patroni
from services.planner.speak.steps.as_code import code
from services.planner.speak.steps.render import fitting
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import action_named, actions_of_statements, read_actions
from services.planner.treatment.agreed import pool_figures
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.shown_actions import settings_of
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.text.word_lists import listed

_FOLDER = Path(__file__).parent
_BARE_COMMAND = listed("treatment.bare_command")
_CAN = listed("treatment.can")
_BLANK = re.compile(r"<\w+>")
# What is asked of an action beside whether it may be done.
ASPECTS = ("manner", "undo", "locks", "takes", "needs_restart", "reach", "pool_size")
_TEXTS = {"manner": "manner_", "locks": "locks_", "takes": "takes_", "needs_restart": "restart_", "reach": "reach_"}
# A restart that is asked about is asked of nothing else.
_OF_ITSELF = (("needs_restart", "restart"), ("needs_restart", "restart_app"))
_ENDING = ("cancel", "terminate")
# What changes a setting of the server, not of a session alone.
_OF_SERVER = ("alter system", "set global", "set persist")
_MILLION, _TEN_THOUSAND, _MINUTE = 1e6, 1e4, 60
# Fewer rows are no size of a table that takes long.
_ROWS_FROM = 1e5
# Connections that are kept free: those reserved, and a share for tools.
_RESERVED, _SPARE = 3, 0.05


class Facts(NamedTuple):
    """Statements that do an action, take it back and watch it, and seconds for a million rows, from and to.

    new_only: it reaches statements that start afterwards, and no running one.
    """

    do: str = ""
    idle: str = ""
    undo: str = ""
    watch: str = ""
    seconds: tuple[int, ...] = ()
    new_only: bool = False


@cache
def _facts(engine: str) -> Mapping[str, Facts]:
    own = _FOLDER / f"action_facts.{engine}.yaml"
    content = yaml.load((own if own.is_file() else _FOLDER / "action_facts.yaml").read_bytes(), yaml.CSafeLoader)
    return {action: Facts(**{**each, "seconds": tuple(each.get("seconds", ()))}) for action, each in content.items()}


def facts_of(action: str, engine: str) -> Facts:
    """The facts of an action in a database; empty ones where none are known."""
    return _facts(engine).get(action, Facts())


def aspects_asked(asked: str) -> tuple[str, ...]:
    """What is asked of an action beside whether it may be done, sentence by sentence."""
    wants = {want for sentence in sentences_of(asked) for want in wants_in(read_actions(sentence))}
    return tuple(each for each in ASPECTS if each in wants)


def asks_command(asked: str) -> bool:
    """Whether the command is asked for, beside others or in a sentence of its own."""
    bare = any(_BARE_COMMAND.search(sentence) for sentence in sentences_of(asked))
    return bare or "command" in wants_in(read_actions(asked))


def asks_leave(asked: str) -> bool:
    """Whether it is asked if an action may be done: "do I have to restart for it" asks no leave."""
    for sentence in sentences_of(asked):
        wants = wants_in(read_actions(sentence))
        may = "leave" in wants or _CAN.search(sentence) is not None
        if may and not {"needs_restart", "pool_size", "manner"} & {*wants}:
            return True
    return False


def is_this(action: str, how: str, engine: str) -> bool:
    """Whether a statement is an action's own: one that is always the same must stand in it."""
    do = facts_of(action, engine).do
    return not do or _BLANK.search(do) is not None or _plain(do) in _plain(how)


def _plain(statement: str) -> str:
    return "".join(statement.lower().split())


def tell_statement(action: str, asked: str, found: ConclusionView | None, voice: Voice) -> list[str]:
    """The statement that does an action: that of the remedy's step where it has one, else the action's own."""
    idle = facts_of(action, voice.engine).idle
    if idle and "idle_ones" in wants_in(read_actions(asked)):
        return [voice.say("fact_command"), code(idle, "sql")]
    of_steps = [step.how for step in found.solution if step.how] if found is not None else []
    fits = (how for how in of_steps if action in actions_of_statements(how) and is_this(action, how, voice.engine))
    how, now = beside_told(bind(fitting(next(fits, facts_of(action, voice.engine).do), voice), voice.objects), voice)
    if not how:
        return []
    note = (say_choices(how, voice.choices, voice) + now).strip()
    note = note or say_blank(how, voice).strip()
    return [voice.say("fact_command"), code(how, "sql"), *([note] if note else [])]


def say_blank(how: str, voice: Voice) -> str:
    """What to fill the first blank of a statement with; empty where it has none."""
    blank = _BLANK.search(how)
    return voice.say("command_blank", blank=blank[0]) if blank is not None else ""


def start_again(action: str, results: TurnResults, voice: Voice) -> str:
    """That a statement is to be cancelled and run again, where what was done reaches no running one; else empty."""
    done = next(
        (each.action for each in reversed(results.treatments) if facts_of(each.action, voice.engine).new_only), ""
    )
    if action not in _ENDING or not done or results.aftermath is Aftermath.WELL:
        return ""
    said = voice.say("start_again", done=name_of(done, voice))
    if polish(said, voice.language) in voice.previous:
        return voice.say("leave_again_of", name=name_of("cancel", voice), verdict=said)
    command = facts_of("cancel", voice.engine).do
    return "\n".join([said, code(command, "sql"), say_blank(command, voice).strip()])


def tell_aspects(
    action: str, asked: str, found: ConclusionView | None, results: TurnResults, voice: Voice
) -> list[str]:
    """What is asked of an action: what it blocks, how long it takes, how it is undone, how large a pool may be."""
    lines: list[str] = []
    for aspect in aspects_asked(asked):
        told = _tell_aspect(aspect, action, asked, found, voice)
        if not told and (aspect, action) not in _OF_ITSELF:
            told = [tell_nothing(aspect, name_of(action, voice), voice)]
        lines += told
    return lines


def _tell_aspect(aspect: str, action: str, asked: str, found: ConclusionView | None, voice: Voice) -> list[str]:
    match aspect:
        case "undo":
            return _undo(action, found, voice)
        case "pool_size":
            return _pool(asked, voice)
        case "takes":
            return [*voice.known(f"{_TEXTS[aspect]}{action}"), *_estimate(action, asked, voice)]
        case _:
            return voice.known(f"{_TEXTS[aspect]}{action}")


def tell_nothing(aspect: str, name: str, voice: Voice) -> str:
    """That nothing is known of what is asked of an action."""
    return voice.say(f"nothing_{aspect}", name=name)


def name_of(action: str, voice: Voice) -> str:
    """An action in words."""
    return voice.say(f"name_{action}") if action_named(action) is not None else action


def read_back(action: str, found: ConclusionView | None, voice: Voice, done: Sequence[str] = ()) -> list[str]:
    """How to see that the server has the new value of the setting that a step changes. done: what was done it to."""
    hows = [each.how for each in found.relief] + [each.how for each in found.solution] if found is not None else []
    told = {*values_of(voice.choices, SETTING_WANTED), *values_of(voice.choices, SETTING)}
    hows.append(facts_of(action, voice.engine).do)
    of_action = [how for how in hows if action in actions_of_statements(how) or _sets(how, told)]
    systems = (how for how in of_action if any(each in how.lower() for each in _OF_SERVER))
    names = [name for how in systems for name, _ in settings_of(how)]
    names = [name for name in done if "_" in name] or names
    names.sort(key=lambda name: name not in told)
    return [voice.say("effect_read_back", name=name) for name in names[:1]]


def _sets(how: str, names: set[str]) -> bool:
    return any(name in names for name, _ in settings_of(how))


def _estimate(action: str, asked: str, voice: Voice) -> Iterator[str]:
    """How long so many rows take, where they were said, and how to see how far it is."""
    facts = facts_of(action, voice.engine)
    rows = max((each for each in _counts(asked) if each >= _ROWS_FROM), default=0.0)
    if rows and facts.seconds:
        least, most = (max(round(rows / _MILLION * each / _MINUTE), 1) for each in facts.seconds)
        yield voice.say("fact_rows", rows=_rows(rows, voice), least=least, most=max(most, least + 1))
    if facts.watch:
        yield voice.say("fact_watch")
        yield code(facts.watch, "sql")


def _rows(rows: float, voice: Voice) -> str:
    chinese = voice.language is Language.ZH
    return f"{rows / _TEN_THOUSAND:.0f} 万" if chinese else f"{rows / _MILLION:.3g} M"


def _counts(asked: str) -> Iterator[float]:
    yield from (each.readings[Unit.COUNT][0] for each in read_values(read_text(asked)) if Unit.COUNT in each.readings)


def _undo(action: str, found: ConclusionView | None, voice: Voice) -> list[str]:
    """How an action is taken back: by its own statement, by what the remedy says of its step, or in words."""
    facts, name = facts_of(action, voice.engine), name_of(action, voice)
    if facts.undo:
        how = by_patroni(bind(facts.undo, voice.objects), voice)
        first = voice.known(f"going_back_{action}")
        return [*first, voice.say("fact_undo", done=name), code(how, "sql"), *_open_blank(how, voice)]
    if known := voice.known(f"undo_{action}"):
        return [voice.say("fact_undo_none", done=name, text=known[0])]
    steps = found.solution if found is not None else ()
    own = (each for each in steps if action in actions_of_statements(each.how))
    of_steps = (each.undo for each in own if is_this(action, each.how, voice.engine))
    said = next((text for undo in of_steps if (text := undo.say(voice.language).rstrip(" .。;；"))), "")
    return [voice.say("fact_undo_step", undo=bind(said, voice.objects))] if said else []


def _open_blank(how: str, voice: Voice) -> list[str]:
    """What belongs in a blank that nothing fills: an object, or the value that it had before."""
    blank = _BLANK.search(how)
    if blank is None:
        return []
    of_object = any(kind != SYNC_NAMES for kind in blanks_in(how))
    return [voice.say("command_blank" if of_object else "fact_value", blank=blank[0]).strip()]


def _pool(asked: str, voice: Voice) -> list[str]:
    """How many connections each instance may have, by the figures that were said; else the rule."""
    figures = pool_figures(asked)
    if figures is None:
        return [voice.say("pool_rule")]
    limit, instances = figures
    spare = _RESERVED + round(limit * _SPARE)
    each = max((limit - spare) // instances, 1)
    return [voice.say("pool_at_most", each=each, limit=limit, spare=spare, instances=instances)]
