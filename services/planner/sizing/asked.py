"""What a message asks of the value of a setting, or wants it to be: "can i do 10min?", "why 50", "what value then"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lang import deferred_re as re
from lang.judging.proposed_acts import proposed_in
from lang.numbers.values import read_values
from lang.objects.settings_said import (
    MEMORY,
    OF_SETTINGS,
    SETTING,
    SETTING_BEFORE,
    SETTING_WANTED,
    is_set,
    is_wanted,
    settings_named,
    settings_told,
    unit_of,
    values_told,
    written,
)
from lang.tokens import read_text
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
from services.planner.sizing.for_role import is_for_role
from services.planner.sizing.table import setting_named
from services.planner.sizing.tied import (
    ACTIONS,
    Amount,
    Referents,
    Spoken,
    asks_of_value,
    sets_value,
    tied_in,
    values_in,
)
from services.planner.treatment.actions import actions_of_statements, read_actions
from services.planner.treatment.deeds import weighs_deeds
from services.planner.treatment.named_steps import STEP, step_numbers
from services.planner.treatment.sentences import sentences_of, two_in
from services.planner.treatment.shown_actions import POINTS
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.questions.of_the_cause import asks_because
from services.planner.understand.questions.questions import has_wh

# In place of an action: how large a setting is to be.
AMOUNT = "amount"
_SHOWN = re.compile(
    r"(?<![\w.])(?P<name>[a-z]+(?:_\w+)+)\s*=\s*'?(?P<value>\d[\w.]*)(?P<times>(?: \* 1024){0,3})",
    re.IGNORECASE | re.ASCII,
)
# What a number that is multiplied by 1024 so many times is in.
_MULTIPLES = ("", "kB", "MB", "GB")
_SIZE, _LEAVE, _RESTART = "size", "leave", "needs_restart"
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


def with_amounts(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the values that a message wants or has set, and what it asks of them in place of other readings."""
    of = _referents(said, view)
    if said.startswith("/") or not (of.known or values_told(said)):
        return plan
    found = _asked_in(plan, said, of, view)
    amounts = tuple(dict.fromkeys(amount for each in found.values() for amount in each))
    for_role = [each for each in sentences_of(said) if amounts and is_for_role(each)]
    wishes = [(words, each) for words, of_it in found.items() for each in of_it if not for_role]
    wanted = [each for words, each in wishes if _is_wish(words, each, of.known)]
    kept = [NamedObject(SETTING_WANTED, f"{each.name}={each.value}") for each in wanted]
    kept += _stated(plan, said, of, view)
    ordered = [each for each in sentences_of(said) if kept and is_wanted(each)]
    steps = [each for each in plan.steps if not _answers_in(each, ordered)]
    if amounts:
        asking = [each for each, of_it in found.items() if of_it or _asks_restart(each, steps)]
        asking += [each for each in for_role if each not in asking]
        steps = [each for each in steps if not _is_of(each, asking, amounts)]
        steps.append(_question(asking, amounts))
    return replace(plan, steps=tuple(steps), objects=(*plan.objects, *kept))


def _asked_in(plan: TurnPlan, said: str, of: Referents, view: SessionView) -> Mapping[str, list[Amount]]:
    """The sentences that ask, with the values that they ask of: none of a step by its number, and no report."""
    done = [each.words for each in plan.treatments if not each.undone]
    asks = [each for each in sentences_of(said) if is_question(each) and not (step_numbers(each) or _sets_apart(each))]
    found = {each: _amounts_in(each, of) for each in asks if not any(words in each for words in done)}
    related = [each.text for each in plan.steps if isinstance(each, QuestionStep) and each.topic in _RELATED]
    pointing = [each for each in found if not (found[each] or asks_because(each))]
    pointing = [each for each in pointing if any(each in text for text in related)]
    told = _just_told(said, view) if any(map(POINTS.search, pointing)) else []
    return {each: told if each in pointing and POINTS.search(each) else amounts for each, amounts in found.items()}


def _sets_apart(sentence: str) -> bool:
    """Whether a sentence sets two things to do against each other, and not two values."""
    return weighs_deeds(read_actions(sentence)) and len(values_in(sentence)) < len(two_in(sentence))


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


