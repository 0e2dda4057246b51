"""The sentences and clauses of a message, as people type them at night: with few stops, and spaces in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from lang import deferred_re as re
from lang.listed import lists_beside
from services.planner.questions_asked.interrogatives import is_question
from services.planner.understand.text.word_lists import listed

_LISTED = lists_beside(__file__)

# A full stop inside a number or a name ends nothing.
_SENTENCE = re.compile(r"(?<=[。！？!?；;\n])(?![。！？!?])|(?<=\S\.)(?=\s)")
# A comma, but none of a number, and a space after a Chinese word: "跑完了 报表又回到 2 秒", "api 好像回来了".
_CLAUSE = _LISTED.pattern("clause")

# A row of a table, or a line that a server wrote: nobody's own words.
_OUTPUT = _LISTED.pattern("output", re.MULTILINE)
# What is quoted was said by somebody else, or is disputed.
_QUOTED = re.compile(r"“[^”\n]*”|\"[^\"\n]*\"")
# A message in so few characters tells no more than how things are.
_SHORT = 24
_SIZE, _SAYS_NO = listed("treatment.size"), listed("treatment.says_no")
_EITHER_OR = listed("treatment.either_or")
_OWN_DEED, _FAILED, _OF_OTHERS, _TRIES = (
    listed(f"treatment.{name}") for name in ("own_deed", "failed", "of_others", "tries")
)
_ASKS_ON, _NO_DEED, _UNCLEAR = (listed(f"treatment.{name}") for name in ("asks_on", "no_deed", "unclear"))
# What is lost by something that ends.
_LOSES, _DIES = listed("treatment.loses"), listed("treatment.dies")


def holds_output(message: str) -> bool:
    """True if a line of a message is output, whether or not it was taken for a paste."""
    return _OUTPUT.search(message) is not None


def told_clauses(message: str) -> list[str]:
    """The clauses of the person's own words."""
    return [clause for sentence in sentences_of(own_words(message)) for clause in clauses_of(sentence)]


def own_words(message: str) -> str:
    """A message with neither output nor what it quotes."""
    return unquoted(_OUTPUT.sub("", message))


def unquoted(message: str) -> str:
    """A message without what it quotes; where all of it is quoted, that is what it says."""
    left = _QUOTED.sub("…", message)
    return left if any(map(str.isalnum, left)) else message


def sentences_of(message: str) -> Iterator[str]:
    """The sentences of a message, each with the sign that ends it, and each question apart that an "and" joins on."""
    for part in _SENTENCE.split(message):
        if part.strip():
            yield from _questions_apart(part.strip())


def _questions_apart(sentence: str) -> Iterator[str]:
    """A sentence; where it asks, and goes on with a question of its own, each of them."""
    for joint in _ASKS_ON.finditer(sentence):
        if is_question(sentence[: joint.start()]):
            yield sentence[: joint.start()]
            yield from _questions_apart(sentence[joint.end() :])
            return
    yield sentence


def clauses_of(sentence: str) -> Iterator[str]:
    """The clauses of a sentence; the sign that ends it stays with the last one."""
    for part in _CLAUSE.split(sentence):
        if part.strip():
            yield part.strip()


def places_of(text: str, split: Callable[[str], Iterator[str]]) -> list[tuple[int, str]]:
    """The parts of a text with the places at which they begin."""
    found: list[tuple[int, str]] = []
    at = 0
    for part in split(text):
        at = text.find(part, at)
        found.append((at, part))
        at += len(part)
    return found


def two_in(asked: str) -> tuple[str, ...]:
    """The words on both sides of an "or" in a question; empty without one."""
    for sentence in sentences_of(asked):
        left, *right = _EITHER_OR.split(sentence, maxsplit=1)
        before, after = [*clauses_of(left)][-1:], [*clauses_of("".join(right))][:1]
        if right and before and after and not _SAYS_NO.search(after[0]):  # "Can I kill it, yes or no".
            return (before[0].strip("?？ "), after[0].strip("?？ "))
    return ()


def asks_cost(words: str) -> bool:
    """Whether words ask what is lost by an action."""
    return _LOSES.search(words) is not None


def asks_cost_of_end(words: str) -> bool:
    """Whether words ask what is lost if something ends by itself: "what do I lose if it dies?"."""
    return asks_cost(words) and _DIES.search(words) is not None


def refused_in(message: str) -> list[str]:
    """The questions of a message that it answers with a bare no itself: "stop reports?? no."."""
    sentences = list(sentences_of(message))
    return [asked for asked, said in pairwise(sentences) if asked.endswith(("?", "？")) and _SAYS_NO.search(said)]


def is_short(said: str) -> bool:
    """True if a message is too short to tell more than how things are."""
    return len(said) <= _SHORT


def tells_size(said: str) -> bool:
    """Whether words tell that a file or the space in use is as big as before."""
    return _SIZE.search(said.lower()) is not None


def what_follows(clause: str, sentence: str, said: str) -> str:
    """The words of a message from a clause up to the end of the next sentence; behind a colon the output."""
    sentences = list(sentences_of(said))
    following = sentences[sentences.index(sentence) + 1 :][:1] if sentence in sentences else []
    shown = [each for each in said.splitlines() if holds_output(each)] if clause.endswith((":", "：")) else []
    return " ".join((sentence[sentence.find(clause) :], *(shown or following)))


def tells_own_deed(clause: str) -> bool:
    """True if a clause tells that somebody of the person's own side acted on the system, and on what."""
    return _OWN_DEED.search(clause) is not None and _NO_DEED.search(clause) is None and not is_question(clause)


def is_clear(clause: str) -> bool:
    """True if words that tell a deed name what was acted on, so that they can be repeated to anybody."""
    return _UNCLEAR.search(clause) is None


def attempt_failed(after: str) -> bool:
    """True if what follows an attempt tells that it ended in an error, and not that somebody else meets one."""
    failed = _FAILED.search(after)
    return failed is not None and _OF_OTHERS.search(after[: failed.start()]) is None


def was_tried(clause: str) -> bool:
    """True if a clause only tells of an attempt."""
    return _TRIES.search(clause) is not None
