"""The case for somebody who was not there: as it was asked for, in exactly so many sentences where that was said."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from lang import deferred_re as re
from services.planner.account.changes import explains
from services.planner.account.record import Record, record_of
from services.planner.model import (
    Aftermath,
    Brief,
    BriefPart,
    ConclusionView,
    HelpAnswer,
    Language,
    Reader,
    ReliefStep,
    SolutionStep,
    TurnResults,
)
from services.planner.speak.case.remedy_steps import is_done, speaks_for
from services.planner.speak.follow_ups.note import figures_of
from services.planner.speak.follow_ups.time_left import time_in_words
from services.planner.speak.summary.summary_cause import Case
from services.planner.speak.summary.summary_parts import Told, missing, parts_of
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.word_lists import listed

# A stop inside of a sentence ends it for whoever counts.
_INNER, _HAN = listed("briefs.inner_stop"), listed("briefs.han")
# What goes into one sentence where few are wanted, the closest first.
_TOGETHER = (
    (BriefPart.CAUSE, BriefPart.CAUSE),
    (BriefPart.STATE, BriefPart.STATE),
    (BriefPart.DONE, BriefPart.STATE),
    (BriefPart.NOTICED, BriefPart.CAUSE),
    (BriefPart.STATE, BriefPart.PREVENTION),
    (BriefPart.STATE, BriefPart.NEXT),
)
# A cause so likely is proven by the success of what treats it.
_LIKELY = 0.8
# Words of a unit beside figures.
_NUMBER, _LETTER, _FEW = re.compile(r"\d+(?:\.\d+)?"), re.compile(r"[a-z]|[\u4e00-\u9fff]"), 6
_MARKS, _SHARE, _IDS = listed("briefs.marks"), listed("briefs.share"), listed("briefs.ids")


def summarise(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """A summary by the brief of the answer; by none, a few sentences."""
    brief = answer.brief or Brief()
    speaking = replace(voice, language=brief.language) if brief.language is not None else voice
    found = answer.conclusion or answer.leading or _leader(results)
    record = record_of(results)
    borne_out = found is not None and record.better and _bears_out(found, record, results, speaking)
    case = Case(found, answer.conclusion is not None, results, brief.reader, record, borne_out)
    told = polish(_written(case, brief, speaking), speaking.language)
    kept = "" if all(_is_in(each, speaking) for each in brief.added) else speaking.say("brief_kept")
    lacking = "" if brief.own or brief.added else missing(case, voice)
    return "\n".join(part for part in (kept, told, lacking) if part)


def _bears_out(found: ConclusionView, record: Record, results: TurnResults, voice: Voice) -> bool:
    """Whether it got better by what treats this cause, or once a change that it comes of was taken back."""
    if found.confidence >= _LIKELY:
        undone = record.undone
        steps: tuple[SolutionStep | ReliefStep, ...] = (*found.relief, *found.solution)
        if undone is not None and explains(undone, f"{found.name.en} {found.mechanism.en}"):
            return True
        if any(is_done(each, results, voice) for each in steps if not getattr(each, "prevents", False)):
            return True
    return speaks_for(found, replace(results, aftermath=Aftermath.WELL), voice)


def _leader(results: TurnResults) -> ConclusionView | None:
    """The cause that leads an open case, by its name alone."""
    leader = next(iter(results.diagnosis.hypotheses), None) if results.diagnosis is not None else None
    return ConclusionView(leader.root_cause_id, leader.name, leader.confidence) if leader is not None else None


def _written(case: Case, brief: Brief, voice: Voice) -> str:
    if brief.own and not _is_in(brief.own, voice):
        return "\n".join([voice.say("brief_untranslated"), _written(case, replace(brief, own=""), voice)])
    if brief.own:
        own = _limited([_sentence(each, voice) for each in sentences_of(brief.own)], brief)
        return _joined([*own, *(_sentence(each, voice) for each in brief.added)], brief, voice)
    parts = [part for part in parts_of(case, brief, voice) if part.text]
    if brief.reader is Reader.TECHNICAL and not brief.sentences:
        told = [_shown(part.text, case, brief) for part in parts]
        return "\n".join(voice.say("brief_line", text=_sentence(each, voice)) for each in (*told, *brief.added))
    whole = " ".join(part.text for part in parts)
    brief = replace(brief, added=tuple(each for each in brief.added if not _is_told(each, whole)))
    added = _added(brief, voice)
    chosen = _chosen(parts, case, brief, voice)
    return _joined([*(_sentence(_shown(each, case, brief), voice) for each in chosen), *added], brief, voice)


def _is_told(words: str, text: str) -> bool:
    """Whether a text has all the figures of these words, and they tell nothing else."""
    numbers = _NUMBER.findall(words)
    beside = _NUMBER.sub("", words)
    return bool(numbers) and all(each in text for each in numbers) and len(_LETTER.findall(beside)) <= _FEW


def _added(brief: Brief, voice: Voice) -> list[str]:
    """The person's own sentences; where sentences are counted they are one."""
    told = [voice.say("semicolon").join(_end_off(each) for each in brief.added)] if brief.sentences else brief.added
    return [_sentence(each, voice) for each in told if each]


