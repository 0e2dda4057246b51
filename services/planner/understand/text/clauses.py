"""A message cut into sentences and clauses; pasted output stays whole.

A sentence ends at a full stop, a question mark or a line break; a clause at a comma, at a conjunction that opens a new
statement, or, in Chinese, at a space after a finished predicate.
"""

from __future__ import annotations

from dataclasses import dataclass

from lang import deferred_re as re
from lang.cues import word_set
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import Message
from services.planner.understand.text.word_lists import compile_words, listed, words

_PASTED = listed("clauses.pasted")
_CELL = listed("clauses.cell")
_COLUMNS = 3
_COUNTED = 2
_RULE = listed("clauses.rule")
_ROWS = listed("clauses.rows")
_POSED = listed("clauses.posed")
# A person's sentence is shorter and a message has fewer; what is longer is pasted, and kept whole.
_LONG = 600
_MOST = 100
_HARD = listed("clauses.hard")
_LIST_NUMBER = listed("clauses.list_number")
# A colon after words opens what they announce.
# "(a) ... (b) ...": a list within a sentence.
_SOFT = listed("clauses.soft")
_FINISHED_ZH = listed("clauses.finished_zh")
# "没有 superuser": what is lacking follows.
_LACKING = listed("clauses.lacking")
# "忘了 commit": one word that no statement follows is its object.
_OBJECT = listed("clauses.object")
_AND = listed("clauses.and")
_PREDICATE = compile_words("text.predicate", words(r"[a-z]{2,}(?:ed|ing)"), r"\d", r"n't\b")


@dataclass(frozen=True)
class Clause:
    """normal[start:end] of a message; `asks` when a question mark ends it."""

    text: str
    start: int
    end: int
    asks: bool = False
    pasted: bool = False


@dataclass(frozen=True)
class Sentence:
    """The clauses between two full stops, in order."""

    clauses: tuple[Clause, ...]

    @property
    def text(self) -> str:
        """The sentence without its ending."""
        return ",".join(clause.text for clause in self.clauses)


def sentences_of(message: Message) -> tuple[Sentence, ...]:
    """The message's sentences, each with at least one clause."""
    found: list[Sentence] = []
    for start, end, asks, pasted in _spans(message.normal):
        if pasted:
            found.append(Sentence((_clause(message.normal, start, end, asks, pasted=True),)))
            continue
        cuts = [
            (left, right)
            for left, right in _cut(message.normal, start, end)
            if message.normal[left:right].strip(" ,.:、，'\"“”()-*>")
        ]
        clauses = tuple(_clause(message.normal, *cut, asks and cut is cuts[-1]) for cut in cuts)
        if clauses:
            found.append(Sentence(clauses))
    return tuple(found)


def _clause(text: str, start: int, end: int, asks: bool, pasted: bool = False) -> Clause:
    while start < end and text[start] in " ,:\n":
        start += 1
    while end > start and text[end - 1] in " ,.:\n":
        end -= 1
    return Clause(text[start:end], start, end, asks, pasted)


def _spans(text: str) -> list[tuple[int, int, bool, bool]]:
    """(start, end, asks, pasted) of each sentence; neighbouring pasted lines make one."""
    found: list[tuple[int, int, bool, bool]] = []
    position = 0
    lines = text.split("\n")
    tabled = _tabled(lines)
    for index, line in enumerate(lines):
        end = position + len(line)
        pasted = index in tabled or _PASTED.match(line)
        if len(line) <= _LONG and pasted and not _POSED.match(line):
            if found and found[-1][3]:
                found[-1] = (found[-1][0], end, False, True)
            else:
                found.append((position, end, False, True))
        elif line.strip():
            found.extend(_sentences(text, position, end))
        position = end + 1
    if len(found) > _MOST:
        found[_MOST:] = [(found[_MOST][0], found[-1][1], False, True)]
    return found


def _tabled(lines: list[str]) -> set[int]:
    """The lines of printed tables: the heading over a rule, and what stands from the rule to the count of rows."""
    found = _columns(lines)
    for rule in (index for index, line in enumerate(lines) if index > 0 and _RULE.match(line)):
        rows = (index for index in range(rule, len(lines)) if _ROWS.match(lines[index]))
        found.update(range(rule - 1, next(rows, rule) + 1))
    return found


def _columns(lines: list[str]) -> set[int]:
    """The lines of tables without a rule: a heading, and under it rows of as many columns with numbers in them."""
    found: set[int] = set()
    for index in range(1, len(lines)):
        heading, row = lines[index - 1].split(), lines[index].split()
        counted = sum(bool(_CELL.fullmatch(cell)) for cell in row)
        headed = index - 1 in found or not any(cell[0].isdigit() for cell in heading)
        if len(row) == len(heading) >= _COLUMNS and counted >= _COUNTED and headed:
            found |= {index - 1, index}
    return found


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int, bool, bool]]:
    found = []
    left = start
    for stop in _HARD.finditer(text, start, end):
        if _LIST_NUMBER.match(text[left : stop.start()]) and stop.group() == ".":
            continue
        found.append((left, stop.start(), "?" in stop.group(), stop.start() - left > _LONG))
        left = stop.end()
    if text[left:end].strip():
        found.append((left, end, False, end - left > _LONG))
    return [span for span in found if text[span[0] : span[1]].strip()]


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The clauses of one sentence."""
    cuts = [match.span() for match in _SOFT.finditer(text, start, end) if not (_names(text, start, match))]
    cuts += [
        match.span()
        for match in _FINISHED_ZH.finditer(text, start, end)
        if not (_LACKING.search(text, start, match.start()) or _OBJECT.match(text, match.end()))
    ]
    pieces: list[tuple[int, int]] = []
    left = start
    for cut_start, cut_end in sorted(cuts):
        pieces.append((left, cut_start))
        left = cut_end
    pieces.append((left, end))
    return [part for piece in pieces for part in _cut_at_and(text, *piece)]


def _names(text: str, start: int, cut: re.Match[str]) -> bool:
    """Whether a colon belongs to what it follows, as in "postgres: parallel worker"."""
    before = re.split(r"[,。!?;\n]", text[start : cut.start()])[-1]
    return cut.group() == ":" and is_technical(before)


def _cut_at_and(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut at "and" where a statement of its own follows a statement."""
    for match in _AND.finditer(text, start, end):
        left, right = text[start : match.start()], text[match.end() : end]
        if _states(left, 3) and _states(right, 2) and "between" not in left:
            return [(start, match.start()), *_cut_at_and(text, match.end(), end)]
    return [(start, end)]


def _states(text: str, least: int) -> bool:
    return len(text.split()) >= least and bool(_PREDICATE.search(text))


_UNASKED = listed("asking.unasked")
_PAUSES = ",，.。!！…~"


def without_opening(said: str) -> str:
    """The words without one that only asks for a moment ("等下", "wait,"): it answers nothing."""
    text = said.lstrip()
    for word in sorted(word_set("openings"), key=len, reverse=True):
        rest = text[len(word) :]
        # In English a space alone does not set a word apart: "wait events" are something seen.
        apart = rest[:1] in tuple(_PAUSES) if word.isascii() else rest[:1] in (" ", *_PAUSES)
        if text[: len(word)].lower() == word and rest and apart:
            return rest.lstrip(f" {_PAUSES}") or said
    return said


def without_unasked(said: str) -> str:
    """The words without what somebody says not to have asked: it is no question, and tells nothing."""
    return _UNASKED.sub("", said).strip() or said
