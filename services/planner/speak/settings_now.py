"""The values in statements: those of this case in place of the library's examples, with where they are from."""

from __future__ import annotations

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.objects.servers_and_clients import CONNECTIONS, INSTANCES
from lang.objects.settings_said import SETTING, unit_of
from lang.vocabulary import Unit
from services.planner.sizing.advice import OPEN, Advice, Why, advise
from services.planner.sizing.known import known_numbers, values_of
from services.planner.sizing.table import Numbers, setting_named
from services.planner.speak.voice import Voice
from services.planner.treatment.bearing import BEARING, PATRONI
from services.planner.ways.looks import PLATFORM, RDS

_LISTED = lists_beside(__file__)

_SET = _LISTED.pattern("set", re.IGNORECASE | re.ASCII)
# Such a statement sets a value for some only: no rule for the whole server holds for it.
_FOR_SOME = re.compile(r"\b(?:role|user|database|table|index|local|function)\b[^;]*$", re.IGNORECASE)
_LIMIT = re.compile(r"\bconnection limit (?P<value>\d+)", re.IGNORECASE | re.ASCII)
_BYTES = "<bytes>"
# A change of a setting of the server, with the reload behind it.
_ALTERED = _LISTED.pattern("altered", re.IGNORECASE | re.ASCII)
# On RDS the disk is changed by the instance: nobody sees its volume.
_VOLUME = re.compile(r"aws ec2 modify-volume --volume-id \S+([^`\n;]*)", re.ASCII)
_OF_INSTANCE = "aws rds modify-db-instance --db-instance-identifier <instance> --storage-type gp3 --apply-immediately"
_SYNC_NAMES, _NONE = "synchronous_standby_names", ("", "null")
_TIB, _GIB, _MIB = 2.0**40, 2.0**30, 2.0**20
_TIMES = ((3600.0, "h"), (60.0, "min"))


def beside_told(how: str, voice: Voice) -> tuple[str, str]:
    """A statement with the values that fit this case, and where they are from."""
    notes: list[str] = []
    for found in reversed(_settings_in(how)):
        advice = advise(found["name"], found["value"], voice.choices)
        notes.append(_note(found["name"], advice, voice))
        value = OPEN if advice.in_place and advice.why is Why.EXAMPLE else _in_statement(advice.value, found["value"])
        how = how[: found.start("value")] + value + how[found.end("value") :]
    connections = int(values_of(voice.choices, SETTING).get(CONNECTIONS, 0))
    for found in reversed(list(_LIMIT.finditer(how))):
        if connections >= int(found["value"]):
            notes.append(voice.say("setting_below", value=connections))
            how = how[: found.start("value")] + OPEN + how[found.end("value") :]
    return by_patroni(how, voice), "".join(dict.fromkeys(reversed(notes)))


def set_to(how: str, name: str, value: str, voice: Voice) -> str:
    """A statement that sets a setting, with another value for it."""
    for found in reversed(_settings_in(how)):
        if found["name"].lower() == name:
            how = how[: found.start("value")] + _in_statement(value, found["value"]) + how[found.end("value") :]
    return by_patroni(how, voice)


def values_set(how: str) -> tuple[tuple[str, str], ...]:
    """The settings that a statement sets for the whole server, with their values."""
    return tuple((each["name"].lower(), each["value"]) for each in _settings_in(how))


def _settings_in(how: str) -> list[re.Match[str]]:
    found = (each for each in _SET.finditer(how) if unit_of(each["name"].lower()))
    return [each for each in found if not _FOR_SOME.search(how[: each.start()])]


def is_in_place(how: str, voice: Voice) -> bool:
    """Whether all that a statement does is to set settings to what they are by what was told."""
    found = values_set(how)
    return bool(found) and all(advise(*each, voice.choices).in_place for each in found)


def in_place(how: str, voice: Voice) -> str:
    """That the settings of a statement are as it sets them; empty where one is not."""
    if not is_in_place(how, voice):
        return ""
    named = [
        voice.say("setting_is", name=name, value=advise(name, value, voice.choices).now)
        for name, value in values_set(how)
    ]
    return voice.say("setting_in_place", settings=voice.listed(named))


