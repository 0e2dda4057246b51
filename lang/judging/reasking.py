"""A question that is asked again: "you didn't answer: can I restart?", 我问的是…. Who asks again states nothing.

The words that only complain go. What they point back at, or say was asked, stands in their place as the question it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lang import deferred_re as re
from lang.clauses import asks_a_not_a, points_at_thing
from lang.cues import cue_terms, telling_parts
from lang.listed import lists_beside
from lang.tokens import read_text

_LISTED = lists_beside(__file__)

# So many messages back a question may have been asked, and so long it is.
_RECENT, _LONGEST = 4, 160
# A question of no more characters than this names nothing by itself.
_BARE = 8
_UNIT = re.compile(r"(?:[^,.;!?~，。；！？…\n]|\.(?=\w))+[,.;!?~，。；！？…]*")
_SENTENCE = re.compile(r"(?:[^.;!?。；！？\n]|\.(?=\w))+[.;!?。；！？]*")
_ENDS = ' \t,.;!?~，。；！？…:："“”'
# What was not asked: nothing of it is so, or wanted.
_NOT_ASKED = _LISTED.pattern("not_asked")
# What nobody wants to hear of any more: nothing is said of it.
_ENOUGH = _LISTED.pattern("enough")
# What was asked, said once more.
_ASKED = _LISTED.pattern("asked")
_CONTRASTS = re.compile(r"(?i)\bnot\b|不是|^about\b")
_UNANSWERED = _LISTED.pattern("unanswered")


def asked_anew(message: str, earlier: Sequence[str]) -> str:
    """A message as if its questions were asked for the first time. earlier: the person's messages before, oldest first.

    Rows of output stay as they are, and so does a message that would have nothing left.
    """
    before = [question for said in list(earlier)[: -_RECENT - 1 : -1] for question in questions_in(said)]
    if not before:
        return message
    pieces, left_out, last = [], False, 0
    for start, end, unit in _units(message):
        instead = _instead(unit, before, _SENTENCE.match(message, end))
        left_out = left_out or (instead == "" and not _ENOUGH.search(unit))
        if instead is not None:
            blank = unit[: len(unit) - len(unit.lstrip())] if instead else ""
            pieces += [message[last:start], f"{blank}{instead}"]
            last = end
    if not pieces:
        return message
    told = "".join((*pieces, message[last:])).strip()
    if left_out and not any(asks(unit) for _, _, unit in _units(told)):
        # What is complained of is that the last question has no answer.
        told = f"{told} {next(questions_in(earlier[-1]), '')}".strip()
    return told or message


def asked_once_more(message: str) -> str:
    """The question that a message says was asked before; empty where it says so of none."""
    complains = False
    for _, _, unit in _units(message):
        complaint, rest = _complaint_in(unit.strip(_ENDS))
        asked = _ASKED.search(rest)
        question = (asked["en"] or asked["zh"]).strip(_ENDS) if asked else ""
        if asked and (asked["en"] or asks(question)):
            return _closed(question)
        complains = complains or complaint or _NOT_ASKED.search(rest) is not None
    marked = (each.group() for each in _SENTENCE.finditer(message) if each.group().endswith(("?", "？")))
    return next((each for said in marked for each in questions_in(said)), "") if complains else ""


def questions_in(said: str) -> Iterator[str]:
    """The questions of a message, each from the clause on in which its sentence begins to ask."""
    for sentence in (each.group() for each in _SENTENCE.finditer(said) if "|" not in each.group()):
        units = [unit for unit in _UNIT.findall(sentence) if not _NOT_ASKED.search(unit.strip(_ENDS))]
        first = next((at for at, unit in enumerate(units) if asks(unit)), len(units))
        if 0 < first < len(units) and len("".join(units[first:])) <= _BARE:
            first -= 1  # "..., is that safe?" is of what stands before.
        question = "".join(units[first:]).strip(_ENDS)
        if question and len(question) <= _LONGEST and not _UNANSWERED.search(question):
            yield _closed(question)


def asks(unit: str) -> bool:
    """Whether a clause asks: by its mark, by a word that always does, or by how it begins or ends."""
    text = read_text(unit.strip(_ENDS))
    cues = [each for each in cue_terms().find(text) if not points_at_thing(text, each.first, each.last)]
    opens = any(each.payload == "question_opening" and each.first == 0 for each in cues)
    ends = any(each.payload == "question_end" and each.last == len(text.tokens) for each in cues)
    cued = opens or ends or any(each.payload == "question" for each in cues)
    return "?" in unit or "？" in unit or cued or asks_a_not_a(text.tokens)


def _units(message: str) -> Iterator[tuple[int, int, str]]:
    """The clauses of a message that stand in no row of output, with their places."""
    at = 0
    for line in message.split("\n"):
        if "|" not in line:
            yield from ((at + each.start(), at + each.end(), each.group()) for each in _UNIT.finditer(line))
        at += len(line) + 1


def _instead(unit: str, before: Sequence[str], after: re.Match[str] | None) -> str | None:
    """What stands in place of a clause: a question, nothing for a mere complaint; None where it stays as it is.

    after: the rest of its sentence, which may go on asking.
    """
    said = unit.strip(_ENDS)
    if _NOT_ASKED.search(said) or _ENOUGH.search(said):
        return ""
    complaint, rest = _complaint_in(said)
    if asked := _ASKED.search(rest):
        question = (asked["en"] or asked["zh"]).strip(_ENDS)
        if _CONTRASTS.search(question) and not asks(question):
            return None  # "我问的是临时文件不是日志" names what is meant.
        goes_on = unit.rstrip().endswith((",", "，")) and after is not None and asks(after.group())
        return _closed(question, unit.rstrip()[-1] if goes_on else "")
    if not complaint:
        return None
    return _closed(rest) if rest and asks(rest) else _named_in(rest, before)


def _complaint_in(said: str) -> tuple[bool, str]:
    """Whether a clause says that there was no answer, and what else it says."""
    found = _UNANSWERED.search(said)
    return (False, said) if found is None else (True, f"{said[: found.start()]} {said[found.end() :]}".strip(_ENDS))


def _named_in(rest: str, before: Sequence[str]) -> str:
    """The question before, the latest first, of which most is named; empty where none is."""
    named = telling_parts(rest)
    shared = [(len(named & telling_parts(each)), each) for each in before]
    return max(shared, key=lambda each: each[0])[1] if any(count for count, _ in shared) else ""


def _closed(question: str, mark: str = "") -> str:
    """A question with its mark."""
    return question + (mark or ("?" if question.isascii() else "？"))
