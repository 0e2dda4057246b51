"""What a message tells that is no finding: what is out of reach, and in a sentence at most what nothing was made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lang.judging.out_of_reach import NONE
from lang.modality import is_out_of_reach, tells_reach
from services.planner.model import Limit, Reach, Status, TurnResults
from services.planner.speak.voice import Voice, brief
from services.planner.treatment.sentences import clauses_of
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.read import is_aside
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

# What parts the cells of a row, which tell nothing by themselves; longer words are told by their first clause.
_ROW, _LONGEST = "|", 60
# Machines and consoles are of many kinds: which one it was the person said.
_OF_MANY_KINDS = (Reach.HOST, Reach.MONITORING)
# Words to the assistant about the talk: "I told you twice", "你前面说".
_OF_THE_TALK = listed("asking.of_the_talk")
_ASKS = listed("asking.asks_back")


def makes_claim(words: str) -> bool:
    """Whether words say something of the system, a name, a figure or a state; talk, objections and questions do not."""
    return is_technical(read(words).normal) and not is_talk(words)


def is_talk(words: str) -> bool:
    """Whether words ask, or are of the talk itself, and say nothing of the system."""
    said = read(words).normal
    return has_wh(said) or any(each.search(said) for each in (_ASKS, _OF_THE_TALK)) or is_aside(words)


def beyond_reach(results: TurnResults, voice: Voice) -> str:
    """What words that fit nothing tell to be out of reach, where that is all that was heard."""
    heard = results.answers or results.noted or results.corrections or results.look or results.clarification
    if heard or results.engine_gap or results.status is Status.CONCLUDED:
        return ""
    beyond = [words for words in results.unmatched if is_out_of_reach(words) and not tells_limit(words, results)]
    return _tell("out_of_reach", beyond, voice)


def left_aside(results: TurnResults, voice: Voice) -> str:
    """The claims that nothing was made of: all that is left to say of a message that nothing else answers."""
    unclear = [words for words in results.unclear if makes_claim(words)]
    unknown = claims_beside(results, voice)
    return voice.once("unmatched", words=unknown) if unknown else _tell("unclear", _apart(unclear), voice)


def claims_beside(results: TurnResults, voice: Voice) -> str:
    """The claims that no finding came of, in quotes; empty without any."""
    unknown = [words for words in results.unmatched if not tells_reach(words) and makes_claim(words)]
    return _quoted(_apart(unknown), voice)


def told_limits(results: TurnResults, voice: Voice) -> list[str]:
    """That it goes on without what was just said to be out of reach, and what can be looked at again."""
    absent = NONE if results.noted else None  # That there is no such server is told among what was noted.
    new = [each for each in results.limits if each.turn == results.turn and each.name != absent]
    without = voice.listed(dict.fromkeys(_named(each, voice) for each in new if not each.lifted))
    again = voice.listed(dict.fromkeys(_named(each, voice) for each in new if each.lifted))
    return [
        voice.say("limits_without", things=without) if without else "",
        voice.say("limits_lifted", things=again) if again else "",
    ]


def tells_limit(words: str, results: TurnResults) -> bool:
    """Whether words only tell what is out of reach."""
    return any(words in each.words or each.words in words for each in results.limits if each.turn == results.turn)


def needed(reaches: Iterable[Reach], voice: Voice) -> str:
    """What a check needs that the person has not."""
    return voice.listed([voice.say(f"reach_{each.name}") for each in reaches])


def _named(limit: Limit, voice: Voice) -> str:
    if limit.reach is Reach.VIEW and limit.name:
        return f"`{limit.name}`"
    absent = limit.name == NONE
    if limit.reach in _OF_MANY_KINDS:
        return voice.say("reach_that")
    return voice.say(f"reach_{limit.reach.name}{'_NONE' if absent else ''}") if limit.reach else ""


def _apart(items: Sequence[str]) -> list[str]:
    """The items without those that are part of another."""
    once = list(dict.fromkeys(items))
    return [item for item in once if not any(item in other for other in once if other != item)]


def _tell(phrase: str, words: Sequence[str], voice: Voice) -> str:
    quoted = _quoted(words, voice)
    return voice.once(phrase, words=quoted) if quoted else ""


def _quoted(words: Sequence[str], voice: Voice) -> str:
    told = [item if len(item) <= _LONGEST else next(clauses_of(item), item) for item in words if _ROW not in item]
    return voice.listed([voice.say("quoted", words=brief(each, _LONGEST)) for each in told])