def _in_statement(value: str, example: str) -> str:
    """A value as the statement takes it: where that wants bytes, as so many of them."""
    if example != _BYTES or not value.endswith(("GB", "MB")):
        return value
    return f"{value[:-2]} * {'1024 * 1024 * 1024' if value.endswith('GB') else '1024 * 1024'}"


def _note(name: str, advice: Advice, voice: Voice) -> str:
    """Where the value of a setting is from, in brackets."""
    if advice.in_place:
        return voice.say("setting_same", name=name, value=advice.now) if advice.why is Why.EXAMPLE else ""
    if advice.why is Why.TOLD:
        why = grounds_of(name, known_numbers(voice.choices), voice)
        return voice.say("setting_told", value=advice.value, why=why) if why else ""
    if advice.why is Why.EXAMPLE:
        now = voice.say("setting_now", value=advice.now) if advice.now else ""
        sized = setting_named(name).is_sized and not advice.value.startswith("<")
        example = voice.say("setting_example", value=advice.value) if sized else ""
        said = voice.say("comma").join(each for each in (now, example) if each)
        return voice.say("bracketed", text=said) if said else ""
    return voice.say("setting_before", value=advice.value) if advice.why is Why.BEFORE else ""


def grounds_of(name: str, numbers: Numbers, voice: Voice) -> str:
    """What the value of a setting is worked out from, in words; empty where that is not known."""
    for phrase in (f"grounds_{name}_of_size" if "disk_size" in numbers else "", f"grounds_{name}"):
        if phrase and voice.has(phrase):
            return voice.say(phrase, **{each: in_words(each, amount) for each, amount in numbers.items()})
    return ""


def sum_in_words(name: str, numbers: Numbers, voice: Voice) -> str:
    """The sum that a setting is a part of, against the whole: "16 GB + 300 x 512 MB = 166 GB, against 64 GB"."""
    rule = setting_named(name)
    if not rule.sum or not {*rule.sum[1:], rule.whole} <= numbers.keys():
        return ""
    base, count, part = rule.sum
    total = numbers.get(base, 0.0) + numbers[count] * numbers[part]
    told = {"total": in_words(rule.whole, total), "whole": in_words(rule.whole, numbers[rule.whole])}
    named = zip(("base", "count", "part"), rule.sum, strict=True)
    parts = {key: in_words(each, numbers[each]) for key, each in named if each in numbers}
    own = f"amount_sum_{name}"
    return voice.say(
        own if voice.has(own) else "amount_sum" if base in numbers else "amount_sum_apart", **parts, **told
    )


def in_words(name: str, amount: float) -> str:
    """A number of a case as a person writes it: 64 GB, 40 min, 300."""
    unit = unit_of(name) or (Unit.SECONDS if name == "longest_query" else Unit.BYTES)
    if name in (CONNECTIONS, INSTANCES) or unit == Unit.COUNT:
        return f"{amount:g}"
    if unit == Unit.SECONDS:
        size, name = next((each for each in _TIMES if amount >= each[0] and amount % each[0] == 0), (1.0, "s"))
        return f"{amount / size:g} {name}"
    if amount >= _TIB:
        return f"{amount / _TIB:.3g} TB"
    return f"{amount / _GIB:.3g} GB" if amount >= _GIB else f"{amount / _MIB:.3g} MB"


def by_patroni(how: str, voice: Voice) -> str:
    """A change of settings as Patroni takes it, where Patroni runs the servers; of the disk as RDS takes it."""
    if RDS in voice.choices.get(PLATFORM, ()):
        how = _VOLUME.sub(_OF_INSTANCE, how)
    if PATRONI not in voice.choices.get(BEARING, ()):
        return how
    return _ALTERED.sub(lambda found: f"patronictl edit-config {_option(found)}", how)


def _option(altered: re.Match[str]) -> str:
    """The option for a setting; the names of synchronous standbys Patroni sets itself, by its mode."""
    name, value = altered["name"], altered["value"] or "null"
    if name != _SYNC_NAMES:
        return f"-p {name}={value}"
    return f"-s synchronous_mode=false -p {name}=null" if value.strip("'") in _NONE else "-s synchronous_mode=true"