def _referents(said: str, view: SessionView) -> Referents:
    """What a number of a message may be a value of: the values spoken of, the last one first, and what needs no name.

    No name is needed by what the last answer sets, but not by what the message tells the value of: that is given.
    """
    found: dict[str, list[str]] = {}
    answers = [each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT]
    for name, value in (each for text in answers for each in _shown_in(text)):
        found.setdefault(name, []).append(value)
    # What was changed lately comes before what was only told.
    for told in sorted(reversed(view.settings), key=lambda each: each.kind != SETTING_BEFORE):
        name, _, value = told.name.partition("=")
        if told.kind in OF_SETTINGS and (name in found or name == MEMORY or setting_named(name).is_sized):
            found.setdefault(name, []).append(value)
    given = [each.name for each in values_told(said) if each.value]
    shown = {name for text in answers[:1] for name, _ in _shown_in(text)}
    named = {*settings_named(said)} - {*given}
    before = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    sized = [name for name in (*given, *settings_named(before)) if setting_named(name).is_sized][:1]
    others = frozenset(written(each.readings, each) for text in answers[:1] for each in values_in(_SHOWN.sub("", text)))
    others |= {each.value for each in values_told(said) if each.name == MEMORY}
    known = {name: tuple(dict.fromkeys(each)) for name, each in found.items() if unit_of(name) or name == MEMORY}
    return Referents(known, frozenset(named or (shown - {*given}) or sized), others)


def _shown_in(answer: str) -> Iterator[tuple[str, str]]:
    """The settings that the statements of an answer set, with their values."""
    for shown in _SHOWN.finditer(answer):
        yield shown["name"].lower(), _plain(shown["value"] + _MULTIPLES[shown["times"].count("*")])


def _plain(value: str) -> str:
    read = next(iter(read_values(read_text(value))), None)
    return (written(read.readings, read) if read is not None else "") or value


def _amounts_in(sentence: str, of: Referents) -> list[Amount]:
    """What a sentence asks: the values that it has of settings, or which value the one that is meant should have."""
    found = tied_in(sentence, of)
    if found or _SIZE not in wants_in(read_actions(sentence)) or values_in(sentence):
        return found
    named = [name for name in settings_named(sentence) if name in of.known]
    which = has_wh(sentence.lower()) and not asks_because(sentence)
    sized = [name for name in named or (sorted(of.meant) if which else ()) if setting_named(name).is_sized]
    return [Amount(sized[0])] if sized and (named or len(sized) == 1) else []


def _is_wish(sentence: str, asked: Amount, known: Spoken) -> bool:
    """Whether words would have a value, and neither repeat one that was told nor ask why: "16GB??", "why 50"."""
    wants = wants_in(read_actions(sentence))
    # "Who told you to set it to 80?" wants nothing.
    if not asked.value or asks_because(sentence) or (has_wh(sentence.lower()) and not {_LEAVE, _SIZE} & {*wants}):
        return False
    again = asked.value in known.get(asked.name, ()) and _LEAVE not in wants
    return not again and (asks_of_value(sentence) or len(read_actions(sentence).tokens) <= _SHORT)


def _stated(plan: TurnPlan, said: str, of: Referents, view: SessionView) -> Iterator[NamedObject]:
    """The values that a message orders or proposes, or tells to be set: those of what was done are in force."""
    done = {each.action for each in plan.treatments if not each.undone}
    setting = [each for each in sentences_of(said) if sets_value(each) and not (is_question(each) or has_wh(each))]
    named = [(each, amount) for each in setting for amount in tied_in(each, of)]
    told = [(words, each) for words, each in named if not _is_proposed(words, each)]
    ordered = [each for words, each in named if is_wanted(words) or (words, each) not in told]
    yield from (NamedObject(SETTING_WANTED, f"{each.name}={each.value}") for each in ordered[-1:])
    now = [each for words, each in told if is_set(words) or (done & _sets(each.name) and not is_wanted(words))]
    wanted = [Amount(*each.name.split("=", 1)) for each in view.settings if each.kind == SETTING_WANTED and not told]
    now += [each for each in wanted if done & _sets(each.name)]
    yield from (NamedObject(SETTING, f"{each.name}={each.value}") for each in now[-1:])


def _is_proposed(words: str, amount: Amount) -> bool:
    """Whether a value is what others propose: "the boss says set it to 2000", not "as he said, we set it to 2000"."""
    return bool(proposed_in(words)) and (SETTING, f"{amount.name}={amount.value}") not in settings_told(words)


def _sets(name: str) -> frozenset[str]:
    """The actions that set a setting."""
    return actions_of_statements(f"ALTER SYSTEM SET {name} = '1';") | ACTIONS
