"""A note for somebody who has to act: what it is, the figures, what is asked of them, and what was tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lang import deferred_re as re
from services.planner.model import Aftermath, Brief, ConclusionView, HelpAnswer, Reader, TurnResults, Verdict
from services.planner.speak.case.remedy_steps import done_in_words
from services.planner.speak.follow_ups.time_left import figures_told, time_in_words
from services.planner.speak.rights.rights import Meant, step_to_ask_for
from services.planner.speak.rights.who_may import group_of, lacking
from services.planner.speak.summary.summary_cause import name_objects
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.bearing import LACKS
from services.planner.understand.text.word_lists import names

_CELL = re.compile(r"\||, | = ")
_BYTES = re.compile(r"\d+(?:\.\d+)? ?[kmgt]i?b", re.IGNORECASE)
_LASTS = re.compile(r"(?:\d+ days? )?\d+:\d\d:\d\d(?:\.\d+)?")
_FRACTION = re.compile(r"(?<=:\d\d)\.\d+$")
_LIKELY, _MOST = 0.5, 3


def is_note(answer: HelpAnswer) -> bool:
    """Whether a summary is for somebody who has to act, and nothing is said of how it is to be written."""
    brief = answer.brief or Brief()
    free = brief.reader is Reader.TECHNICAL and not (
        brief.sentences or brief.added or brief.own or brief.within or brief.without or brief.unsaid
    )
    return free and names("named.agents", answer.text) and not names("named.piece", answer.text)


def write_note(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The note; empty where no cause is likely enough to ask anybody for anything."""
    language = answer.brief.language if answer.brief is not None else None
    voice = replace(voice, language=language) if language is not None else voice
    found = answer.conclusion or answer.leading
    step = step_to_ask_for(answer, results, voice)
    sure = answer.conclusion is not None or (found is not None and found.confidence >= _LIKELY)
    if found is None or step is None or not sure or results.aftermath is Aftermath.WELL:
        return ""
    lines = [_what(found, answer, results, voice), figures_of(results, voice), _asked(step, voice)]
    lines += [_tried(step, results, voice), _verified(found, voice)]
    return polish("\n".join(line for line in lines if line), voice.language)


def _what(found: ConclusionView, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    phrase = "note_cause" if answer.conclusion is not None else "note_cause_likely"
    name = voice.name(found.name, found.root_cause_id) + name_objects(results, voice)
    return voice.say(phrase, cause=name, percent=voice.percent(found.confidence))


def figures_of(results: TurnResults, voice: Voice) -> str:
    """What was measured, by the rows on record and by what was told of the disk, and how long there is."""
    measured = list(dict.fromkeys(_measured(results, voice)))[:_MOST]
    figures = voice.listed([*measured, *figures_told(results, voice)])
    left = time_in_words(results, voice)
    told = voice.say("note_figures", names=figures) if figures else ""
    return voice.stop.join(part for part in (told, voice.say("nobody_time", time=left) if left else "") if part)


def _measured(results: TurnResults, voice: Voice) -> Iterator[str]:
    """The amounts of the rows on record, each by the name of what it shows; how long only of what the case is about."""
    told: set[str] = set()
    for view in results.seen:
        row = f"{view.value}|{view.words}"
        names = any(name and name in row for name in voice.objects.values())
        cells = [cell.strip() for cell in _CELL.split(row)]
        amount = next((cell for cell in cells if _BYTES.fullmatch(cell) or (names and _LASTS.fullmatch(cell))), "")
        if view.verdict is Verdict.CONFIRMED and amount and amount not in told:
            told.add(amount)
            amount = _FRACTION.sub("", amount)
            yield voice.say("note_figure", name=voice.name(view.name, view.phenomenon_id), amount=amount)


def _asked(step: Meant, voice: Voice) -> str:
    if not step.how:
        return voice.say("note_do", action=step.words)
    return voice.say("note_run", action=step.words, how=f"`{' '.join(step.how.split())};`")


def _tried(step: Meant, results: TurnResults, voice: Voice) -> str:
    """What was done so far, and why the person does not do it: it was refused to them, or they have no right to it."""
    done = [voice.say("note_done", done=done_in_words(results, voice))] if results.treatments else []
    group = group_of(step.action)
    if lacking((step.action,), voice):
        denied = any(names("named.refused", each.words) for each in results.seen if each.verdict is Verdict.CONFIRMED)
        refused = denied and group in map(group_of, voice.choices.get(LACKS, ()))
        done.append(voice.say("note_refused" if refused else "note_lacking", who=voice.say(f"rights_by_{group}")))
    return voice.stop.join(done)


def _verified(found: ConclusionView, voice: Voice) -> str:
    text = found.verify.say(voice.language)
    return voice.say("verify", text=text) if text else ""
