"""What went on record in this turn, what the person's words were read as, and what was corrected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from lang.numbers.filling import figures_in
from lang.numbers.values import read_values
from lang.objects import Seen
from lang.objects.named_objects import objects_named
from lang.objects.servers_and_clients import CONNECTIONS, INSTANCES
from lang.objects.settings_said import MEMORY, SETTING, SETTING_BEFORE, VERSION, setting_of
from lang.pastes.reading_of_logs import message_of
from lang.pastes.what_rows_show import cells_telling, line_telling
from lang.tokens import read_text
from services.planner.model import AppliedCorrection, BeliefChange, NotedEvidence, Text, Verdict
from services.planner.questions_asked.interrogatives import is_question
from services.planner.sizing.known import known_numbers
from services.planner.sizing.table import setting_named
from services.planner.speak import diagnosis
from services.planner.speak.record.set_aside import is_talk, makes_claim
from services.planner.speak.settings_now import sum_in_words
from services.planner.speak.voice import Voice, brief, verdict
from services.planner.treatment.sentences import clauses_of

_SUFFIXES: dict[Verdict | None, str] = {Verdict.CONFIRMED: "yes", Verdict.DENIED: "no", Verdict.UNKNOWN: "unknown"}
_SETTINGS = (SETTING, SETTING_BEFORE)
# Below this probability of a reading the answer says that one may object.
SURE = 0.9
# Words are quoted up to this length beside what they were read as; what parts the cells of a row.
_READ, _ROW = 64, " | "
# So many columns of a row are told.
_MOST_CELLS = 4
# What was set right is quoted so far.
_FEW_WORDS = 28


def render_noted(noted: tuple[NotedEvidence, ...], voice: Voice, message: str = "") -> str:
    """What went on record in this turn: settings, readings of words, answers by their verdict, what the site lacks.

    What a setting's value rules out is not told beside the value.
    """
    lacking = [voice.name(item.name) for item in noted if item.facility]
    noted = tuple(item for item in noted if not item.facility)
    told = [each for each in objects_named(message) if each.kind in _SETTINGS and setting_of(each.name) != VERSION]
    settings = {setting_of(each.name) for each in told}
    read = _by_words(item for item in noted if item.matched_from_words and not _is_ruled_out(item, settings))
    items = [said] if told and (said := _settings(told, voice)) else []
    items += [_from_words(group, settings, voice, last=group is read[-1]) for group in read]
    for given, suffix in _SUFFIXES.items():
        plain = [item for item in noted if item.verdict is given and not item.matched_from_words]
        if plain:
            names = voice.listed(f"**{voice.name(item.name, item.phenomenon_id)}**" for item in plain)
            items.append(voice.say(f"noted_{suffix}", names=names))
    said = voice.say("noted", items=voice.say("semicolon").join(items)) if items else ""
    lacks = voice.say("lacks", names=voice.say("neither").join(lacking)) if lacking else ""
    return voice.stop.join(part for part in (said, lacks) if part)


def _is_ruled_out(item: NotedEvidence, names: set[str]) -> bool:
    """Whether the words of a denial only tell the value of a setting."""
    return item.verdict is Verdict.DENIED and any(each in item.words.lower() for each in names)


def _settings(told: Sequence[Seen], voice: Voice) -> str:
    """The settings that a message tells, with their values before: "work_mem 512MB (64MB before)"."""
    now = dict(each.name.split("=", 1) for each in told if each.kind == SETTING)
    before = dict(each.name.split("=", 1) for each in told if each.kind == SETTING_BEFORE)
    said = []
    for name in dict.fromkeys((*now, *before)):
        called = voice.say(f"noted_{name}") if name in (MEMORY, CONNECTIONS, INSTANCES) else name
        was = voice.say("noted_before", value=before[name]) if name in before else ""
        said.append(f"{called} {now[name]}{was}" if name in now else f"{called}{was}")
    return voice.listed(each for each in (*said, *_sums(now, voice)) if not voice.was_told(each))


def _sums(told: Iterable[str], voice: Voice) -> list[str]:
    """What settings add up to with those that were told before: "16 GB + 300 x 512 MB = 166 GB, against 64 GB"."""
    numbers = known_numbers(voice.choices)
    rules = (setting_named(name) for name in numbers)
    sums = {rule.sum: name for name, rule in zip(numbers, rules, strict=True) if {*rule.sum, rule.whole} & {*told}}
    return [said for name in sums.values() if (said := sum_in_words(name, numbers, voice))]


def read_as(words: str, name: Text, given: Verdict | None, voice: Voice) -> str:
    """What words were read as; without words an answer, by its verdict."""
    suffix = _SUFFIXES.get(given, "yes")
    called = f"**{voice.name(name)}**"
    part = _telling_part(words)
    if not part:
        return voice.say(f"noted_{suffix}", names=called)
    return voice.say(f"noted_words_{suffix}", words=part, name=called, doubt="")


def _telling_part(words: str) -> str:
    """What words are recognised by, the message of a line of a log; empty for a row, and where that is too long."""
    said = line_telling(message_of(words.strip()))
    return "" if len(said) > _READ or _ROW in said else said


def _by_words(noted: Iterable[NotedEvidence]) -> list[list[NotedEvidence]]:
    """What was read from the same words in the same sense, together, in the order of the message."""
    groups: dict[tuple[object, ...], list[NotedEvidence]] = {}
    for item in noted:
        alone = item.phenomenon_id if item.score < SURE else ""
        groups.setdefault((item.words, item.verdict, _value_told(item), alone), []).append(item)
    return list(groups.values())


def _from_words(items: list[NotedEvidence], settings: set[str], voice: Voice, last: bool) -> str:
    """What was read from the same words, without these where they tell one of the settings that are told anyway.

    The last of the message also tells in the first turn that one may object.
    """
    first = items[0]
    cells = _cells_read(items)
    suffix, doubt = _SUFFIXES.get(first.verdict, "yes"), _doubt(first, voice, last)
    name = _joined([f"**{voice.name(item.name, item.phenomenon_id)}**" for item in items], voice)
    words = voice.say("comma").join(cells) or _telling_part(first.words)
    if not words or any(each in words.lower() for each in settings):
        return voice.say(f"noted_{suffix}", names=name) + doubt
    if cells and first.verdict is Verdict.DENIED:
        figures = "" if len(items) > 1 else voice.say("bracketed", text=words)  # Of several they belong to one.
        return voice.say("noted_rows_no", words=figures, name=name, doubt=doubt)
    said = voice.say(f"noted_words_{suffix}", words=words, name=name, doubt=doubt)
    value = _value_told(first)
    return said + (voice.say("noted_value", value=value) if value else "")


def _cells_read(items: list[NotedEvidence]) -> list[str]:
    """Of the row of an output the columns that decided, for its beginning mostly tells nothing."""
    values = ", ".join(item.extracted_value or "" for item in items)
    return list(dict.fromkeys(cells_telling(items[0].words, values)))[:_MOST_CELLS]


def _value_told(item: NotedEvidence) -> str:
    """The value beside the words, where they lack it: a pasted row has its values in it."""
    value = item.extracted_value or ""
    return "" if value in item.words or " = " in value else value


def _joined(names: list[str], voice: Voice) -> str:
    """Two names with "and" between them, more with commas before the last "and"."""
    return voice.say("and").join([voice.listed(names[:-1]), names[-1]] if len(names) > 1 else names)


def _doubt(item: NotedEvidence, voice: Voice, last: bool) -> str:
    """That the person may object, where the match is not sure, or nobody was told so yet."""
    unsure = item.score < SURE or (last and voice.turn <= 1)
    return voice.say("bracketed", text=voice.say("noted_object")) if unsure else ""


def render_corrections(corrections: tuple[AppliedCorrection, ...], voice: Voice) -> list[str]:
    """What was taken back or replaced, and what that did; all that is gone for the same reason in one line."""
    lines: dict[str, list[AppliedCorrection]] = {}
    for place, correction in enumerate(corrections):
        lines.setdefault(_reason(correction) or str(place), []).append(correction)
    return [_line(items, voice) for items in lines.values()]


def _reason(correction: AppliedCorrection) -> str:
    """The phrase for what is merely gone; empty for what was replaced, or never was on record."""
    if correction.name == Text() or correction.verdict_after is not None:
        return ""
    if correction.misheard:
        return "" if correction.corrected else "misheard"
    return "retracted"


def _line(items: list[AppliedCorrection], voice: Voice) -> str:
    last = items[-1]
    if phrase := _reason(last):
        said = voice.say(phrase, original=voice.listed(dict.fromkeys(_original(item, voice) for item in items)))
    else:
        said = _render_correction(last, voice)
    if not said:
        return ""
    changed = [change for item in items for change in item.changes]
    if not changed or last.name == Text():
        return said + voice.say("correction_end")
    moved = tuple(item for item in changed if len({*_percents(item, voice)}) > 1)
    told = diagnosis.changes(moved, voice)
    return said + (voice.say("correction_changes", changes=told) if told else voice.say("correction_unmoved"))


def _render_correction(correction: AppliedCorrection, voice: Voice) -> str:
    name = voice.name(correction.name)
    if correction.name == Text():
        return _of_nothing(correction, voice)
    if correction.misheard:
        return voice.say("wavered_from", name=name, before=correction.original, after=correction.corrected)
    if not correction.original and not correction.corrected:
        before, after = verdict(correction.verdict_before, voice), verdict(correction.verdict_after, voice)
        return voice.say("reversed", name=name, before=before, after=after)
    read = read_as(correction.corrected, correction.name, correction.verdict_after, voice)
    if correction.verdict_before is correction.verdict_after:
        return voice.say("one_counts", read=read)
    return voice.say("corrected", read=read, original=_original(correction, voice))


def _of_nothing(correction: AppliedCorrection, voice: Voice) -> str:
    """What was set right, or taken back, without being on record."""
    if correction.misheard:
        return voice.say("wavered")
    if correction.corrected:
        stated = _stated(correction.corrected, bool(correction.original))
        told = "set_figure" if figures_in(stated) else "set_beside"
        told = "set_instead" if correction.original else told
        return voice.say(told, words=brief(stated), original=brief(correction.original, _FEW_WORDS)) if stated else ""
    if not correction.original:
        return voice.say("kept")
    stated = _stated(correction.original)
    return voice.say("set_right", original=brief(stated, _FEW_WORDS)) if stated else ""


def _stated(words: str, instead: bool = False) -> str:
    """What words state of the system, or instead of others, without what they ask; empty where they state nothing."""
    stated = list(takewhile(lambda clause: not is_question(clause), clauses_of(words)))
    told = [each for each in stated if instead or makes_claim(each) or read_values(read_text(each))]
    told = [each for each in told if not is_talk(each)]
    return words[: words.find(stated[-1]) + len(stated[-1])] if told else ""


def _original(correction: AppliedCorrection, voice: Voice) -> str:
    """The words of what is gone in quotes; its name, with its verdict, where they were never said, or say nothing."""
    name, given = voice.name(correction.name), correction.verdict_before
    if not correction.misheard and (part := _telling_part(correction.original)):
        return voice.say("quoted", words=part)
    if given is None:
        return voice.say("quoted", words=name or voice.say("unnamed"))
    return voice.say("with_verdict", name=name, verdict=verdict(given, voice))


def _percents(item: BeliefChange, voice: Voice) -> tuple[str, str]:
    return voice.percent(item.confidence_before), voice.percent(item.confidence_after)
