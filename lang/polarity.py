"""What turns a word of a clause round: negations before it, `none` after it; and words of degree without a number."""

from __future__ import annotations

from lang import deferred_re as re
from lang.clauses import Cue
from lang.cues import is_plain, load_lexicon, negation_words, word_set
from lang.numbers.model import Value
from lang.parts import LIST_WORDS, Parts
from lang.says import Says
from lang.subjects import Mention
from lang.tokens import Kind, Text
from lang.vocabulary import Quantity, Subject, Unit

_NEGATION_REACH = 4
LEVELS = ("fine", "unloaded", "bad", "high", "low", "large", "small", "slow", "fast")
_STOPS = frozenset(["fine", "unloaded", "bad", "rising", "falling", "flat", "turn", "except", "others"])
TRENDS = {"rising": "up", "falling": "down", "flat": "flat", "even": "flat"}
_FILLERS = word_set("fillers")
# "not forgotten its a dashboard": a statement of its own begins, which the negation before it does not reach.
_ENDS = word_set("reopens") | {":"}
_NEGATORS = word_set("negators")
_VALUE_FILLERS = word_set("value_fillers")
_GRADES = {"large": Says.HIGH, "small": Says.LOW, "slow": Says.HIGH, "fast": Says.LOW, "unloaded": Says.FINE}
_SIZES = frozenset(["large", "small"])
_LOAD = frozenset(["unloaded"])
# Words of speed, which a time can have.
SPEEDS = frozenset(["slow", "fast"])
_NOBODY, _HABITS = word_set("nobody"), word_set("habits")
_UNSEEN, _DEFINITE = word_set("unseen"), word_set("definite")
_FREQUENCIES = tuple(load_lexicon("plain")["frequencies"])


# "连接【没】问题": a negation set apart for its stress.
_STRESSED = re.compile(
    r"(?<=[\u4e00-\u9fff])[【\[（(“\"「『*]+(没有?|不|无|未|非)[】\])）”\"」』*]+(?=[\u4e00-\u9fff])"
)


def without_stress(message: str) -> str:
    """The message with its stressed negations as plain ones."""
    return _STRESSED.sub(r"\1", message)


def is_about(text: Text, parts: Parts, cue: Cue, mention: Mention) -> bool:
    """A word is about the subjects before it, up to the word before; or about one after it without a noun between."""
    if mention.first <= cue.first:
        between = [
            other
            for other in parts.cues
            if other.name in LEVELS and mention.last <= other.first and other.last <= cue.first
        ]
        return not between or cue.name in TRENDS
    before = any(other.first < cue.first for other in parts.mentions)
    near = mention.first - cue.last <= _NEGATION_REACH
    return near and not before and not _has_noun(text, parts, cue.last, mention.first)


def _has_noun(text: Text, parts: Parts, first: int, last: int) -> bool:
    """True if a word of its own stands here: "idle with last query ROLLBACK" is not said of rollbacks."""
    covered = {at for other in parts.mentions for at in other.tokens}
    covered |= {at for cue in parts.cues for at in range(cue.first, cue.last)}
    words = (text.tokens[at] for at in range(first, last) if at not in covered)
    return any(token.kind is Kind.WORD and not is_plain(token) for token in words)


def is_none(text: Text, parts: Parts, mention: Mention) -> bool:
    """True where a negation stands right before the subject, or in a list before it, or `none` ends the clause."""
    # A term with a negation of its own ("分区 + 没建") is not denied by it.
    own = {span for span in mention.spans if len(mention.spans) > 1 and text.tokens[span[0]].text in _NEGATORS}
    named = [span for span in mention.spans if span not in own]
    if any(negations_before(text, parts, first, last) % 2 for first, last in named):
        return not _is_out_of_sight(text, parts, mention)
    for cue in parts.cues:
        if (
            cue.name == "none"
            and cue.first >= mention.last
            and _only_fillers(text, cue.last, parts.clause.last)
            and _only_fillers(text, mention.last, cue.first, parts)
        ):
            return True
    return False


def _is_out_of_sight(text: Text, parts: Parts, mention: Mention) -> bool:
    """True for "can't see the report": a thing that is named as there, and cannot be looked at."""
    return any(
        cue.name == "negation"
        and cue.last <= mention.first
        and words_of(text, cue) in _UNSEEN
        and cue.last < len(text.tokens)
        and text.tokens[cue.last].text in _DEFINITE
        for cue in parts.cues
    )


def words_of(text: Text, cue: Cue) -> str:
    """The words of a cue in a row."""
    return "".join(token.text for token in text.tokens[cue.first : cue.last])


def _only_fillers(text: Text, first: int, last: int, parts: Parts | None = None) -> bool:
    names = {at for mention in parts.mentions for at in mention.tokens} if parts else set()
    tokens = [text.tokens[at] for at in range(first, last) if at not in names]
    return (
        all(
            token.kind in (Kind.COMMA, Kind.SIGN, Kind.STOP)
            or token.text in _FILLERS
            or (parts is not None and token.kind is Kind.HAN)
            for token in tokens
        )
        and len(tokens) <= 4
    )


