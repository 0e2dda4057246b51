"""Answers to what was asked: which items a clause points at, and what it says of them.

A clause is read into segments, each some references with one verdict, in either order ("1 and 3 yes", "yes to 1 and 3").
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from services.planner.model import Verdict
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import CJK_CHAR
from services.planner.understand.text.numerals import number_of
from services.planner.understand.text.tokens import Kind, Token, content_of, tokens_of
from services.planner.understand.text.word_lists import compile_words, listed

_POINTING = (
    Kind.ORDINALS,
    Kind.ID,
    Kind.FIRST,
    Kind.LAST_ITEMS,
    Kind.LAST,
    Kind.MIDDLE,
    Kind.ENDS,
    Kind.ODD,
    Kind.EVEN,
    Kind.FROM_END,
    Kind.JUST,
)
_GROUPING = (Kind.ALL, Kind.REST)
_WITHIN = (Kind.JUST, Kind.ODD, Kind.EVEN)
_AFTER = ("以外", "之外", "以外的", "之外的", "刨掉", "刨去", "刨除", "撇开", "除去", "除开")
_SILENT = (Kind.MARK, Kind.FUNCTION)
_BARE = listed("text.bare_number")
_JOINS = compile_words("text.joins", r"[,、/&]", r"and")
_JOINING = listed("text.joining")
# What a clause goes on with after the ordinal that it begins with: "5得等明早".
_GOES_ON = compile_words("text.goes_on")
_COPULA = compile_words("text.copula", r"right", r"there")
# No list is longer: a bare number above it is a value, unless it stands among verdicts as ordinals do.
_MOST = 20
_NOT_NOT = listed("text.denying_verb")


# Where a phrase points at an item that was asked about.
ITEM = "{}"


@dataclass(frozen=True)
class Segment:
    """References with what is said of them. `excepted`: the references that "except" takes out."""

    refs: tuple[Token, ...] = ()
    excepted: tuple[Token, ...] = ()
    verdict: Verdict | None = None
    hedged: bool = False
    only: bool = False
    verdict_first: bool = False
    content: str = ""

    @property
    def pointed(self) -> bool:
        """Whether it names items one by one."""
        return any(token.kind in _POINTING for token in (*self.refs, *self.excepted))

    @property
    def empty(self) -> bool:
        """Whether it says nothing at all."""
        return not (self.refs or self.excepted or self.verdict or self.hedged or self.content)


@dataclass
class _Reader:
    """Collects tokens into segments."""

    done: list[Segment] = field(default_factory=list)
    now: Segment = Segment()
    excepting: bool = False
    last: Token | None = None

    def close(self) -> None:
        if not self.now.empty:
            self.done.append(self.now)
        self.now, self.excepting = Segment(), False

    def refer(self, token: Token) -> None:
        complete = self.now.refs and self.now.verdict is not None and not self.now.verdict_first
        if complete and not self.excepting:
            self.close()
        if self.now.verdict is not None and not self.now.refs and not self.excepting:
            self.now = replace(self.now, verdict_first=True)
        if self.excepting and token.kind not in _GROUPING:
            self.now = replace(self.now, excepted=(*self.now.excepted, token))
        else:
            self.excepting = False
            self.now = replace(self.now, refs=(*self.now.refs, token))

    def judge(self, token: Token) -> None:
        verdict = token.verdict
        if self.now.verdict is not None and self.now.verdict_first:
            self.close()
        elif self.now.verdict is not None:
            verdict = _combined(self.now.verdict, self.last, token)
        self.now = replace(self.now, verdict=verdict)
        self.excepting = False
        self.last = token


def _combined(first: Verdict, last: Token | None, token: Token) -> Verdict:
    """Two verdicts on the same thing: a double negation affirms, else unknown and no outweigh yes."""
    if last and last.verdict is token.verdict is Verdict.DENIED:
        glued = last.end == token.start and _NOT_NOT.match(last.text)
        if glued:
            return Verdict.CONFIRMED
    return max(first, token.verdict or first)


@lru_cache(maxsize=256)
def segments_of(clause: str) -> tuple[Segment, ...]:
    """The clause as segments, in order."""
    reader = _Reader()
    tokens = _placed(tokens_of(clause))
    for index, token in enumerate(tokens):
        if token.kind in (*_POINTING, *_GROUPING):
            reader.refer(token)
        elif token.kind is Kind.VERDICT:
            if not _links(tokens, index):
                reader.judge(token)
        elif token.kind is Kind.EXCEPT and token.text in _AFTER and (reader.now.refs or reader.excepting):
            reader.now = replace(reader.now, excepted=(*reader.now.excepted, *reader.now.refs), refs=())
        elif token.kind is Kind.EXCEPT:
            reader.excepting = True
        elif token.kind is Kind.ONLY:
            _only(reader)
        elif token.kind is Kind.HEDGE:
            _hedge(reader)
        elif token.kind is Kind.CONTENT:
            reader.now = replace(reader.now, content=reader.now.content + token.text)
    reader.close()
    return tuple(reader.done)


def _links(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether a verdict only links an item with what is said of it: "P-0015 是乌龙"."""
    following = tokens[index + 1 :]
    apart = bool(following) and not following[0].text.strip()
    after = following[apart] if len(following) > apart else None
    if not _COPULA.fullmatch(tokens[index].text) or after is None or after.kind is not Kind.CONTENT:
        return False
    return not apart or after.text[0].isdigit()


