"""Talk beside the diagnosis, a new start, the short commands, and text that poses as an instruction."""

from __future__ import annotations

from lang.outcomes import tells_recovery
from lang.tokens import read_text
from services.planner.model import (
    CorrectionStep,
    Group,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reference,
    ResetStep,
    SmalltalkKind,
)
from services.planner.understand.text.word_lists import listed

_GREETING = listed("talk.greeting")
_THANKS = listed("talk.thanks")
_FAREWELL = listed("talk.farewell")
_REMARK = listed("talk.remark")
_COMPARED = listed("talk.compared")
# One expression each: together they cannot be searched for by what they begin with, which is slow on long texts.
_POSED = tuple(listed(f"talk.posed_{number}") for number in range(1, 15))
_TAGGED = listed("talk.tagged")
_COMMANDING = listed("talk.commanding")
# Talk is short; a longer text that begins so is about something.
_TALK_LENGTH = 80
_COMMANDS: dict[str, PlanStep] = {
    "/undo": CorrectionStep(Reference(group=Group.LAST_TURN), retract=True),
    "/reset": ResetStep(),
    "/status": QuestionStep(QuestionKind.PROGRESS, text="/status"),
    "/why": QuestionStep(QuestionKind.REASONING, text="/why"),
    "/history": QuestionStep(QuestionKind.HISTORY, text="/history"),
    "/help": QuestionStep(QuestionKind.HELP, text="/help"),
}
_COMMAND = listed("talk.command")
_ORDERING = listed("talk.ordering")


def command(message: str, anything_said: bool) -> PlanStep | None:
    """The step of a short command such as `/undo`; help for one that does not exist; None for anything else."""
    word = message.strip().lower()
    if word == "/undo" and not anything_said:
        return QuestionStep(QuestionKind.HISTORY, text=message.strip())
    if word not in _COMMANDS and _COMMAND.fullmatch(word):
        return QuestionStep(QuestionKind.HELP, text=message.strip())
    return _COMMANDS.get(word)


def orders_something(message: str) -> bool:
    """Whether a message tells somebody to do something: "write me a poem"."""
    return _ORDERING.search(message.strip().lower()) is not None


def talk(clause: str) -> SmalltalkKind | None:
    """The kind of talk a normalised text is when it is nothing else."""
    text = clause.strip(" .!~,?")
    if len(text) > _TALK_LENGTH:
        return None
    for expression, kind in (
        (_GREETING, SmalltalkKind.GREETING),
        (_FAREWELL, SmalltalkKind.FAREWELL),
        (_THANKS, SmalltalkKind.THANKS),
        (_REMARK, SmalltalkKind.REMARK),
        (_COMPARED, SmalltalkKind.REMARK),
    ):
        if text and expression.match(text):
            return kind
    return SmalltalkKind.THANKS if tells_recovery(read_text(text)) else None


def posed(text: str) -> list[tuple[int, int]]:
    """The spans of normalised text that pose as the system or as an assistant, each to the end of its line."""
    spans = sorted(match.span() for expression in _POSED for match in expression.finditer(text))
    tags = [match.span() for match in _TAGGED.finditer(text)]
    return sorted({*tags, *(span for span in spans if not any(start <= span[0] < end for start, end in tags))})


def commands_assistant(clause: str) -> bool:
    """Whether a clause orders the assistant to change its rules, its evidence or its belief, or to give away secrets."""
    return bool(_COMMANDING.search(clause))
