"""What a message asks of the value of a setting, or wants it to be: "can i do 10min?", "why 50", "what value then"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from lang import deferred_re as re
from lang.numbers.model import Role, Value
from lang.numbers.values import read_values
from lang.objects.settings_said import (
    MEMORY,
    OF_SETTINGS,
    SETTING,
    SETTING_BEFORE,
    SETTING_WANTED,
    amount_of,
    as_written,
    is_set,
    is_wanted,
    same_kind,
    settings_named,
    unit_of,
    values_told,
    written,
)
from lang.tokens import read_text
from lang.vocabulary import Unit
from services.planner.model import (
    CorrectionStep,
    FeedbackStep,
    NamedObject,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.steps_of_words import is_of
from services.planner.sizing.table import setting_named
from services.planner.treatment.actions import actions_in, actions_of_statements, read_actions
from services.planner.treatment.bearing import RUNTIME
from services.planner.treatment.deeds import weighs_deeds
from services.planner.treatment.named_steps import STEP, step_numbers
from services.planner.treatment.sentences import clauses_of, sentences_of, two_in
from services.planner.treatment.shown_actions import POINTS, SESSION
from services.planner.treatment.wants import wants_in
from services.planner.understand.questions.of_the_cause import asks_because
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.word_lists import expression

# In place of an action: how large a setting is to be.
AMOUNT = "amount"
_SHOWN = re.compile(
    r"(?<![\w.])(?P<name>[a-z]+(?:_\w+)+)\s*=\s*'?(?P<value>\d[\w.]*)(?P<times>(?: \* 1024){0,3})",
    re.IGNORECASE | re.ASCII,
)
# What a number that is multiplied by 1024 so many times is in.
_MULTIPLES = ("", "kB", "MB", "GB")
_SIZE, _LEAVE, _RESTART = "size", "leave", "needs_restart"
# A bare count below this is the number of an item, above the other no connections.
_LEAST, _MOST = 10, 10_000
_LONGEST, _MINUTE = "longest_query", 60
_NUMBER, _UNIT = re.compile(r"[\d.]+"), re.compile(r"[A-Za-z]+")
_ENDING = frozenset(("terminate", "cancel", "stop"))
_SETTING = frozenset(("set_parameter", "switch_setting", "resize_pool"))
# What is counted, right behind a number or after one word: "200 open connections".
_COUNTED = re.compile(rf"\s*(?:[a-z]+\s+)?{expression('treatment', 'counted')}")
_RELATED = (QuestionTopic.RELATED, QuestionTopic.CERTAINTY, QuestionTopic.MECHANISM)
# What is asked or told beside the value in the same sentence.
_BESIDE = (
    QuestionTopic.CLOSING,
    QuestionTopic.NOT_HELPED,
    QuestionTopic.RECOVERED,
    QuestionTopic.TREATED,
    QuestionTopic.UNTREATED,
)
# A question in so few words that has a value asks for it: "is 1h ok".
_SHORT = 6
Spoken = Mapping[str, tuple[str, ...]]


class Amount(NamedTuple):
    """A setting that is asked about, and the value that is spoken of; empty where the value is asked for."""

    name: str
    value: str = ""


def with_amounts(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the values that a message wants or has set, and what it asks of them in place of other readings."""
    spoken = _spoken_of(view)
    if said.startswith("/") or not (spoken or values_told(said)):
        return plan
    found = _asked_in(plan, said, spoken, view)
    amounts = tuple(dict.fromkeys(amount for each in found.values() for amount in each))
    wanted = [each for words, of_it in found.items() for each in of_it if _is_wish(words, each, spoken)]
    kept = [NamedObject(SETTING_WANTED, f"{each.name}={each.value}") for each in wanted]
    kept += [*_stated(plan, said, spoken, view), *_runtimes(amounts, said, spoken)]
    ordered = [each for each in sentences_of(said) if kept and is_wanted(each)]
    steps = [each for each in plan.steps if not _answers_in(each, ordered)]
    if amounts:
        asking = [each for each, of_it in found.items() if of_it or _asks_restart(each, steps)]
        steps = [each for each in steps if not _is_of(each, asking, amounts)]
        steps.append(_question(asking, amounts))
    return replace(plan, steps=tuple(steps), objects=(*plan.objects, *kept))


def _asked_in(plan: TurnPlan, said: str, spoken: Spoken, view: SessionView) -> Mapping[str, list[Amount]]:
    """The sentences that ask, with the values that they ask of: none of a step by its number, and no report."""
    done = [each.words for each in plan.treatments if not each.undone]
    asks = [each for each in sentences_of(said) if is_question(each) and not (step_numbers(each) or _sets_apart(each))]
    found = {each: _amounts_in(each, said, spoken) for each in asks if not any(words in each for words in done)}
    related = [each.text for each in plan.steps if isinstance(each, QuestionStep) and each.topic in _RELATED]
    pointing = [each for each in found if not (found[each] or asks_because(each))]
    pointing = [each for each in pointing if any(each in text for text in related)]
    told = _just_told(said, view) if any(map(POINTS.search, pointing)) else []
    return {each: told if each in pointing and POINTS.search(each) else amounts for each, amounts in found.items()}


