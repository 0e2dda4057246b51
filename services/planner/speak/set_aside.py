"""The words of a message that nothing was made of, in one sentence at most, and beside no answer."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from lang.modality import is_out_of_reach, tells_reach
from services.planner.model import TurnResults
from services.planner.speak.voice import Voice, brief
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

# A word of Latin letters, or two Chinese characters.
_WORD = re.compile(r"[A-Za-z0-9_'’.%-]+|[\u4e00-\u9fff]{1,2}")
# Fewer words beside something that was understood are not worth a sentence.
_WORTH_A_SENTENCE = 4
# Words to the assistant about the talk: "I told you twice", "你前面说".
_OF_THE_TALK = listed("asking.of_the_talk")
_ASKS = listed("asking.asks_back")


def makes_claim(words: str) -> bool:
    """Whether words say something of the system, a name, a figure or a state; talk, objections and questions do not."""
    said = read(words).normal
    asks = has_wh(said) or _ASKS.search(said) is not None
    return is_technical(said) and not asks and _OF_THE_TALK.search(said) is None


def set_aside(results: TurnResults, voice: Voice) -> list[str]:
    """What is out of reach, and what stays unclear; what fits nothing only where that is all, and not twice running."""
    if results.answers:
        return []
    heard = bool(results.noted or results.corrections or results.look or results.clarification)
    unmatched = () if heard or results.engine_gap else results.unmatched
    beyond = [words for words in unmatched if is_out_of_reach(words)]
    unknown = [words for words in unmatched if words not in beyond and not tells_reach(words) and makes_claim(words)]
    unclear = [words for words in results.unclear if makes_claim(words) and not _is_taken_up(words, results)]
    if heard:
        unclear = [words for words in unclear if len(_WORD.findall(words)) >= _WORTH_A_SENTENCE]
    left = voice.once("unmatched") if unknown else _tell("unclear", _apart(unclear), voice)
    return [_tell("out_of_reach", beyond, voice), left]


def _is_taken_up(words: str, results: TurnResults) -> bool:
    """Whether the question that is asked back is about these words."""
    return results.clarification is not None and words in results.clarification.words


def _apart(items: Sequence[str]) -> list[str]:
    """The items without those that are part of another."""
    once = list(dict.fromkeys(items))
    return [item for item in once if not any(item in other for other in once if other != item)]


def _tell(phrase: str, words: Sequence[str], voice: Voice) -> str:
    quoted = voice.listed([voice.say("quoted", words=brief(item)) for item in words])
    return voice.say(phrase, words=quoted) if quoted else ""
