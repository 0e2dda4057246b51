"""What a message does to what was said before it: takes it back, puts it back, calls it wrong.

Only words that say nothing else do so by themselves: a command with content in it is about its content.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from lang.cues import load_lexicon
from lang.listed import lists_beside
from lang.modality import admits_mistake

_LISTED = lists_beside(__file__)

# A command to the record is short.
_LONGEST, _LONGEST_PHRASE = 80, 30
_CLAUSE = _LISTED.pattern("clause")
_BETWEEN = frozenset(' \t\n,.;:!?~，。；：！？、…-—"“”')
_SENTENCE = _LISTED.pattern("sentence")
_LETTER = _LISTED.pattern("letter")
_ASKS = _LISTED.pattern("asks")


def takes_back(words: str) -> bool:
    """True if words do nothing but take back what was just said: "scratch that", "刚才那条不算"."""
    return not _ASKS.search(words) and _is_made_of(words, "takes_back")


def puts_back(words: str, settling: bool = False) -> bool:
    """True if a clause does nothing but put back what was taken back or changed; settling: a choice is open."""
    cores = ("puts_back", "keeps") if settling else ("puts_back", "keeps", "was_right")
    return any(_is_made_of(clause, *cores) for clause in (words, *clauses_in(words)))


def only_puts_back(words: str, settling: bool = False) -> bool:
    """True if that is all that the words do."""
    return _is_made_of(words, *(("puts_back", "keeps") if settling else ("puts_back", "keeps", "was_right")))


def was_kept(clause: str) -> bool:
    """True if a clause says that something was not taken back, or must not be: "我没撤billing那条"."""
    text, phrases = clause.lower(), _phrases("keeps")
    return any(end for at in range(len(text)) for end in _ends(text, at, phrases))


def keeps_both(clause: str) -> bool:
    """True if a clause says no more than that both of two statements hold."""
    return _is_made_of(clause, "both")


def only_errs(words: str) -> bool:
    """True if words say that something was wrong, and not what."""
    return not _ASKS.search(words) and _is_made_of(words, "errs")


def wrongly_said(words: str) -> tuple[str, ...]:
    """What was said before as a message quotes it and calls it wrong: "前面说没发版说错了" quotes 没发版."""
    found = [
        each["quote"].strip() for pattern in (_WRONG_ZH, _WRONG_EN, _ADMITS_EN) for each in pattern.finditer(words)
    ]
    whole = (each for each in found if each and not any(map(takes_back, clauses_in(each))))
    lines = (each for each in _parts_called_wrong(words) if names_a_line(each))
    return tuple(dict.fromkeys([*whole, *lines]))


def unsaid(words: str) -> tuple[str, ...]:
    """What a message quotes and only takes back: it was not quite so, is scrapped at once, or is what it corrects."""
    found = (each for pattern in (_WRONG_ZH, _WRONG_EN) for each in pattern.finditer(words))
    partly = (each["quote"].strip() for each in found if each["partly"])
    admits = admits_mistake(words) and not _ACCUSES.search(words)
    return (*partly, *_scrapped(words), *(told_before(words) if admits else ()))


def restated(words: str) -> tuple[str, ...]:
    """What a message tells once more of what was said, to who got it wrong: "you misread, i told you there is none"."""
    return tuple(told_before(words)) if _ACCUSES.search(words) else ()


def told_before(words: str) -> Iterator[str]:
    """What a message quotes of what was said before: "更正下，之前说analyze没用，其实他跑的是测试库"."""
    for clause in clauses_in(words):
        told = next((found.end() for pattern in _TOLD if (found := pattern.search(clause))), len(clause))
        quote = clause[told:].strip()
        known = any(quote in each or each in quote for each in wrongly_said(words))
        if quote and not (known or only_errs(quote)):
            yield quote


def _scrapped(words: str) -> Iterator[str]:
    """The clauses that the next one takes back in the same sentence: "nobody deployed, scrap that"."""
    for sentence in _SENTENCE.split(words):
        clauses = [each.strip() for each in clauses_in(sentence)]
        for said, after in pairwise(clauses):
            if takes_back(after) and any(map(str.isalnum, without_amending(said))):
                yield said


def orders_it_off(clause: str) -> bool:
    """True if a clause orders off the record what stands before it: "take that out", 麻烦从记录里去掉."""
    return bool(_ORDERS_IT.search(clause.strip(" \t,.;!?，。；！？")))


def names_a_line(clause: str) -> bool:
    """True if a clause names what was said by more than pointing at it: "没人动过那句", "the weekend one"."""
    text = clause.lower().strip(" ,.;!，。；！")
    points = _phrases("points")
    pointed = any(len(text) in _ends(text, at, points) for at in range(len(text)))
    return pointed and any(map(str.isalnum, without_amending(text)))


def called_wrong(words: str) -> tuple[str, ...]:
    """What a message calls wrong in so many words, a statement or a part of one: "mornin is wrong" calls mornin so."""
    return tuple(dict.fromkeys([*wrongly_said(words), *_parts_called_wrong(words)]))


def _parts_called_wrong(words: str) -> list[str]:
    clauses = (clause.strip() for clause in clauses_in(words) if not only_errs(clause))
    parts = (found for clause in clauses for found in [_PART_WRONG.search(clause)] if found)
    named = (found["zh"] or found["en"] for found in parts)
    return [each for each in named if not _OF_NOTHING.search(each)]


def corrected_figures(words: str) -> tuple[str, ...]:
    """The words that put one figure in the place of another and name nothing: "不是8G是4G", "not 8G but 4G"."""
    return tuple(found.group() for found in _FIGURES.finditer(words))


def set_right(words: str) -> str:
    """What a message says in place of what it only calls wrong: "i told you crap before, the search is slow too"."""
    if found := _CALLS_ALL_WRONG.search(words):
        return found["said"].strip()
    figures = corrected_figures(words)
    return next((each.strip() for each in _SENTENCE.split(words) if any(figure in each for figure in figures)), "")


def denies(words: str) -> bool:
    """True if words begin by saying that there is none: "no alter table going on"."""
    return bool(_NONE.search(words))


def denies_errors(words: str) -> bool:
    """True if words say that there is no error: "no error at all", 没报错啊."""
    return bool(_NO_ERROR.search(words))


def clauses_in(words: str) -> list[str]:
    """The clauses of words; a blank beside Chinese ends one too, but not behind 的, which goes on."""
    return [clause for clause in _CLAUSE.split(words) if clause and clause.strip()]


_NO_ERROR = _LISTED.pattern("no_error")
# Whose mistake it was: who says again what they said before takes nothing of it back.
_ACCUSES = _LISTED.pattern("accuses")
_ORDERS_IT = _LISTED.pattern("orders_it")
_WRONG_ZH = _LISTED.pattern("wrong_zh")
_WRONG_EN = _LISTED.pattern("wrong_en")
_TOLD = (_LISTED.pattern("said_zh"), _LISTED.pattern("said_en"))
_OF_NOTHING = _LISTED.pattern("of_nothing")
# A part of what was said: a time, an amount, a name.
_PART_WRONG = _LISTED.pattern("part_wrong")
_FIGURES = _LISTED.pattern("figures")
_CALLS_ALL_WRONG = _LISTED.pattern("calls_all_wrong")
_NONE = _LISTED.pattern("none")
_TIME = _LISTED.pattern("time")
_ADMITS_EN = _LISTED.pattern("admits_en")


def _is_made_of(words: str, *cores: str) -> bool:
    """True if words are nothing but phrases of these lists, pointers and fillers, at least one of the lists."""
    text = words.lower().strip()
    if not text or len(text) > _LONGEST:
        return False
    core, known = _phrases(*cores), _phrases(*cores, "points", "fills")
    reached = {(0, False)}
    for at in range(len(text)):
        for has_core in [each for place, each in reached if place == at]:
            if text[at] in _BETWEEN:
                reached.add((at + 1, has_core))
            for end in _ends(text, at, known):
                reached |= {(end, has_core or text[at:end] in core)}
    return (len(text), True) in reached


def without_amending(words: str) -> str:
    """The words without those that only take back, point or fill: what is left names something."""
    text, at, left = words.lower(), 0, ""
    listed = _phrases("takes_back", "puts_back", "keeps", "errs", "points", "fills")
    while at < len(text):
        end = max(_ends(text, at, listed), default=at)
        left += text[at] if end == at else " "
        at = max(end, at + 1)
    return left


def without_times(words: str) -> str:
    """The words without times: who corrects only when something was has corrected nothing else."""
    return _TIME.sub(" ", words)


def _ends(text: str, start: int, phrases: frozenset[str]) -> Iterator[int]:
    """Where a phrase that begins at `start` may end; a word of Latin letters ends with its letters."""
    if start and _LETTER.match(text[start]) and _LETTER.match(text[start - 1]):
        return
    for end in range(start + 1, min(start + _LONGEST_PHRASE, len(text)) + 1):
        if text[start:end] not in phrases:
            continue
        if end == len(text) or not (_LETTER.match(text[end]) and _LETTER.match(text[end - 1])):
            yield end


@cache
def _phrases(*names: str) -> frozenset[str]:
    lists = load_lexicon("amending")
    return frozenset(str(word) for name in names for language in lists[name].values() for word in language)
