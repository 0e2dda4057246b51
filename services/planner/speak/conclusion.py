"""The conclusion: cause, probability, evidence for and against, remedy, verification."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import ConclusionView, SolutionStep, Text
from services.planner.speak import caveats
from services.planner.speak.checks import code
from services.planner.speak.voice import Voice

_TICKETS = 3
# ALTER SYSTEM anywhere in the text; other statements only at its start, up to a semicolon or the end.
_SETTING = r"ALTER SYSTEM (?:RESET \w*_\w*|SET \w+ = [^\s;]+)"
_STATEMENT = re.compile(
    rf"{_SETTING}(?:;\s*(?:SELECT pg_\w+\([^)]*\)|{_SETTING}))*;?"
    r"|^(?:(?:ALTER (?:ROLE|TABLE|DATABASE|INDEX)|DROP \w+|SELECT|RESET|GRANT|REVOKE)\s[^;\u4e00-\u9fff]*(?:;|$)\s*)+",
    re.ASCII,
)
_TICKET_LENGTH = 60
_RISKS = ("none", "low", "medium", "high")
_SPEEDS = ("at once", "within minutes", "within hours", "later")


def render_conclusion(found: ConclusionView, doubted: str, voice: Voice) -> str:
    """The full conclusion at first, the short form when repeated; `doubted` precedes the steps."""
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    if found.repeated_conclusion:
        return "\n".join(line for line in (*_again(found, voice), doubted) if line)
    blocks = [
        voice.say("concluded", name=name, percent=percent),
        _mechanism(found, voice),
        "\n".join(_render_weights(found, voice)),
        doubted,
        remedy(found, voice),
    ]
    return "\n\n".join(block for block in blocks if block)


def _mechanism(found: ConclusionView, voice: Voice) -> str:
    text = found.mechanism.say(voice.language)
    return voice.say("mechanism", text=text) if text else ""


def _render_weights(found: ConclusionView, voice: Voice) -> list[str]:
    groups = (
        ("for", found.supporting),
        ("against", _against(found)),
        ("unchecked", found.unchecked),
    )
    lines = [voice.say(phrase, names=voice.names(names)) for phrase, names in groups if names]
    lines += [caveats.render_unexplained(found, voice), caveats.render_overturn(found.overturn, None, voice)]
    return [line for line in lines if line]


def _against(found: ConclusionView) -> tuple[Text, ...]:
    """Conflicting evidence, without the evidence reported as unexplained."""
    return tuple(name for name in found.conflicting if name not in found.unexplained)


def _again(found: ConclusionView, voice: Voice) -> list[str]:
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    against = voice.say("against", names=voice.names(_against(found))) if _against(found) else ""
    return [voice.say("concluded_again", name=name, percent=percent), against, caveats.second_again(found, voice)]


def remedy(found: ConclusionView, voice: Voice) -> str:
    """The remedy's steps in order, the verification, and similar tickets."""
    steps = [render_step(number, step, voice) for number, step in enumerate(found.solution, 1)]
    lines = [voice.say("steps"), *steps] if steps else [voice.say("no_steps")]
    verify = found.verify.say(voice.language)
    if verify:
        lines += ["", voice.say("verify", text=verify)]
    if found.tickets:
        lines += ["", voice.say("tickets", tickets=_tickets(found, voice))]
    return "\n".join(lines)


def _tickets(found: ConclusionView, voice: Voice) -> str:
    return voice.say("semicolon").join(
        voice.say("ticket", id=ticket.ticket_id, text=shorten(ticket.description))
        if ticket.description
        else ticket.ticket_id
        for ticket in found.tickets[:_TICKETS]
    )


def shorten(text: str) -> str:
    """A ticket's description, shortened to one line."""
    line = " ".join(text.split())
    return line if len(line) <= _TICKET_LENGTH else line[: _TICKET_LENGTH - 1] + "…"


def _with_code(text: str) -> str:
    """Marks the statements in a text as code, without their final semicolon."""
    if "`" in text:
        return text
    return _STATEMENT.sub(lambda found: f"`{found[0].rstrip('; ')}`" + (" " if found[0].endswith(" ") else ""), text)


def render_step(number: int, step: SolutionStep, voice: Voice) -> str:
    """A numbered step with its risk, speed, undo and statement."""
    undo = _with_code(step.undo.say(voice.language).strip().rstrip(".。;； "))
    notes = [
        voice.say("note_risk", risk=voice.say(f"risk_{step.risk}") if step.risk in _RISKS else step.risk)
        if step.risk
        else "",
        voice.say("note_helps", helps=voice.say(f"helps_{step.helps}") if step.helps in _SPEEDS else step.helps)
        if step.helps
        else "",
        voice.say("note_undo", undo=undo) if undo else "",
        voice.say("note_prevents") if step.prevents else "",
    ]
    said = voice.say("semicolon").join(note for note in notes if note)
    bracketed = voice.say("bracketed", text=said) if said else ""
    line = voice.say("step", number=number, action=voice.name(step.action, step.how), notes=bracketed)
    if not step.how.strip():
        return line
    shown = code(step.how, "sql")
    return "\n".join([line, *("   " + part for part in shown.splitlines())])