@lru_cache(maxsize=256)
def pointers_of(clause: str) -> tuple[Token, ...]:
    """The tokens that point at items, one by one or as a group, in order."""
    return tuple(token for token in _placed(tokens_of(clause)) if token.kind in (*_POINTING, *_GROUPING))


def _only(reader: _Reader) -> None:
    if reader.now.refs and reader.now.verdict is not None:
        reader.close()
    reader.now = replace(reader.now, only=True)


def _hedge(reader: _Reader) -> None:
    reader.now = replace(reader.now, hedged=True)


def _placed(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens, with bare numbers that stand where no ordinal stands made content."""
    return _in_lists(
        tuple(
            token
            if token.kind is not Kind.ORDINALS
            or token.explicit
            or ((token.numbers[0] <= _MOST or _among_verdicts(tokens, index)) and _is_placed(tokens, index))
            else _as_content(token)
            for index, token in enumerate(tokens)
        )
    )


def _in_lists(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Numbers that are joined to one that points point too: "out on 3 and 4".

    Inside a Chinese word nothing points: "尾巴那个" is no "that one", "订单数" no "odd ones".
    """
    found = list(tokens)
    for order in (range(len(found)), reversed(range(len(found)))):
        last: Token | None = None
        for at in order:
            token = found[at]
            if token.kind is Kind.CONTENT and _BARE.fullmatch(token.text) and last is not None:
                token = found[at] = replace(token, kind=Kind.ORDINALS, numbers=(number_of(token.text),))
            if token.kind is Kind.ORDINALS and len(token.numbers) == 1:
                last = token
            elif not (_JOINS.fullmatch(token.text.strip()) if token.text.strip() else True):
                last = None
    for at in range(1, len(found)):
        before = found[at - 1]
        if found[at].kind in _WITHIN and before.kind is Kind.CONTENT and CJK_CHAR.match(before.text):
            found[at] = _as_content(found[at])
    return tuple(found)


def _among_verdicts(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether a verdict follows and nothing but a verdict stands before."""
    before = next((token for token in reversed(tokens[:index]) if token.kind not in _SILENT), None)
    after = next((token for token in tokens[index + 1 :] if token.kind not in _SILENT), None)
    return after is not None and after.kind is Kind.VERDICT and (before is None or before.kind is Kind.VERDICT)


def _as_content(token: Token) -> Token:
    return replace(token, kind=Kind.CONTENT, numbers=())


def _is_placed(tokens: tuple[Token, ...], index: int) -> bool:
    before = next((token for token in reversed(tokens[:index]) if token.kind not in _SILENT), None)
    at = next((at for at in range(index + 1, len(tokens)) if tokens[at].kind not in _SILENT), len(tokens))
    after = tokens[at] if at < len(tokens) else None
    if before and before.kind in (Kind.CONTENT, Kind.JUST):
        return bool(
            before.kind is Kind.CONTENT
            and after
            and after.kind is Kind.VERDICT
            and before.end < tokens[index].start
            and any(token.kind is Kind.VERDICT for token in tokens[:index])
        )
    if not after and _is_value(tokens[:index]):
        return False
    if after and after.kind is Kind.CONTENT:
        between = "".join(token.text for token in tokens[index + 1 : at])
        states_value = before is None and after.text[0].isdigit() and bool(between.strip() or after.text.endswith("%"))
        goes_on = (between.strip() == "" and between) or _GOES_ON.match(between.strip() or after.text)
        says = before is None and bool(goes_on) and bool(CJK_CHAR.match(after.text))
        return states_value or says or bool(_JOINING.search(between))
    return True


def _is_value(before: tuple[Token, ...]) -> bool:
    """Whether what stands before a number that ends a clause makes it what something comes to: "死锁 grep 是 0"."""
    said = list(islice((token for token in reversed(before) if token.kind not in _SILENT), 2))
    copula = bool(said) and said[0].kind is Kind.VERDICT and _COPULA.fullmatch(said[0].text) is not None
    return copula and len(said) > 1 and is_technical("".join(token.text for token in before))


def polarity_of(clause: str) -> Verdict | None:
    """The one verdict of a clause without regard to items; None when it has none or several."""
    found = {segment.verdict for segment in segments_of(clause) if segment.verdict is not None}
    return found.pop() if len(found) == 1 else None


def is_bare(clause: str) -> bool:
    """Whether the clause is nothing but references, verdicts and function words."""
    return not content_of(_placed(tokens_of(clause)))


def masked(clause: str) -> str:
    """The clause with `{}` in the place of each reference."""
    text, end = "", 0
    for token in pointers_of(clause):
        text += clause[end : token.start] + ITEM
        end = token.end
    return text + clause[end:]


def without_items(hidden: str) -> str:
    """A masked clause without the places of items."""
    return hidden.replace(ITEM, " ")
