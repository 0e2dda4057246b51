"""The slots of a summary in the person's own words: how it was found, what changed, what was done, how it is since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from services.planner.account.told import ENDS, Said, changes, deeds, in_language, is_of, news, opening, telling
from services.planner.model import Aftermath, EvidenceView, Language, TurnResults, Verdict
from services.planner.speak.case.remedy_steps import credited, done_in_words
from services.planner.speak.voice import Voice
from services.planner.treatment.sentences import is_clear
from services.planner.understand.text.word_lists import listed

_BEGAN_WITH, _HAN = listed("briefs.began_with"), listed("briefs.han")
# Of a long night the last deeds are what helped; a longer piece than this tells more than that it is well.
_LAST, _NEWS = 5, 2
_MORE = {Language.EN: 28, Language.ZH: 8}


class OwnWords(NamedTuple):
    """What fills the slots; a slot of which nothing was told is empty."""

    begun: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    done: tuple[Said, ...] = ()
    good: str = ""
    bad: str = ""

    @staticmethod
    def of(results: TurnResults, voice: Voice) -> OwnWords:
        """The slots of a case, in the language that is spoken: the person's words are not translated."""
        told = telling(results.remarks)
        confirmed = [view for view in results.seen if view.verdict is Verdict.CONFIRMED]
        begun = [each.text for each in opening(told, [view for view in confirmed if view.complaint])]
        done = deeds(told, results)
        changed = _once([each.text for each in (*changes(told), *_began_with(confirmed, told, done))], begun)
        good, bad = news(told, Aftermath.WELL), news(told, Aftermath.UNCHANGED)
        return OwnWords(
            _spoken(begun, voice),
            _spoken(changed, voice),
            tuple(in_language(done, voice.language)),
            "" if bad else _more(good, voice),
            "" if good else _more(bad, voice),
        )

    def begun_in_words(self, voice: Voice) -> str:
        """What was reported first, and since when."""
        return voice.say("brief_reported", words=voice.say("semicolon").join(self.begun)) if self.begun else ""

    def changed_in_words(self, voice: Voice) -> str:
        """What had changed before."""
        return voice.say("brief_before", words=voice.say("semicolon").join(self.changed)) if self.changed else ""

    def done_in_words(self, results: TurnResults, voice: Voice) -> str:
        """What was done, oldest first; what only a statement shows by the name of the action."""
        if not results.remarks:
            return done_in_words(results, voice)
        told = [each for each in deeds_told(results, voice) if each in self.done or not _is_own(each, results)]
        return voice.say("semicolon").join(dict.fromkeys(each.text for each in told[-_LAST:]))


def _began_with(seen: Sequence[EvidenceView], told: Sequence[Said], done: Sequence[Said]) -> Iterator[Said]:
    """The sentences by which it is on record what it began with, told before the last deed and no deed themselves."""
    last = max((each.turn for each in done), default=0)
    for view in seen:
        if _BEGAN_WITH.search(view.name.en) and view.words and (view.turn <= last or not done):
            sentences = [each for each in told if each.turn == view.turn and view.words in each.text]
            yield from (each for each in sentences if not any(one.text in each.text for one in done))


def deeds_told(results: TurnResults, voice: Voice) -> list[Said]:
    """What was done, oldest first and once: as the person told it, and by its name what only a statement shows."""
    own = deeds(telling(results.remarks), results)
    told = sorted((*own, *_by_name(own, results, voice)), key=_turn_of)
    return [each for at, each in enumerate(told) if each.text not in (before.text for before in told[:at])]


def _turn_of(said: Said) -> int:
    return said.turn


def _is_own(said: Said, results: TurnResults) -> bool:
    return any(said.text in each.text for each in results.remarks)


def _by_name(own: Sequence[Said], results: TurnResults, voice: Voice) -> Iterator[Said]:
    """What the record has as done, of which no words of the person's own tell anybody what it was."""
    for each in credited(results):
        named = done_in_words(replace(results, treatments=(each,)), voice)
        if is_clear(each.words) and any(each.words in one.text for one in results.remarks):
            continue
        if named and not any(is_of(each.words.strip(ENDS), said.text) for said in own):
            yield Said(each.turn, named)


def _once(texts: Sequence[str], begun: Sequence[str]) -> list[str]:
    """The texts that are no part of another, nor of what was told at the beginning."""
    others = [*dict.fromkeys(texts)]
    return [each for each in others if not any(each in one for one in (*begun, *others) if one is not each)]


def _spoken(texts: Sequence[str], voice: Voice) -> tuple[str, ...]:
    return tuple(each for each in texts if bool(_HAN.search(each)) is (voice.language is Language.ZH))


def _more(good: Sequence[Said], voice: Voice) -> str:
    """The news that tell more than that it is well: a figure, a time, or what is well."""
    spoken = _spoken([each.text for each in good], voice)
    telling_more = [each for each in spoken if any(map(str.isdigit, each)) or len(each) >= _MORE[voice.language]]
    return voice.listed(telling_more[:_NEWS])
