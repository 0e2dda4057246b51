"""Questions of one step of a remedy, by its number, its setting or its value, and objections to a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lang import deferred_re as re
from lang.tokens import read_text
from services.planner.model import (
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Status,
)
from services.planner.treatment.actions import actions_in, read_actions
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.shown_actions import shown_actions
from services.planner.treatment.wants import tells, wants_in
from services.planner.understand.questions.questions import has_wh

# In place of an action: the step that the words name is asked about.
STEP = "step"
_OBJECTS, _WHERE, _SIZE = "objection", "where", "size"
_NUMBERED = re.compile(
    r"第\s*(?P<han>[1-9一二三四五六七八九])\s*个?(?:步|条)|步骤\s*(?P<after>[1-9])(?!\d)"
    r"|\b(?:step|no\.?|number)\s*#?\s*(?P<step>[1-9])\b(?![.%])|\b(?P<nth>[1-9])(?:st|nd|rd|th)\s+(?:step|one)\b",
    re.IGNORECASE,
)
_HAN = "一二三四五六七八九"
_SET = re.compile(r"\bset\s+(?P<name>[a-z][\w.]*)\s*(?:=|to\b)\s*'?(?P<value>[^\s';]*)", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"(\d+)([a-z]+)", re.ASCII)
_CHOOSES = re.compile(
    r"还是(?!不|没|很|一样|老样|慢|卡|高)|要不要|该不该|需不需要|会怎样|会怎么样|会如何|会咋样", re.IGNORECASE
)
_SETS = re.compile(r"[设改调]|\bset\b|\bvalue\b", re.IGNORECASE)
# Parts of a setting's name so long tell it from others.
_TELLING = 6
# What settings have in common with other things.
_COMMON = frozenset(("timeout", "standby", "autovacuum", "transaction", "connections", "checkpoint", "session"))
_GENERAL = frozenset(("set_parameter", "switch_setting"))
# From this belief on a step against a leading cause has been told.
_LEADS = 0.4


def step_number(said: str) -> int:
    """The number of the step that words name; 0 if they name none."""
    found = _NUMBERED.search(said)
    if found is None:
        return 0
    number = next(each for each in found.groups() if each)
    return _HAN.index(number) + 1 if number in _HAN else int(number)


def settings_of(how: str) -> tuple[tuple[str, str], ...]:
    """The settings that a statement sets, with their values."""
    return tuple((found["name"].lower(), found["value"].lower()) for found in _SET.finditer(how))


def names_setting(said: str, name: str, value: str = "") -> bool:
    """Whether words name a setting: whole, by a part that tells it from others, or by the value that it is given."""
    keys = {token.text.lower() for token in read_text(said).tokens} | set(re.findall(r"[a-z]\w+", said.lower(), re.A))
    parts = {part for part in name.split("_") if len(part) >= _TELLING} - _COMMON
    return name in keys or bool(parts & keys) or _has_value(said, value)


def _has_value(said: str, value: str) -> bool:
    """Whether words have this number with its unit."""
    found = _NUMBER.fullmatch(value)
    if found is None:
        return False
    return re.search(rf"(?<![\w.]){found[1]}\s?{found[2]}(?![a-z0-9])", said, re.IGNORECASE | re.ASCII) is not None


def of_one_step(said: str, view: SessionView) -> tuple[tuple[str, tuple[QuestionStep, ...]], ...]:
    """The sentences that ask about one step with the question, or a whole message that objects to one; else none."""
    belief = 1.0 if view.status is Status.CONCLUDED else max((each.confidence for each in view.hypotheses), default=0.0)
    if belief < _LEADS:
        return ()
    objected = _objected(said, view)
    asking = [said] if objected else [each for each in sentences_of(said) if _asks_of_a_step(each, said, view)]
    if not asking or any(not each.undone for each in treatments_in(said, view)):
        return ()
    step = QuestionStep(QuestionKind.HELP, None, " ".join(asking), topic=QuestionTopic.RISK, action=objected or STEP)
    return tuple((sentence, () if place else (step,)) for place, sentence in enumerate(asking))


def objects_to_it(said: str) -> bool:
    """Whether words object to what was advised, instead of asking whether it may be done."""
    return _OBJECTS in wants_in(read_actions(said))


def is_of_a_step(step: PlanStep, action: str) -> bool:
    """Whether an observation or a call for help belongs to a question of a step or to an objection."""
    if isinstance(step, QuestionStep):
        plain = step.kind is QuestionKind.HELP and step.topic is None
        return plain and action == STEP and "remedy" not in wants_in(read_actions(step.text))
    if not isinstance(step, ObservationStep):
        return False
    if action != STEP:
        return tells(read_actions(step.text), _OBJECTS)
    return bool(step_number(step.text)) or _asks(step.text, {*wants_in(read_actions(step.text))})


def _objected(said: str, view: SessionView) -> str:
    """The action that a message objects to: the one that it names, else that which was shown last."""
    return next(iter((*actions_in(said), *shown_actions(view))), "") if objects_to_it(said) else ""


def _asks_of_a_step(sentence: str, said: str, view: SessionView) -> bool:
    wants = {*wants_in(read_actions(sentence))}
    if "command" in wants or not _asks(sentence, wants):
        return False
    if step_number(sentence):
        return True
    special = {_WHERE, _SIZE} & wants
    if not special and {*actions_in(sentence)} - _GENERAL:
        return False
    if any(names_setting(sentence, *each) for each in _settings_shown(view)):
        return bool(special or wants) or has_wh(sentence.lower()) or _CHOOSES.search(sentence) is not None
    if {*actions_in(sentence)} - _GENERAL:
        return False
    return _SIZE in wants and _SETS.search(said) is not None and "pool_size" not in wants


def _asks(sentence: str, wants: set[str]) -> bool:
    marked = sentence.rstrip().endswith(("?", "？")) or any(
        clause.rstrip("。.!！ ").endswith(("吗", "么", "呢")) for clause in clauses_of(sentence)
    )
    return bool(wants) or marked or has_wh(sentence.lower()) or _CHOOSES.search(sentence) is not None


def _settings_shown(view: SessionView) -> Sequence[tuple[str, str]]:
    return tuple(dict.fromkeys(_shown(view)))


def _shown(view: SessionView) -> Iterator[tuple[str, str]]:
    for each in view.history:
        if each.speaker is Speaker.ASSISTANT:
            yield from settings_of(each.text)
