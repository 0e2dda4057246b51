"""The parts of a message that ask, in the words that a question may be found by."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from services.planner.questions_asked.forms import is_bare
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.sentences import sentences_of

_LEAST, _LONGEST = 8, 160
_WORD = re.compile(r"[a-z_]+|[\u4e00-\u9fff]", re.IGNORECASE)
_WEIGHT = 2
# What sets another thing beside what was just asked.
_GOES_ON = re.compile(r"(?i)\s*(?:or|and not|rather than)\b|\s*(?:还是|或者?|而不是)")
_COLONS = (":", "：")
# No comma within brackets parts anything.
_COMMA = re.compile(r"[，,](?!\d)(?![^(（]*[)）])\s*")


def parts_of(said: str) -> Iterator[tuple[str, str]]:
    """The sentences that ask, each by its own words, with those of the one beside it, and by its clauses that ask."""
    sentences = ("", *sentences_of(said), "")
    for before, sentence, after in zip(sentences, sentences[1:], sentences[2:], strict=False):
        # "What does this mean:" asks of what follows.
        beside = after if sentence.rstrip().endswith(_COLONS) else before
        for asked, words in _readings(sentence, beside) if is_question(sentence) else ():
            if _LEAST <= _length(words) <= _LONGEST:
                yield asked, words


def asking_in(said: str) -> list[str]:
    """Each question of a message by itself: a sentence that asks, or each of its clauses where several ask."""
    found: list[str] = []
    for sentence in (each for each in sentences_of(said) if is_question(each) and not is_bare(each)):
        told = ""
        parts = list[str]()
        for clause in _COMMA.split(sentence):
            told = f"{told}, {clause}" if told else clause
            if parts and _GOES_ON.match(clause):
                parts, told = [*parts[:-1], f"{parts[-1]}, {told}"], ""
            elif is_question(clause):
                parts, told = [*parts, told], ""
        found += parts if len(parts) > 1 else [sentence]
    return found


def _readings(sentence: str, beside: str) -> list[tuple[str, str]]:
    asking = [clause for clause in _COMMA.split(sentence) if is_question(clause)]
    # One clause that asks is about the others of its sentence; of several each asks its own.
    clauses = [(clause, clause) for clause in asking] if len(asking) > 1 else []
    return list(dict.fromkeys([*((sentence, words) for words in (sentence, f"{beside} {sentence}".strip())), *clauses]))


def _length(words: str) -> int:
    """How much words say: two for a word in letters, one for a Chinese character."""
    return sum(_WEIGHT if each.isascii() else 1 for each in _WORD.findall(words))