def _sets_apart(sentence: str) -> bool:
    """Whether a sentence sets two things to do against each other, and not two values."""
    return weighs_deeds(read_actions(sentence)) and len(_values(sentence)) < len(two_in(sentence))


def _just_told(said: str, view: SessionView) -> list[Amount]:
    """The setting with a rule that was told last, in this message or in the one before."""
    before = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    told = [each for text in (said, before) for each in values_told(text) if each.value]
    return [Amount(each.name, each.value) for each in told if setting_named(each.name).is_sized][:1]


def _asks_restart(sentence: str, steps: Sequence[PlanStep]) -> bool:
    """Whether a sentence asks if the value needs a restart, and the library of the cause does not answer it."""
    of_cause = [each for each in steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.OF_CAUSE]
    return _RESTART in wants_in(read_actions(sentence)) and not any(is_of(each, sentence) for each in of_cause)


def _question(asking: Sequence[str], amounts: Iterable[Amount]) -> QuestionStep:
    """The question of all amounts, with the words that ask them on its first line."""
    lines = [" ".join(asking), *(f"{each.name}={each.value}" for each in amounts)]
    topic = QuestionTopic.IDENTIFICATION
    return QuestionStep(QuestionKind.HELP, None, "\n".join(lines), topic=topic, action=AMOUNT)


def _is_of(step: PlanStep, asking: Sequence[str], amounts: Iterable[Amount]) -> bool:
    """Whether a step is another reading of a sentence that asks for a value, or asks leave to set it."""
    if isinstance(step, FeedbackStep | CorrectionStep):
        return _answers_in(step, asking)
    if isinstance(step, QuestionStep):
        if step.topic in _BESIDE:
            return False
        if step.topic is QuestionTopic.RISK and any(step.action in _sets(each.name) | {STEP} for each in amounts):
            return True
    return any(is_of(step, sentence) for sentence in asking)


def _answers_in(step: PlanStep, sentences: Sequence[str]) -> bool:
    """Whether an answer is no more than the value that a sentence would have."""
    figure = isinstance(step, FeedbackStep) and any(map(str.isdigit, step.words))
    return figure and any(is_of(step, sentence) for sentence in sentences)


def amounts_of(text: str) -> tuple[Amount, ...]:
    """The settings and values behind a question of amounts."""
    return tuple(Amount(*line.split("=", 1)) for line in text.split("\n")[1:] if "=" in line)


def _spoken_of(view: SessionView) -> Spoken:
    """The settings that were spoken of with their values, the last one first."""
    found: dict[str, list[str]] = {}
    for each in reversed(view.history):
        if each.speaker is Speaker.ASSISTANT:
            for shown in _SHOWN.finditer(each.text):
                value = shown["value"] + _MULTIPLES[shown["times"].count("*")]
                found.setdefault(shown["name"].lower(), []).append(_plain(value))
    # What was changed lately comes before what was only told.
    for told in sorted(reversed(view.settings), key=lambda each: each.kind != SETTING_BEFORE):
        name, _, value = told.name.partition("=")
        if told.kind in OF_SETTINGS and (name in found or name == MEMORY or setting_named(name).is_sized):
            found.setdefault(name, []).append(value)
    return {name: tuple(dict.fromkeys(values)) for name, values in found.items() if unit_of(name) or name == MEMORY}


def _plain(value: str) -> str:
    read = next(iter(read_values(read_text(value))), None)
    return (written(read.readings, read) if read is not None else "") or value


def _amounts_in(sentence: str, said: str, spoken: Spoken) -> list[Amount]:
    """What a sentence asks: a value of a setting, of those in a clause that asks if it has any, or which value."""
    wants = wants_in(read_actions(sentence))
    named = [name for name in settings_named(sentence) if name in spoken]
    of_named = {name: spoken[name] for name in (*named, MEMORY) if name in spoken}
    # "Why does it come and go, if 512MB is too much": the clause that asks why is of no value.
    whys = [each for each in clauses_of(sentence) if asks_because(each)]
    parts = whys or (*filter(is_question, clauses_of(sentence)), sentence)
    found = next((each for part in parts if (each := [*_valued(part, said, of_named if named else spoken)])), [])
    which = has_wh(sentence.lower()) and not asks_because(sentence)
    if found or _SIZE not in wants or not (named or which):
        return found
    sized = [name for name in named or spoken if setting_named(name).is_sized]
    return [Amount(name) for name in sized[:1]]


