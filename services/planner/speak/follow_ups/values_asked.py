"""Answers to how large a setting is to be: the value and whether it fits, reckoned with what was told of the case."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from lang.objects import bind
from lang.objects.settings_said import SETTING, SETTING_BEFORE, amount_of
from services.planner.model import ConclusionView, HelpAnswer, ReliefStep, SolutionStep, TurnResults
from services.planner.sizing.advice import OPEN, Why, advise
from services.planner.sizing.asked import amounts_of
from services.planner.sizing.for_role import role_of
from services.planner.sizing.known import known_numbers, values_of
from services.planner.sizing.table import Fit, Numbers, fit, lacking, reckon, setting_named
from services.planner.sizing.tied import Amount
from services.planner.speak.settings_now import beside_told, grounds_of, in_words, set_to, sum_in_words, values_set
from services.planner.speak.steps.as_code import code
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import read_actions
from services.planner.treatment.wanted.wants import wants_in

# How PostgreSQL sets a value for all; for one role it has a form of its own.
_ALTERED = "ALTER SYSTEM"
_VERDICTS = (Fit.FITS, Fit.MUCH, Fit.LEAP, Fit.LITTLE)


def tell_amounts(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What each value that is asked about comes to, the value to take, and the statement that sets it."""
    asked = amounts_of(answer.text)
    found = answer.conclusion or answer.leading
    if (role := role_of(answer.text.partition("\n")[0])) and (lines := list(_for_role(role, asked, found, voice))):
        return "\n".join(lines)
    lines = [line for each in asked for line in _judged(each, voice)]
    for name in dict.fromkeys(each.name for each in asked):
        fitting = {_fit(each, voice) for each in asked if each.name == name}
        lines += voice.known(f"caution_{name}") if Fit.FITS in fitting else _taken(name, found, fitting, voice)
        if "needs_restart" in wants_in(read_actions(answer.text)):
            lines.append(voice.say(f"step_takes_{setting_named(name).takes}", name=name))
        lines += _statement(name, _given(name, asked, voice), found, voice)
    return "\n".join(dict.fromkeys(lines))


def _for_role(role: str, asked: Iterable[Amount], found: ConclusionView | None, voice: Voice) -> Iterator[str]:
    """How a value is set for one role alone, and what it then comes to; nothing where it is set otherwise."""
    for each in asked:
        altered = any(_ALTERED in step.how for step in _steps(each.name, found))
        if each.value and altered and setting_named(each.name).takes == "session":
            yield voice.say("amount_for_role", value=_spaced(each.name, each.value))
            yield code(f"ALTER ROLE {role} SET {each.name} = '{each.value}';", "sql")


def _given(name: str, asked: Iterable[Amount], voice: Voice) -> str:
    """The value of a setting that is asked about: the last one that fits, else the first that nothing judges.

    The one that it has need not be set, and one below it is none for a setting that is to be raised.
    """
    now = values_of(voice.choices, SETTING).get(name, "")
    least = (amount_of(now) or 0.0) if setting_named(name).rises else 0.0
    fits = [
        (each.value, _fit(each, voice))
        for each in asked
        if each.name == name and each.value not in ("", now) and (amount_of(each.value) or 0.0) >= least
    ]
    fitting, unknown = ([value for value, fit in fits if fit is kind] for kind in (Fit.FITS, Fit.OPEN))
    return next(iter([*fitting[::-1], *unknown]), "")


def _fit(asked: Amount, voice: Voice) -> Fit:
    return fit(asked.name, asked.value, known_numbers(voice.choices)) if asked.value else Fit.OPEN


def _judged(asked: Amount, voice: Voice) -> Iterator[str]:
    """Whether a value fits, and why: the sum that it makes, or the bound that it keeps to."""
    verdict, numbers = _fit(asked, voice), known_numbers(voice.choices)
    if verdict not in _VERDICTS:
        return
    with_it = {**numbers, asked.name: amount_of(asked.value) or 0.0}
    why = sum_in_words(asked.name, with_it, voice) or _bound(asked.name, numbers, voice)
    said = [voice.say(f"amount_{verdict}", value=_spaced(asked.name, asked.value), why=why)]
    if verdict is Fit.FITS and values_of(voice.choices, SETTING_BEFORE).get(asked.name) == asked.value:
        said.append(voice.say("amount_ran"))
    beyond = voice.known(f"beyond_{asked.name}") if verdict is Fit.MUCH else []
    yield voice.stop.join([*said, *beyond])


