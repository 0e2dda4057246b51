"""Questions of one step of a remedy, by its number, its setting or its value, and objections to a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.objects import PID
from lang.objects.named_objects import objects_named
from lang.tokens import read_text
from services.planner.glossary.known_terms import error_in
from services.planner.model import (
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Status,
    Treatment,
)
from services.planner.treatment.actions import actions_in, read_actions
from services.planner.treatment.bearing import lacking_in, set_aside_in
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import attempt_failed, clauses_of, sentences_of
from services.planner.treatment.shown_actions import SESSION, SETTING_SET, settings_of, shown_actions
from services.planner.treatment.wanted.wants import kinds_asked, tells, wants_in
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.word_lists import names

_LISTED = lists_beside(__file__)

# In place of an action: the step that the words name is asked about.
STEP = "step"
_OBJECTS, _WHERE, _SIZE = "objection", "where", "size"
_NUMBERED = _LISTED.pattern("numbered", re.IGNORECASE)
_HAN = "一二三四五六七八九"
_NUMBER = re.compile(r"(\d+)([a-z]+)", re.ASCII)
_CHOOSES = _LISTED.pattern("chooses", re.IGNORECASE)
# Parts of a setting's name so long tell it from others; shorter ones do beside words that set something.
_TELLING, _TELLING_SET = 6, 5
# What settings have in common with other things.
_COMMON = frozenset(("timeout", "standby", "autovacuum", "transaction", "connections", "checkpoint", "session"))
# What a sentence says to leave as it is.
_LEFT = _LISTED.pattern("left", re.IGNORECASE)
# The value that words give to a setting, with its unit.
_AMOUNT = (
    r"(?P<number>\d+|[一两二三四五六七八九十]|半)\s*(?:个)?"
    r"(?P<unit>小时|钟头|分钟|秒钟?|天|hours?|hrs?|h|minutes?|mins?|seconds?|secs?|s|days?|d|kb|mb|gb|tb|g|m)(?![a-z])"
)
_GIVEN = re.compile(rf"(?:[改设调][成到为]?|\bto|=)\s*'?{_AMOUNT}", re.IGNORECASE)
_BARE = re.compile(rf"(?<![\w.]){_AMOUNT}", re.IGNORECASE)
_UNITS = {"小": "h", "钟": "h", "h": "h", "分": "min", "秒": "s", "s": "s", "天": "d", "d": "d"}
_UNITS |= {"k": "kB", "g": "GB", "t": "TB", "mb": "MB", "m": "min", "mi": "min"}
_NUMBERS = {han: number for number, han in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
_GENERAL = frozenset(("set_parameter", "switch_setting"))
# From this belief on a step against a leading cause has been told.
_LEADS = 0.4


def is_news(undone: Treatment, view: SessionView) -> bool:
    """Whether it is worth an answer that a deed was not done: one on record, or an attempt that failed."""
    on_record = any(each.action == undone.action for each in view.treatments)
    failed = attempt_failed(undone.words) or error_in(undone.words) is not None
    return on_record or failed or bool(lacking_in(undone.words))


def step_number(said: str) -> int:
    """The number of the step that words name; 0 if they name none."""
    return next(iter(step_numbers(said)), 0)


def step_numbers(said: str) -> list[int]:
    """The numbers of the steps that words name: "第2第3步", "steps 2 and 3"."""
    numbers = (next(each for each in found.groups() if each) for found in _NUMBERED.finditer(said))
    return [_HAN.index(each) + 1 if each in _HAN else int(each) for each in numbers]


def names_setting(said: str, name: str, value: str = "") -> bool:
    """Whether words name a setting: whole, by a part that tells it from others, or by the value that it is given."""
    keys = {token.text.lower() for token in read_text(said).tokens} | set(re.findall(r"[a-z]\w+", said.lower(), re.A))
    least = _TELLING_SET if names("named.setting_values", said) else _TELLING
    parts = {part for part in name.split("_") if len(part) >= least} - _COMMON
    return name in keys or bool(parts & keys) or has_value(said, value)


def without_left(said: str) -> str:
    """Words without what they say to leave as it is; all of them where nothing else is named."""
    rest = _LEFT.sub(" ", said)
    return rest if any(map(str.isalpha, rest)) else said


def with_value(how: str, said: str) -> str:
    """A statement that sets one setting with the value that words give it; as it is where they give none."""
    if len(settings_of(how)) != 1:
        return how
    value = value_given(said, settings_of(how)[0][1])
    return SETTING_SET.sub(lambda found: found[0].replace(found["value"], value), how, count=1) if value else how


def value_given(said: str, now: str) -> str:
    """The value that words give in place of one: behind a word that sets it, else the last; empty without another."""
    found = [*_GIVEN.finditer(said)][:1] or [*_BARE.finditer(said)][::-1]
    values = [_value_of(each) for each in found if each["number"] != "半"]
    # A time is no value of a size.
    fitting = (each for each in values if each.lower() != now.lower() and _is_size(each) is _is_size(now))
    return next(fitting, "") if any(map(str.isdigit, now)) else ""


def _value_of(given: re.Match[str]) -> str:
    unit = given["unit"].lower()
    return f"{_NUMBERS.get(given['number'], given['number'])}{_UNITS.get(unit[:2]) or _UNITS[unit[0]]}"


def _is_size(value: str) -> bool:
    return value.lower().endswith("b")


def has_value(said: str, value: str) -> bool:
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
    return _OBJECTS in wants_in(read_actions(said)) or _sets_aside(said)


def _sets_aside(said: str) -> bool:
    """Whether words tell of an action that it is not to be done or cannot be, and ask for leave to do none."""
    if lacking_in(said) or any("leave" in wants_in(read_actions(each)) for each in sentences_of(said)):
        return False
    stated = (each for each in sentences_of(said) if not each.rstrip().endswith(("?", "？")))
    return any(actions_in(clause) for each in stated for clause in set_aside_in(each))


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
    if {"command", "rights"} & wants or not _asks(sentence, wants):
        return False
    if step_number(sentence):
        return True
    special = {_WHERE, _SIZE} & wants
    if not special and {*actions_in(sentence)} - _GENERAL:
        return False
    shown = _settings_shown(view)
    if any(names_setting(sentence, *each) for each in shown) or ("leave" in wants and _for_one(sentence, shown)):
        return bool(special or wants) or has_wh(sentence.lower()) or _CHOOSES.search(sentence) is not None
    if {*actions_in(sentence)} - _GENERAL:
        return False
    return _SIZE in wants and names("named.setting_values", said) and "pool_size" not in wants


def _for_one(sentence: str, shown: Sequence[tuple[str, str]]) -> bool:
    """Whether a sentence gives a value of the kind that just one of the settings has."""
    return len({name for name, value in shown if value_given(sentence, value)}) == 1


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


def without_mere_numbers(steps: Iterable[PlanStep], message: str, view: SessionView) -> list[PlanStep]:
    """The steps but those that ask which one a number is that nothing showed as a session: "is 2592000 30 days?"."""
    return [step for step in steps if not _is_of_mere_number(step, message, view)]


def _is_of_mere_number(step: PlanStep, message: str, view: SessionView) -> bool:
    if not isinstance(step, QuestionStep) or step.topic is not QuestionTopic.IDENTIFICATION:
        return False
    asked = step.text.split("\n", 1)[0]
    numbers = set(SESSION.findall(asked))
    if not numbers or PID in kinds_asked(asked) or actions_in(asked):
        return False
    texts = (message, *(each.text for each in view.history))
    return not numbers & {each.name for text in texts for each in objects_named(text) if each.kind == PID}