def _valued(sentence: str, said: str, spoken: Spoken) -> Iterator[Amount]:
    """The values in a sentence that are of a setting: by their unit, else by one of the message that is known."""
    told = [(MEMORY, each) for each in spoken.get(MEMORY, ())] + [(each.name, each.value) for each in values_told(said)]
    for value in _values(sentence):
        others = {name for name, amount in told if amount == written(value.readings, value)}
        of_it = (
            Amount(name, _as_value_of(name, known, value, sentence, said))
            for name, known in spoken.items()
            if unit_of(name) and not others - {name}
        )
        yield from islice((each for each in of_it if each.value), 1)


def _values(text: str) -> list[Value]:
    return [each for each in read_values(read_text(text)) if each.role in (Role.VALUE, Role.BASE)]


def _as_value_of(name: str, known: tuple[str, ...], value: Value, sentence: str, said: str) -> str:
    """A value as one of a setting; empty where it is none."""
    unit = unit_of(name)
    if Unit.COUNT not in value.readings:
        told = written(value.readings, value)
        timed = unit == Unit.SECONDS and not (_asks_leave(sentence) or told in known)
        return told if unit in value.readings and same_kind(told, known[0]) and not timed else ""
    if _is_counted(value, unit, sentence, said):
        return ""
    numbers = {float(_UNIT.sub("", each)): each for each in known if amount_of(each) is not None}
    if value.number in numbers or not value.bare:
        return numbers.get(value.number, "")
    beside = any(each.number in numbers for each in _values(said)) or any(each in said for each in known)
    ends = _ENDING & {*actions_in(sentence)}
    others = {*map(float, SESSION.findall(sentence))} if ends else set()
    if unit == Unit.COUNT:
        fits = _LEAST <= value.number < _MOST and value.number not in others and (beside or _asks_leave(sentence))
        return as_written(value.number, unit) if fits else ""
    scale = amount_of(_NUMBER.sub("1", known[0]))
    return as_written(value.number * scale, unit) if beside and scale and value.number not in others else ""


def _is_counted(value: Value, unit: str, sentence: str, said: str) -> bool:
    """Whether a number counts something that is no value: "三个", "200 open connections" beside a value with a unit."""
    if not value.bare:
        return unit != Unit.COUNT
    return (unit != Unit.COUNT or any(not each.bare for each in _values(said))) and _COUNTED.match(
        sentence[read_text(sentence).span(value.first, value.last)[1] :]
    ) is not None


def _asks_leave(sentence: str) -> bool:
    """Whether words ask to set something, or have little more than a value."""
    text = read_actions(sentence)
    sets = bool({_SIZE, _LEAVE} & {*wants_in(text)}) or bool(_SETTING & {*actions_in(sentence)}) or is_wanted(sentence)
    return sets or len(text.tokens) <= _SHORT


def _is_wish(sentence: str, asked: Amount, spoken: Spoken) -> bool:
    """Whether words would have a value, and neither repeat one that was told nor ask why: "16GB??", "why 50"."""
    if not asked.value:
        return False
    again = asked.value in spoken.get(asked.name, ()) and _LEAVE not in wants_in(read_actions(sentence))
    return _asks_leave(sentence) and not again and not asks_because(sentence)


def _stated(plan: TurnPlan, said: str, spoken: Spoken, view: SessionView) -> Iterator[NamedObject]:
    """The values that a message orders, or tells to be set: those of what was done are in force."""
    done = {each.action for each in plan.treatments if not each.undone}
    told = [(each, amount) for each in sentences_of(said) for amount in _valued(each, said, spoken)]
    ordered = [each for sentence, each in told if is_wanted(sentence) and not is_question(sentence)]
    yield from (NamedObject(SETTING_WANTED, f"{each.name}={each.value}") for each in ordered[-1:])
    now = [each for words, each in told if is_set(words) or (done & _sets(each.name) and not is_wanted(words))]
    wanted = [Amount(*each.name.split("=", 1)) for each in view.settings if each.kind == SETTING_WANTED and not told]
    now += [each for each in wanted if done & _sets(each.name)]
    yield from (NamedObject(SETTING, f"{each.name}={each.value}") for each in now[-1:])


def _sets(name: str) -> frozenset[str]:
    """The actions that set a setting."""
    return actions_of_statements(f"ALTER SYSTEM SET {name} = '1';") | _SETTING


def _runtimes(amounts: Iterable[Amount], said: str, spoken: Spoken) -> Iterator[NamedObject]:
    """How long a query takes that a message tells beside asking which time is long enough."""
    if not any(_LONGEST in setting_named(each.name).least and not each.value for each in amounts):
        return
    known = {value for values in spoken.values() for value in values} | {each.value for each in amounts}
    told = (each for sentence in sentences_of(said) if not is_question(sentence) for each in _values(sentence))
    for value in told:
        if Unit.SECONDS in value.readings and not value.bare and written(value.readings, value) not in known:
            minutes = max(round(value.readings[Unit.SECONDS][1] / _MINUTE), 1)
            yield NamedObject(RUNTIME, str(minutes), said=True)