def _bound(name: str, numbers: Numbers, voice: Voice) -> str:
    rule = setting_named(name)
    bound = reckon(rule.most or rule.least, numbers) or 0.0
    told = {each: in_words(each, amount) for each, amount in numbers.items()}
    return voice.say(_phrase("bound", name, numbers), bound=in_words(name, bound), **told)


def _phrase(kind: str, name: str, numbers: Numbers) -> str:
    return f"{kind}_{name}_of_size" if name == "max_wal_size" and "disk_size" in numbers else f"{kind}_{name}"


def _spaced(name: str, value: str) -> str:
    amount = amount_of(value)
    return in_words(name, amount) if amount is not None else value


def _taken(name: str, found: ConclusionView | None, judged: Container[Fit], voice: Voice) -> list[str]:
    """The value to take and where it is from; where that cannot be told, the rule and what lacks.

    judged: what was found of values that were asked about, with the reason for it.
    """
    numbers, example = known_numbers(voice.choices), _example(name, found)
    advice = advise(name, example, voice.choices)
    value = _spaced(name, advice.value)
    if advice.why is Why.BEFORE:
        sum_ = sum_in_words(name, {**numbers, name: amount_of(advice.value) or 0.0}, voice)
        share = [] if sum_ else _share(name, numbers, voice)
        return [
            *share,
            voice.say("amount_before", value=value, why=voice.say("amount_because", why=sum_) if sum_ else ""),
        ]
    if advice.why is Why.TOLD:
        if Fit.MUCH in judged or Fit.LITTLE in judged:
            return [voice.say("amount_take_plain", value=value)]
        return [voice.say("amount_take", value=value, why=grounds_of(name, numbers, voice))]
    lacks = [voice.say(f"lacks_{each}") for each in lacking(name, numbers)]
    open_ = [voice.say("amount_lacks", names=voice.listed(lacks))] if lacks else []
    if share := _share(name, numbers, voice):
        return [*share, *open_]
    rule = voice.known(f"size_{name}") or [voice.say("step_open_size")]
    beyond = voice.known(f"beyond_{name}") if name in numbers else []
    shown = [voice.say("amount_example", value=value)] if example and advice.value != OPEN else []
    return [*rule, *beyond, *shown, *open_]


def _share(name: str, numbers: Numbers, voice: Voice) -> list[str]:
    """How many times the value of now takes the whole, where no more of the sum is known: "64 GB / 512 MB = 128"."""
    rule, part = setting_named(name), numbers.get(name)
    whole = numbers.get(rule.whole)
    if not rule.sum or rule.sum[-1] != name or not part or not whole:
        return []
    told = {"whole": in_words(rule.whole, whole), "part": in_words(name, part), "times": f"{whole / part:.0f}"}
    return [voice.stop.join([voice.say("amount_share", **told), *voice.known(f"beyond_{name}")])]


def _steps(name: str, found: ConclusionView | None) -> Iterator[SolutionStep | ReliefStep]:
    """The steps that set a setting, relief first."""
    every: tuple[SolutionStep | ReliefStep, ...] = (*found.relief, *found.solution) if found is not None else ()
    yield from (each for each in every if any(name == setting for setting, _ in values_set(each.how)))


def _example(name: str, found: ConclusionView | None) -> str:
    shown = (value for step in _steps(name, found) for setting, value in values_set(step.how) if setting == name)
    return next(shown, "")


def _statement(name: str, given: str, found: ConclusionView | None, voice: Voice) -> list[str]:
    """The statement of the remedy that sets a setting: to the value given, where no other is known to be right."""
    step = next(_steps(name, found), None)
    advice = advise(name, _example(name, found), voice.choices)
    if step is None or advice.in_place:
        return []
    bound = bind(step.how, voice.objects)
    if given and (advice.why is Why.EXAMPLE or _fit(Amount(name, given), voice) is Fit.FITS):
        return [code(set_to(bound, name, given, voice), "sql")]
    return [code(beside_told(bound, voice)[0], "sql")]
