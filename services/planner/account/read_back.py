"""What the person told, read back in their own words; what was only read from what they pasted stands apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.planner.account.own_words import deeds_told
from services.planner.account.told import Said, own_words, telling
from services.planner.model import HistoryAnswer, HistoryEntry, TurnResults
from services.planner.speak.conclusion import shorten
from services.planner.speak.voice import Voice, verdict
from services.planner.understand.questions.looking_back import asks_what_was_done, asks_what_was_told


def read_back(answer: HistoryAnswer, results: TurnResults, voice: Voice) -> str:
    """What was told, turn by turn, and what was read from pastes; or what was done, where only that is asked.

    Nothing where nothing was told in words.
    """
    asked = results.remarks[-1].text if results.remarks else ""
    told = [each for each in telling(results.remarks) if each.turn < results.turn]
    done = deeds_told(results, voice)
    if asks_what_was_done(asked) and not asks_what_was_told(asked):
        return _listed("told_done", done, voice) if done else voice.say("told_done_none")
    standing = [each for each in told if not any(_took_back(entry, each) for entry in answer.entries)]
    pasted = [
        voice.say("told_entry", turn=each.turn, words=_entry(each, voice)) for each in _from_pastes(answer, results)
    ]
    lines = [_listed("told_so_far", standing, voice)] if standing else []
    return "\n".join([*lines, *([voice.say("told_pasted"), *pasted] if pasted else [])])


def _listed(heading: str, told: Sequence[Said], voice: Voice) -> str:
    """The sentences, those of a turn on one line."""
    turns = {each.turn: [one.text for one in told if one.turn == each.turn] for each in told}
    lines = [
        voice.say("told_entry", turn=turn, words=voice.say("semicolon").join(said)) for turn, said in turns.items()
    ]
    return "\n".join([voice.say(heading), *lines])


def _took_back(entry: HistoryEntry, said: Said) -> bool:
    """Whether a sentence is no more than what was taken back."""
    return entry.retracted and entry.turn == said.turn and said.text in entry.words


def _from_pastes(answer: HistoryAnswer, results: TurnResults) -> Iterator[HistoryEntry]:
    """What stands on record by words that are no words of the person's own."""
    own = " ".join(own_words(each.text) for each in results.remarks)
    return (each for each in answer.entries if not each.retracted and each.words and each.words not in own)


def _entry(entry: HistoryEntry, voice: Voice) -> str:
    named = voice.say("with_verdict", name=voice.name(entry.name), verdict=verdict(entry.verdict, voice))
    return named + voice.say("history_words", words=shorten(entry.words))
