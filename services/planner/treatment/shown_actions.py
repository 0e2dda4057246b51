"""What the last answer showed and what was said last: where words that only point back find their meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.modality import is_negated
from lang.objects.lock_queue import WAITS_FOR
from lang.objects.named_objects import objects_named
from lang.objects.settings_said import SETTING
from lang.pastes import Executed
from lang.tokens import Text
from services.planner.model import SessionView, Speaker, Status, Treatment
from services.planner.treatment.actions import (
    action_named,
    actions_in,
    actions_of_statements,
    actions_of_step,
    asking_words,
    read_actions,
    share_a_verb,
)
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.wanted.wants import wants_in, without
from services.planner.understand.text.word_lists import listed

_LISTED = lists_beside(__file__)

# A command or statement as an answer shows it.
_CODE = re.compile(r"```\w*\n(.+?)```|`([^`\n]+)`", re.DOTALL)
# From its risk on a step tells how it is taken back and what is not to be touched: none of that is to be done.
NOTE = re.compile(r"(?:\(risk: |（风险：|^ +(?:Risk: |风险：))[^\n]*", re.MULTILINE)
SETTING_SET = _LISTED.pattern("setting_set", re.IGNORECASE | re.ASCII)
_TAKES_BACK = listed("treatment.takes_back")
_VALUE = re.compile(r"(?<![\w.])\d+", re.ASCII)
# The number of a session, in prose; behind one of these words it is how long it has been so.
SESSION = _LISTED.pattern("session", re.ASCII)
_REMEMBERED = 2
# From this belief on people act on the leading cause.
_LIKELY = 0.8
# Words that only point back, in as many characters.
POINTS = listed("treatment.points_back")
POINTING = 24
MAY = listed("treatment.may")  # "能…吗", "…会不会有问题", "…有什么后果" of an action ask for leave.
_STOP = "stop"
# Told by the setting that was changed.
_OF_ANY_SETTING = ("set_parameter", "switch_setting")
# A statement that changes more than a session, or than what may be looked at.
_CHANGES = _LISTED.pattern("changes")
# A verb for one of these may mean another: "stop it" of a session.
_ENDINGS = (_STOP, "cancel", "terminate")


def shown_actions(view: SessionView, words: str = "") -> tuple[str, ...]:
    """The actions of the statements in the last answer, in their order; first those with a number that is asked about.

    A statement that takes a setting back is none.
    """
    codes = [code for code in shown_statements(view) if not _TAKES_BACK.match(code)]
    numbers = _VALUE.findall(words)
    codes.sort(key=lambda code: not any(number in code for number in numbers))
    return tuple(dict.fromkeys(action for code in codes for action in sorted(actions_of_step("", code))))


def action_of_right(asked: str, said: str, view: SessionView) -> str:
    """The action whose right is asked about: as the question names it, else its message, else as the only one shown.

    What a message says that it is not done names none.
    """
    told = " ".join(each for one in sentences_of(said) for each in clauses_of(one) if not is_negated(each))
    named = (found for text in (asked, told) if (found := actions_in(text, said_beside(said, view))))
    shown = shown_actions(view)
    return next(named, shown if len(shown) == 1 else ("",))[0]


def settings_of(how: str) -> tuple[tuple[str, str], ...]:
    """The settings that a statement sets, with their values."""
    return tuple((found["name"].lower(), found["value"].lower()) for found in SETTING_SET.finditer(how))


def shown_statements(view: SessionView) -> list[str]:
    """The statements and commands in the last answer, in their order."""
    return codes_in(next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), ""))


def statements_shown(view: SessionView) -> Iterator[str]:
    """The statements and commands in all answers, those of the last one first."""
    answers = (each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT)
    return (code for text in answers for code in codes_in(text))


def is_acted_on(view: SessionView) -> bool:
    """Whether a cause is concluded, or leads so clearly that a bare "done" is of what an answer showed against it."""
    return view.status is Status.CONCLUDED or any(each.confidence >= _LIKELY for each in view.hypotheses[:1])


def as_shown(named: str, shown: Sequence[str]) -> str:
    """The action of a statement that was shown, where a verb without what it is done to means it; else empty.

    "Kill it" is about the session of the statement, and not about what else an answer happens to name.
    """
    action = action_named(named)
    if action is None or action.targets:
        return ""
    ends = [each for each in shown if named in _ENDINGS and each in _ENDINGS]
    if named in shown or (ends and named != _STOP):
        return named
    return next((each for each in shown if each in ends or share_a_verb(named, each)), "")


def shows_reading(view: SessionView) -> bool:
    """Whether the last statements that were shown change nothing."""
    answers = [each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT]
    shown = next((codes for text in answers if (codes := codes_in(text))), [])
    return bool(shown) and not any(actions_of_step("", code) for code in shown)


def codes_in(answer: str) -> list[str]:
    """The statements that an answer shows to be run."""
    return [found[1] or found[2] for found in _CODE.finditer(NOTE.sub("", answer))]


def said_beside(said: str, view: SessionView, clause: str = "") -> tuple[str, ...]:
    """Where a verb's target may be named: the message, what was advised last, and what was said and shown last.

    A clause with a session's number names it. What an answer only mentions stands behind the statements of advice.
    """
    if SESSION.search(clause):
        return ()
    recent = (NOTE.sub(" ", each.text) for each in reversed(view.history[-_REMEMBERED:]))
    return (said, " ".join(_advised(view)), *recent)


def shown_last(view: SessionView) -> tuple[str, ...]:
    """The actions of the last statements shown that change something, in whatever answer."""
    return tuple(dict.fromkeys(action for code in _advised(view) for action in sorted(actions_of_statements(code))))


def _advised(view: SessionView) -> list[str]:
    """The statements of the last answer that shows any which change something."""
    answers = (codes_in(each.text) for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT)
    return next((codes for codes in answers if any(map(actions_of_statements, codes))), [])


def said_last(view: SessionView) -> str:
    """What the person said or pasted last."""
    return next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")


def subject_in(text: Text, said: str, want: str, view: SessionView) -> str:
    """What a sentence asks about; where that only points back, with what was said before it."""
    subject = without(text, want)
    if subject and (not POINTS.search(subject) or len(subject) > POINTING):
        return subject
    sentences = list(sentences_of(said))
    place = next((at for at, each in enumerate(sentences) if read_actions(each).normal == text.normal), 0)
    return f"{sentences[place - 1] if place else said_last(view)} {subject}".strip()


def asked_before(view: SessionView) -> tuple[str, ...]:
    """The actions for which leave was asked last, in questions without another message between them."""
    for each in reversed(view.history):
        if each.speaker is Speaker.USER:
            if not any(map(asks_leave, sentences_of(each.text))):
                return ()
            if named := actions_in(asking_words(each.text)):
                return named
    return ()


def asks_leave(sentence: str) -> bool:
    """Whether a sentence asks for leave."""
    sentence = asking_words(sentence)
    return "leave" in wants_in(read_actions(sentence)) or MAY.search(sentence) is not None


def treatments_of(ran: Sequence[Executed]) -> Iterator[Treatment]:
    """The actions of statements that took hold, each with its statement; a reload beside another is none.

    One that changes something as no action of the list does stands for itself.
    """
    held = [each.statement for each in ran if each.took_hold]
    for action in sorted(actions_of_statements(";".join(held))):
        for statement in held:
            if action in actions_of_statements(statement):
                yield treatment(action, statement)
    own = (each for each in held if not actions_of_statements(each) and _CHANGES.match(each))
    yield from (Treatment(each, each) for each in (" ".join(each.split()).rstrip("; ") for each in own))


def treatment(action: str, words: str) -> Treatment:
    """An action that words tell as done, with the objects that they name."""
    names = [each.name for each in objects_named(words) if each.kind not in (WAITS_FOR, SETTING)]
    names += [name for name, _ in settings_of(words) if action in _OF_ANY_SETTING and "_" in name]
    known = action_named(action)
    sessions = SESSION.findall(words) if known is not None and known.kind == "pid" else []
    return Treatment(action, words, tuple(dict.fromkeys((*names, *sessions))))