def negations_before(text: Text, parts: Parts, first: int, last: int, skip: Mention | None = None) -> int:
    """The number of negations right before a word; in a list ("no deadlocks or lock waits") the list shares them."""
    count, at, reach = 0, first, _NEGATION_REACH
    cues = {cue.last: cue for cue in parts.cues if cue.name in ("negation", "doubled_negation")}
    listed = {span_last: span_first for other in parts.mentions for span_first, span_last in other.spans}
    if not _is_negation(text, first, last) and any(
        (cue.first <= first and last <= cue.last and cue.last - cue.first > last - first)
        # 没报错: 没报 reaches into 报错; in 都没有设 the negation is the word's own.
        or (cue.first < first < cue.last < last and text.tokens[first].text not in _NEGATORS)
        for cue in parts.cues
        if cue.name == "negation"
    ):
        return 1
    while at > parts.clause.first and reach:
        if at in cues:
            if cues[at].name == "doubled_negation":
                return count
            if text.tokens[cues[at].first].text == "nor":
                return count + 1  # It goes with the "neither" before it.
            count, at, reach = count + 1, cues[at].first, _NEGATION_REACH
        elif at in listed and skip is None and not count and listed[at] < at and _joins(text, at, first):
            at = listed[at]
        elif text.tokens[at - 1].text in _ENDS or any(cue.last == at and cue.name in _STOPS for cue in parts.cues):
            return count
        else:
            at, reach = at - 1, reach - 1
    return count


def _is_negation(text: Text, first: int, last: int) -> bool:
    """True for a word that denies by itself: a longer one around it (都没有 around 没有) says the same once."""
    return "".join(token.text for token in text.tokens[first:last]) in negation_words()


def value_negations(text: Text, parts: Parts, value: Value, mention: Mention) -> list[Cue]:
    """The negations of a bound, also over its own subject ("no session idle for more than 5 minutes").

    Those of an amount without a bound stand right before it.
    """
    first = min(value.covered)
    cues = {cue.last: cue for cue in parts.cues if cue.name in ("negation", "none", "doubled_negation")}
    stops = {cue.last for cue in parts.cues if cue.name in _STOPS}
    others = {at for other in parts.mentions for at in other.tokens} - mention.tokens
    found: list[Cue] = []
    at, reach = first, _NEGATION_REACH
    while at > parts.clause.first and reach:
        if at in cues:
            if cues[at].name == "doubled_negation":
                break
            found.append(cues[at])
            at, reach = cues[at].first, _NEGATION_REACH
        elif at in stops or (at - 1 in others and not (_joins(text, at, first) and mention.first > first)):
            break
        else:
            at -= 1
            reach -= at not in mention.tokens
            if value.bound is None and text.tokens[at].text not in _VALUE_FILLERS:
                break
    return found


def _joins(text: Text, last: int, first: int) -> bool:
    """True where two subjects stand in a list: joined by 、, 和, or, and."""
    return any(token.text in LIST_WORDS for token in text.tokens[last:first])


def level_of(text: Text, parts: Parts, mention: Mention, grades: frozenset[str]) -> tuple[Says, frozenset[int]] | None:
    """The word that tells how a subject stands, turned round by a negation before it. grades: what it has of these."""
    for cue in parts.cues:
        strange = cue.name in _GRADES and cue.name not in grades
        if cue.name not in LEVELS or strange or not is_about(text, parts, cue, mention):
            continue
        says = _GRADES.get(cue.name) or Says(cue.name)
        if negations_before(text, parts, cue.first, cue.last) % 2:
            says = {Says.FINE: Says.BAD, Says.BAD: Says.FINE, Says.HIGH: Says.LOW, Says.LOW: Says.HIGH}[says]
        return says, frozenset(range(cue.first, cue.last))
    return None


def grades_of(subject: Subject) -> frozenset[str]:
    """The words of size or speed that tell how a subject stands: an amount can be large, and a time slow.

    A share is neither ("a small insert", "little RAM", "a slow disk").
    """
    if not isinstance(subject, Quantity):
        return _SIZES | SPEEDS | _LOAD
    if subject.unit is Unit.SECONDS:
        return SPEEDS | _LOAD
    sized = subject.unit in (Unit.BYTES, Unit.COUNT, Unit.BYTES_PER_SECOND)
    return _SIZES | _LOAD if sized else _LOAD


def is_habit(text: Text, parts: Parts) -> bool:
    """True for "nobody ever purges": what is never done was not left undone lately."""
    return any(token.text in _HABITS for token in text.tokens[parts.clause.first : parts.clause.last])


def tells_how_often(words: str) -> bool:
    """True for words that say how often something is, and not how many: "all the time", 老是."""
    return any(term in words.lower() for term in _FREQUENCIES)


def nobody_does(text: Text, parts: Parts) -> bool:
    """True if a clause says that people do not do something, or do not see it."""
    denials = (cue for cue in parts.cues if cue.name == "negation")
    return any(words_of(text, cue) in _NOBODY | _UNSEEN for cue in denials)
