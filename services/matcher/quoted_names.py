"""Names of items that a message quotes: their words are of that item, and of no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lang import deferred_re as re
from lang.judging.judge import Finding
from services.matcher.model import LocalizedText

# A shorter name is a word that people use themselves.
_LEAST_WORDS, _LEAST_CHARACTERS = 5, 9
_LEAST_PART = 3
_IN_QUOTES = re.compile(
    r"(?<![A-Za-z])'([^'\n]{6,100})'(?![A-Za-z])|\"([^\"\n]{6,100})\"|“([^”\n]{4,100})”|‘([^’\n]{4,100})’|「([^」\n]{4,100})」"
)
# What answers the item that was quoted: "…: yes".
_ANSWERED = re.compile(r"\s*(?:[:：=]|is\b|was\b|有|没有|是|不是|yes\b|no\b)", re.IGNORECASE)
# A list of items, quoted whole; nobody quotes more in a sentence.
_MOST_CHARACTERS = 2_000


class QuotedNames:
    """The names of a library's phenomena, as a message may quote them."""

    def __init__(self, names: Mapping[str, LocalizedText]) -> None:
        self._every = [(name.casefold(), each) for each, both in names.items() for name in (both.zh, both.en)]
        self._names = [(name, each) for name, each in self._every if _is_telling(name)]

    def without_others(
        self, said: str, found: Sequence[Finding], judge: Callable[[str], Sequence[Finding]]
    ) -> tuple[Finding, ...]:
        """The findings, without those that only the words of another item's name are the reason for.

        A part of a name in quotation marks, without an answer or a value beside it, points at its item, claims nothing.
        """
        if not found or len(said) > _MOST_CHARACTERS:
            return tuple(found)
        if pointing := list(self._pointing(said)):
            rest_said = _blanked(said, pointing)
            told = {each.phenomenon_id for each in judge(rest_said)}
            quoted_only = [
                each
                for each in found
                if any(_meet(each, start, end) for start, end in pointing) and not _has_value(each, rest_said)
            ]
            found = [each for each in found if each.phenomenon_id in told or each not in quoted_only]
        if len(found) < 2:
            return tuple(found)
        quoted = list(self._quoted(said))
        named = {each for _, _, each in quoted}
        if not quoted:
            return tuple(found)
        rest = {each.phenomenon_id for each in judge(_blanked(said, [(start, end) for start, end, _ in quoted]))}
        return tuple(
            each
            for each in found
            if each.phenomenon_id in named | rest or not any(_meet(each, start, end) for start, end, _ in quoted)
        )

    def _pointing(self, said: str) -> Iterator[tuple[int, int]]:
        """Where parts of names stand in quotation marks without an answer to them.

        What a name quotes itself is a server's message: who quotes it as well has seen it.
        """
        for quoted in _IN_QUOTES.finditer(said):
            words = next(filter(None, quoted.groups())).casefold().strip(" .。,，")
            message = any(f'"{words}"' in name for name, _ in self._every)
            named = _is_part(words) and not message and any(words in name for name, _ in self._every)
            if named and not _ANSWERED.match(said, quoted.end()):
                yield quoted.span()

    def _quoted(self, said: str) -> Iterator[tuple[int, int, str]]:
        folded = said.casefold()
        if len(folded) == len(said):
            for name, each in self._names:
                if (start := folded.find(name)) >= 0:
                    yield start, start + len(name), each


def _is_part(words: str) -> bool:
    return len(words.split()) >= _LEAST_PART or (not words.isascii() and len(words) >= _LEAST_CHARACTERS // 2)


def _is_telling(name: str) -> bool:
    return len(name.split()) >= _LEAST_WORDS or (not name.isascii() and len(name) >= _LEAST_CHARACTERS)


def _blanked(said: str, places: Iterable[tuple[int, int]]) -> str:
    kept = list(said)
    for start, end in places:
        kept[start:end] = " " * (end - start)
    return "".join(kept)


def _has_value(finding: Finding, said: str) -> bool:
    return finding.value is not None and any(map(str.isdigit, said[slice(*finding.span)]))


def _meet(finding: Finding, start: int, end: int) -> bool:
    return finding.span[0] < end and start < finding.span[1]
