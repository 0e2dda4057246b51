"""Items named by their words: "no on the locks", "index 那条", "the hit ratio is 98".

The words of a clause are compared with the names of the listed items in both languages; a word counts the more, the fewer of the
items have it. An item is named when its words outweigh those of every other item clearly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from lang import deferred_re as re
from services.planner.model import Item, ItemList, SessionView, Verdict
from services.planner.understand.acts.words import word_counts
from services.planner.understand.items.references import Asked, likeness, terms_of
from services.planner.understand.items.synonyms import ENDINGS, concepts_at, is_state
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import CJK, read
from services.planner.understand.text.tokens import Kind, Token, tokens_of
from services.planner.understand.text.word_lists import compile_words, listed, read_words

_WORD = re.compile(rf"[a-z][a-z0-9]*|[{CJK}]+")
# Words of degree and existence are in many names and name none.
_COMMON = frozenset(read_words("items.common"))
# What a value is measured in names nothing: "40 min" is no "minute" of any item.
_UNITS = frozenset(read_words("items.units"))
_CJK_UNITS = frozenset(("分钟", "小时", "毫秒"))
_PREFIX = 3
_LONG = 5
# A word for a lack that is longer than a plain no says what is lacking: "inactive".
_PLAIN = 5
# A single Chinese character names something in so short a run only.
_SHORT = 6
_CLEAR = 0.6
_COMMON_WEIGHT = 0.2
_NEAR = 0.3
# What is spoken of is so many times as near as anything else.
_CLEARLY = 1.2
# Words that stand for an item whatever it is: "the lock thing".
_PART = listed("items.part")
# What a word of an item's test, and a word for what its name speaks of, count beside a word of its name.
_TESTED = 0.5
_MEANT = 0.7
_STATED = 0.45
# A word that only begins like one of a name, "replica" of "replication".
_BEGINS = 0.6
_LACKS = compile_words("items.lacks")
_IDENTIFIER = re.compile(r"(?<=%)[a-z]+|[a-z]+(?=%)|[a-z]+_[a-z_]+")
_HAN = re.compile(f"[{CJK}]{{2,}}")
Place = tuple[int, int]


@dataclass(frozen=True)
class Named:
    """An item that clause[start:end] names; `covered` is the share of the clause's content that its words make up.

    `own`: by words of its own, and not only by words for what it speaks of.
    """

    item: Item
    start: int
    end: int
    covered: float
    own: bool = True

    @property
    def lacks(self) -> bool:
        """Whether the item is the lack of something: a "no" beside its name may be what makes it present."""
        return speaks_of_lack(read(f"{self.item.name.zh} {self.item.name.en}").normal)


@dataclass(frozen=True)
class _Hit:
    """What names an item: a word or a concept, where it stands, and how much it counts. `own`: a word of its name."""

    key: str
    place: Place
    weight: float
    own: bool = False
    state: bool = False


@dataclass(frozen=True)
class _Terms:
    """What an item may be named by: words of its name, words of its test, and the concepts that its name speaks of."""

    name: frozenset[str]
    test: frozenset[str]
    concepts: frozenset[int]


@lru_cache(maxsize=1024)
def named(clause: str, asked: Asked) -> Named | None:
    """The one item of the list that a normalised clause names, if it clearly names one."""
    content = [token for token in tokens_of(clause) if token.kind is Kind.CONTENT and token.text.strip()]
    mentioned = _terms_at(clause, content, asked.list is ItemList.OPTIONS and len(clause) <= _SHORT)
    standing = {at for token in content for at in range(token.start, token.end)}
    meant = [place for place in concepts_at(clause) if standing & set(range(*place[1:]))]
    known = {item.ordinal: _terms_of(item) for item in asked.items}
    found = {ordinal: _found(mentioned, meant, terms, known) for ordinal, terms in known.items()}
    scored = sorted(((_score(hits), ordinal) for ordinal, hits in found.items()), key=lambda pair: -pair[0])
    if not scored or scored[0][0] <= _COMMON_WEIGHT * 2 or (len(scored) > 1 and scored[1][0] > _CLEAR * scored[0][0]):
        return None
    item = next(item for item in asked.items if item.ordinal == scored[0][1])
    hits = found[item.ordinal]
    places = [hit.place for hit in hits]
    start, end = min(place[0] for place in places), max(place[1] for place in places)
    covered = {at for place in places for at in range(*place)}
    size = sum(len(token.text) for token in content if not _PART.fullmatch(token.text))
    return Named(item, start, end, min(1.0, len(covered) / max(1, size)), any(hit.own for hit in hits))


def called(said: str, asked: Asked) -> Item | None:
    """The item of the list whose whole name stands in what is said."""
    return next((item for item in asked.items if is_called(item, said)), None)


def is_called(item: Item, said: str) -> bool:
    """Whether the whole name of an item stands in what is said, in either language."""
    return any(name and _plain(name) in _plain(said) for name in (item.name.zh, item.name.en))


def _plain(words: str) -> str:
    return "".join(each for each in words.casefold() if each.isalnum())


def touched(clause: str, asked: Asked) -> set[int]:
    """The ordinals of all items that any word of a normalised clause speaks of, clearly or not."""
    content = [token for token in tokens_of(clause) if token.kind is Kind.CONTENT or is_technical(token.text)]
    mentioned = _terms_at(clause, content, alone=False)
    meant = concepts_at(clause)
    known = {item.ordinal: _terms_of(item) for item in asked.items}
    return {ordinal for ordinal, terms in known.items() if _found(mentioned, list(meant), terms, known)}


def stated_verdict(clause: str, item: Item) -> Verdict | None:
    """What a clause with the words of an item that is a lack says of it: "the slot is not inactive"; None without them."""
    said = _LACKS.findall(clause)
    chinese = item.name.zh and re.search(f"[{CJK}]", "".join(said))
    named = _LACKS.findall(read(item.name.zh if chinese else item.name.en or item.name.zh).normal)
    if not {word for word in said if len(word) > _PLAIN} & set(named):
        return None
    return Verdict.DENIED if (len(said) - len(named)) % 2 else Verdict.CONFIRMED


def speaks_of_lack(text: str) -> bool:
    """Whether a normalised text has a word for something that is not, or no more: "not", "inactive", "没有"."""
    return bool(_LACKS.search(text))


def _found(
    mentioned: list[tuple[str, Place]], meant: list[tuple[int, int, int]], terms: _Terms, known: dict[int, _Terms]
) -> list[_Hit]:
    """What of a clause names an item: words of its name, else of its test, else what its name speaks of."""
    hits = [
        _Hit(term, place, _weight(term, known) * (1.0 if _is_form(term, terms.name) else _BEGINS), own=True)
        for term, place in mentioned
        if _matches(term, terms.name)
    ]
    taken = {at for hit in hits for at in range(*hit.place) if _is_form(hit.key, terms.name)}
    hits += [
        _Hit(term, place, _TESTED * _weight(term, known))
        for term, place in mentioned
        if not taken & set(range(*place)) and _matches(term, terms.test)
    ]
    for concept, start, end in meant:
        if concept in terms.concepts and not taken & set(range(start, end)):
            having = sum(concept in other.concepts for other in known.values())
            hits.append(
                _Hit(
                    f"~{concept}",
                    (start, end),
                    (_STATED if is_state(concept) else _MEANT) * math.log(1.0 + len(known) / having),
                    state=is_state(concept),
                )
            )
    return hits


def _score(hits: list[_Hit]) -> float:
    return sum({hit.key: hit.weight for hit in hits}.values())


def _terms_at(clause: str, content: list[Token], alone: bool) -> list[tuple[str, Place]]:
    """Words, and pairs of Chinese characters, of the content tokens, each with where it stands; `alone`: single ones too."""
    found: list[tuple[str, Place]] = []
    standing = {at for token in content for at in range(token.start, token.end)}
    for run in _WORD.finditer(clause):
        start, end = run.span()
        if run.group().isascii():
            if start in standing and run.group() not in _UNITS:
                found.append((run.group(), (start, end)))
            continue
        found += [
            (clause[at : at + 2], (at, at + 2))
            for at in range(start, end - 1)
            if (at in standing or at + 1 in standing) and clause[at : at + 2] not in _CJK_UNITS
        ]
        found += [
            (clause[at], (at, at + 1))
            for at in range(start, end)
            if at in standing and not {at - 1, at + 1} & standing and (alone or is_technical(clause[at]))
        ]
    return found


@lru_cache(maxsize=1024)
def _terms_of(item: Item) -> _Terms:
    name = read(f"{item.name.zh} {item.name.en}").normal
    test = read(f"{item.present_when.zh} {item.present_when.en}").normal
    concepts = frozenset(concept for concept, _, _ in concepts_at(name))
    return _Terms(
        _words_of(name), frozenset(_IDENTIFIER.findall(test)) | _words_of(" ".join(_HAN.findall(test))), concepts
    )


def _words_of(text: str) -> frozenset[str]:
    terms: set[str] = set()
    for run in _WORD.findall(text):
        terms.update({run} if run.isascii() else {run[at : at + 2] for at in range(len(run) - 1)} | set(run))
    return frozenset(terms)


def _weight(term: str, known: dict[int, _Terms]) -> float:
    having = sum(_matches(term, terms.name) or _matches(term, terms.test) for terms in known.values())
    rare = math.log(1.0 + len(known) / max(1, having))
    return rare * (_COMMON_WEIGHT if term in _COMMON else 0.5 if len(term) == 1 and not is_technical(term) else 1.0)


def _matches(term: str, terms: frozenset[str]) -> bool:
    """Whether a word stands in a name, itself or as the beginning of one: "seq" of "sequential", "locks" of "lock"."""
    if term in terms:
        return True
    if not term.isascii() or len(term) < _PREFIX:
        return False
    return any(other.isascii() and len(other) >= _PREFIX and _alike(term, other) for other in terms)


def _is_form(term: str, terms: frozenset[str]) -> bool:
    """Whether a word stands in a name, but for its ending."""
    return term in terms or any(ENDINGS.sub("", term) == ENDINGS.sub("", other) for other in terms if other.isascii())


def _alike(term: str, other: str) -> bool:
    """Whether two words begin alike, or are one word and its misspelling: a word that people write is none."""
    if other.startswith(term.removesuffix("s")) or term.startswith(other):
        return True
    if min(len(term), len(other)) < _LONG or term in word_counts():
        return False
    return OSA.distance(term, other, score_cutoff=2) <= (1 if len(term) < 2 * _PREFIX + 1 else 2)


def near_evidence(text: str, view: SessionView) -> int | None:
    """The place in the evidence of what a text speaks of; None when it speaks of none of it, or of several alike."""
    recorded = tuple(Item(at, said.phenomenon_id, said.name) for at, said in enumerate(view.evidence, 1))
    naming = named(text, Asked(ItemList.EVIDENCE, recorded))
    if naming is not None:
        return naming.item.ordinal - 1
    terms = terms_of(text)
    shares = []
    for index, evidence in enumerate(view.evidence):
        names = [name for name in (evidence.name.zh, evidence.name.en, evidence.words) if name]
        backward = max((likeness(terms_of(name), text) for name in names), default=0.0)
        shares.append((max(backward, likeness(terms, *names)), index))
    shares.sort(reverse=True)
    if not shares or shares[0][0] < _NEAR or (len(shares) > 1 and shares[1][0] > shares[0][0] / _CLEARLY):
        return None
    return shares[0][1]
