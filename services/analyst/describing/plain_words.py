"""Names of tables and columns in plain words, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_LEXICON = Path(__file__).parent / "lexicon.yaml"
_HAN = re.compile(r"[一-鿿]")
_PARTS = re.compile(r"[一-鿿]+|[A-Z]+(?=[A-Z][a-z]+)|[A-Z]?[a-z]+|[A-Z]+|\d+")
_REMARK = re.compile(r"\s*[(（][^()（）]*[)）]\s*")
_LONGEST = 4
_PLURALS = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "matches": "match",
    "statuses": "status", "viruses": "virus", "buses": "bus", "campuses": "campus", "cases": "case", "bases": "base",
    "data": "data", "series": "series", "staff": "staff", "sales": "sales",
}  # fmt: skip


@cache
def lexicon() -> Mapping[str, Any]:
    """The word lists."""
    content: Mapping[str, Any] = yaml.load(_LEXICON.read_text("utf-8"), yaml.CSafeLoader)
    return content


@cache
def _concepts() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The entry of each word, of both languages."""
    found: dict[str, Mapping[str, Sequence[str]]] = {}
    for concept in lexicon()["concepts"]:
        for word in (*concept["en"], *concept["zh"]):
            found.setdefault(word, concept)
    return found


def is_chinese(text: str) -> bool:
    """True if a text has a Chinese character."""
    return _HAN.search(text) is not None


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in small letters: parts of snake_case and camelCase, short forms written out."""
    bare = re.sub(r"['’]", "", without_remark(name))
    words: list[str] = []
    for part in _PARTS.findall(bare):
        small = part.lower()
        words += str(lexicon()["abbreviations"].get(small, small)).split()
    if len(words) > 1 and words[:1] == ["number"] and "of" not in words:
        words.insert(1, "of")
    return tuple(words) or (name.lower(),)


def without_remark(name: str) -> str:
    """A name without what stands in parentheses: "Free Meal Count (K-12)" is called free meal count."""
    bare = _REMARK.sub(" ", name).strip()
    return bare or name


def english(name: str) -> str:
    """A name in English; empty where a Chinese one is not in the lexicon. A last word like `at` says only its role."""
    words = list(words_of(name))
    if is_chinese(name):
        return _translate(words, "en", " ")
    if len(words) > 1 and words[-1] in ("at", "on", "dt", "ts"):
        words[-1] = str(lexicon()["roles"][words[-1]])
    return " ".join(words)


def chinese(name: str) -> str:
    """A name in Chinese; empty where one of its words is not in the lexicon."""
    if is_chinese(name):
        return name.strip()
    return _translate(list(english(name).split()), "zh", "")


def _translate(words: Sequence[str], language: str, between: str) -> str:
    """Words one by one, the longest phrases first; empty where one is unknown."""
    parts = [part for word in words for part in (_split_chinese(word) if is_chinese(word) else [word])]
    made: list[str] = []
    at = 0
    while at < len(parts):
        for size in range(min(_LONGEST, len(parts) - at), 0, -1):
            concept = _concept(" ".join(parts[at : at + size]))
            if concept:
                made.append(concept[language][0])
                at += size
                break
        else:
            if language == "zh" or is_chinese(parts[at]):
                return ""
            made.append(parts[at])
            at += 1
    return between.join(made)


def _split_chinese(word: str) -> list[str]:
    """A Chinese word cut into words of the lexicon, the longest first; itself where that fails."""
    if word in _concepts():
        return [word]
    for size in range(len(word) - 1, 0, -1):
        if word[:size] in _concepts():
            return [word[:size], *_split_chinese(word[size:])]
    return [word]


def _concept(words: str) -> Mapping[str, Sequence[str]] | None:
    return _concepts().get(words) or _concepts().get(singular(words))


def synonyms(name: str) -> tuple[str, ...]:
    """Other names for the whole of a name that is one entry of the lexicon."""
    concept = _concept(english(name) or name) or _concept(name)
    return (*concept["en"], *concept["zh"]) if concept else ()


def singular(phrase: str) -> str:
    """A phrase with its last word in the singular."""
    head, _, last = phrase.rpartition(" ")
    return f"{head} {_singular_word(last)}".strip()


def _singular_word(word: str) -> str:
    if word in _PLURALS:
        return _PLURALS[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "shes", "ches", "zzes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "news")):
        return word[:-1]
    return word


def plural(phrase: str) -> str:
    """A phrase with its last word in the plural."""
    head, _, last = singular(phrase).rpartition(" ")
    if last in ("data", "series", "staff", "sales"):
        made = last
    elif last == "person":
        made = "people"
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        made = last[:-1] + "ies"
    elif last.endswith(("s", "x", "sh", "ch", "z")):
        made = last + "es"
    else:
        made = last + "s"
    return f"{head} {made}".strip()


def slug(phrase: str, otherwise: str) -> str:
    """A phrase as an id of a layer; `otherwise` for one without Latin letters."""
    made = re.sub(r"[^a-z0-9]+", "_", phrase.lower()).strip("_")
    if not made:
        return otherwise
    return made if made[0].isalpha() else f"n_{made}"


def ends_with(name: str, usage: str) -> bool:
    """True if a name's last words are in a list of usages."""
    phrase = f" {singular(english(name) or name)}"
    return any(phrase.endswith(f" {singular(word)}") for word in lexicon()["usage"][usage])


def has_word(name: str, usage: str) -> bool:
    """True if one of a name's words is in a list of usages."""
    return bool(set(words_of(english(name) or name)) & set(lexicon()["usage"][usage]))


def unique(words: Iterable[str]) -> tuple[str, ...]:
    """Words without the empty and those that stand before, whatever the case."""
    kept: dict[str, str] = {}
    for word in words:
        if word and word.strip():
            kept.setdefault(word.strip().lower(), word.strip())
    return tuple(kept.values())
