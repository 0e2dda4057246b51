"""Steps and relief as lines: what to do, its statement with the values of the case, its risk and its price."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from lang.objects import bind, blanks_in
from services.planner.model import ReliefStep, SolutionStep
from services.planner.speak.objects import say_choices
from services.planner.speak.rights.who_may import who_instead
from services.planner.speak.settings_now import beside_told, by_patroni
from services.planner.speak.steps.as_code import code
from services.planner.speak.voice import Voice

# Statements that end so many kinds of object.
_KINDS = 2
# ALTER SYSTEM anywhere in the text; other statements only at its start, up to a semicolon or the end.
_SETTING = r"ALTER SYSTEM (?:RESET \w*_\w*|SET \w+ = [^\s;]+)"
_STATEMENT = re.compile(
    rf"{_SETTING}(?:;\s*(?:SELECT pg_\w+\([^)]*\)|{_SETTING}))*;?"
    r"|^(?:(?:ALTER (?:ROLE|TABLE|DATABASE|INDEX)|DROP \w+|SELECT|RESET|GRANT|REVOKE|SET|KILL|XA)"
    r"\s[^;\u4e00-\u9fff]*(?:;|$)\s*)+",
    re.ASCII,
)
# What stands below the line of a step.
_INDENT = "   "
_RISKS = ("none", "low", "medium", "high")
_SPEEDS = ("at once", "within minutes", "within hours", "later")


def _with_code(text: str) -> str:
    """Marks the statements in a text as code, without their final semicolon."""
    if "`" in text:
        return text
    return _STATEMENT.sub(lambda found: f"`{found[0].rstrip('; ')}`" + (" " if found[0].endswith(" ") else ""), text)


def render_relief(step: ReliefStep, voice: Voice, phrase: str = "relief") -> str:
    """What stops the bleeding with its values and its statement, then its risk, its price and when not to do it."""
    costs, not_when = step.costs.say(voice.language), step.not_when.say(voice.language)
    notes = [
        say_risk(step.risk, voice),
        voice.say("note_costs", costs=_with_code(costs)) if costs else "",
        voice.say("note_not_when", when=_with_code(not_when)) if not_when else "",
        _by_others(step, voice),
    ]
    statement, values = _statement_of(step.how, voice)
    line = voice.say(phrase, action=voice.name(step.action, step.how), notes=values)
    caveats = voice.say("semicolon").join(note for note in notes if note)
    below = [_INDENT + caveats[0].upper() + caveats[1:] + voice.say("correction_end")] if caveats else []
    return "\n".join([line, *statement, *below])


def _by_others(step: SolutionStep | ReliefStep, voice: Voice) -> str:
    """Who has to take a step that the person has no right to; empty where nothing of the kind was said."""
    return who_instead("note_rights", voice.name(step.action, step.how), step.how, voice)


def say_risk(risk: str, voice: Voice) -> str:
    """A risk in words; empty for none given."""
    return voice.say("note_risk", risk=voice.say(f"risk_{risk}") if risk in _RISKS else risk) if risk else ""


def _bracketed(notes: Sequence[str], voice: Voice) -> str:
    said = voice.say("semicolon").join(note for note in notes if note)
    return voice.say("bracketed", text=said) if said else ""


def fitting(how: str, voice: Voice) -> str:
    """Of statements that each end another kind of object, those whose object is known; all of them if none is."""
    parts = [part.strip() for part in how.split(";") if part.strip()]
    kinds = [blanks_in(part) for part in parts]
    if len({kind for found in kinds for kind in found}) < _KINDS or not all(kinds):
        return how
    known = [part for part, found in zip(parts, kinds, strict=True) if all(kind in voice.objects for kind in found)]
    return "; ".join(known) + ";" if known else how


def with_statement(line: str, how: str, voice: Voice) -> str:
    """A step with its statement: blanks are filled, and where several names fit one of them, the line names them."""
    statement, values = _statement_of(how, voice)
    return "\n".join([line + values, *statement])


def _statement_of(how: str, voice: Voice) -> tuple[list[str], str]:
    """The lines of a statement with its blanks filled, and what its values are from or may be."""
    if not how.strip():
        return [], ""
    bound, now = beside_told(bind(fitting(how, voice), voice.objects), voice)
    lines = [_INDENT + part for part in code(bound, "sql").splitlines()]
    return lines, say_choices(bound, voice.choices, voice) + now


def render_alone(number: int, step: SolutionStep, voice: Voice) -> str:
    """A step that stands for itself, so that its number begins no list."""
    return render_step(number, step, voice, "step_alone")


def render_again(number: int, step: SolutionStep, voice: Voice) -> str:
    """A step that stands for itself; in short where it was told so before: its statement, or else what to do."""
    whole = render_alone(number, step, voice)
    if not voice.was_told(whole):
        return whole
    statement, _ = _statement_of(step.how, voice)
    action = voice.name(step.action, step.how)
    line = voice.say("step_again" if statement else "step_alone", number=number, action=action, notes="")
    return "\n".join([line, *statement])


def render_step(number: int, step: SolutionStep, voice: Voice, phrase: str = "step") -> str:
    """A numbered step with its risk, speed, undo and statement."""
    undo = _with_code(bind(step.undo.say(voice.language), voice.objects).strip().rstrip(".。;； "))
    undo = by_patroni(undo, voice)
    notes = [
        say_risk(step.risk, voice),
        voice.say("note_helps", helps=voice.say(f"helps_{step.helps}") if step.helps in _SPEEDS else step.helps)
        if step.helps
        else "",
        voice.say("note_undo", undo=undo) if undo else "",
        voice.say("note_prevents") if step.prevents else "",
        _by_others(step, voice),
    ]
    action = voice.name(step.action, step.how)
    statement, values = _statement_of(step.how, voice)
    line = voice.say(phrase, number=number, action=action, notes=values + _bracketed(notes, voice))
    return "\n".join([line, *statement])