def _is_in(words: str, voice: Voice) -> bool:
    """Whether words are in the language that is spoken."""
    return bool(_HAN.search(words)) is (voice.language is Language.ZH)


def _chosen(parts: list[Told], case: Case, brief: Brief, voice: Voice) -> list[str]:
    """The sentences: all, or so many; what goes together is joined first, and one alone has the state in it."""
    wanted = max(brief.sentences - len(_added(brief, voice)), 1) if brief.sentences else len(parts)
    if wanted == 1 and len(parts) > 1:
        first, second = sorted(parts, key=lambda part: part.weight)[:2]
        told = voice.say("brief_in_one", first=_end_off(first.text), second=_lowered(_end_off(second.text)))
        return [voice.say("semicolon").join(each for each in (told, _urgency(case, brief, voice)) if each)]
    while len(parts) > wanted:
        parts = _fewer(parts, brief, voice)
    return [part.text for part in parts]


def _fewer(parts: list[Told], brief: Brief, voice: Voice) -> list[Told]:
    """One sentence less: without what weighs least, unless two that go together can be one."""
    least = max(parts, key=lambda part: part.weight)
    pairs = [at for at, (one, two) in enumerate(pairwise(parts)) if (one.key, two.key) in _TOGETHER]
    beside = least.key in (BriefPart.FIGURES, BriefPart.NEXT) and least.key not in brief.within
    asked = least.key in brief.within or least.key is not BriefPart.PREVENTION
    if beside or not pairs or not asked:
        return [part for part in parts if part is not least]
    at = min(pairs, key=lambda each: _TOGETHER.index((parts[each].key, parts[each + 1].key)))
    one, two = parts[at : at + 2]
    told = voice.say("brief_within").join((_end_off(one.text), _lowered(_end_off(two.text))))
    return [*parts[:at], Told(min(one.weight, two.weight), told, two.key), *parts[at + 2 :]]


def _urgency(case: Case, brief: Brief, voice: Voice) -> str:
    """How a disk fills and how long there is, with what was measured: that belongs into the one sentence."""
    bare = case.reader is Reader.PLAIN or BriefPart.FIGURES in brief.without
    pressing = not case.well and not bare and time_in_words(case.results, voice)
    return figures_of(case.results, voice) if pressing else ""


def _limited(sentences: list[str], brief: Brief) -> list[str]:
    return sentences[: max(brief.sentences - len(brief.added), 1)] if brief.sentences else sentences


def _shown(text: str, case: Case, brief: Brief) -> str:
    """A text without marks; for a reader who knows no databases, or without figures, without shares and ids as well."""
    text = _MARKS.sub("", text)
    plain = case.reader is Reader.PLAIN and BriefPart.FIGURES not in brief.within
    bare = plain or BriefPart.FIGURES in brief.without
    return _IDS.sub("", _SHARE.sub("", text)) if bare else text


def _sentence(text: str, voice: Voice) -> str:
    """A text as one sentence."""
    first, *others = (part.strip() for part in _INNER.split(_end_off(text)) if part.strip())
    told = voice.say("brief_within").join([first[:1].upper() + first[1:], *map(_lowered, others)])
    return voice.say("brief_sentence", text=told)


def _lowered(text: str) -> str:
    """A sentence as a part of another; names in capitals stay."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _end_off(text: str) -> str:
    return text.strip().rstrip("。.；;，,")


def _joined(sentences: list[str], brief: Brief, voice: Voice) -> str:
    return ("\n" if brief.lines else voice.stop).join(sentences)
