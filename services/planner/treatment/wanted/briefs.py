"""Orders for a summary of the case: that one is wanted, for whom and how long, and how the last one is to be rewritten.

What such an order says is how to write; nothing of it is a statement about the system.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from services.planner.model import (
    Brief,
    BriefPart,
    Language,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reader,
    SessionView,
    Speaker,
)
from services.planner.treatment.actions import actions_in
from services.planner.treatment.sentences import clauses_of, places_of, sentences_of
from services.planner.understand.acts.case_topics import likely_topic
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import language_of
from services.planner.understand.text.numerals import number_of
from services.planner.understand.text.word_lists import listed

_ASKS, _ASKS_LAST, _DENIED = (listed(f"briefs.{name}") for name in ("asks", "asks_last", "denied"))
_NEW, _OWN = listed("briefs.new"), listed("briefs.own")
_LEAVES, _ADDS = listed("briefs.leaves"), listed("briefs.adds")
_SAYS_THAT, _LABELLED, _QUOTED = (listed(f"briefs.{name}") for name in ("says_that", "labelled", "quoted"))
_ENDS = " 。.；;“”\"‘’'「」"
_NAME_OF_DBAS = "dba"
_PARTS, _JARGON, _FILLER = listed("briefs.parts"), listed("briefs.jargon"), listed("briefs.filler")
_COUNT, _LINES = listed("briefs.count"), listed("briefs.lines")
_PLAIN, _TECHNICAL, _SIMPLE = listed("briefs.plain"), listed("briefs.technical"), listed("briefs.simple")
_ENGLISH, _CHINESE = listed("briefs.english"), listed("briefs.chinese")
_SHORTER, _LONGER, _AGAIN, _REFUSED = (listed(f"briefs.{name}") for name in ("shorter", "longer", "again", "refused"))
_LEAVES_SURE, _UPDATES, _PIECE = (listed(f"briefs.{name}") for name in ("leaves_sure", "updates", "piece"))
_ASKS_BACK = listed("briefs.asks_back")
_TONE, _AUDIENCE = listed("briefs.tone"), listed("briefs.audience")
_HAN, _WORD = listed("briefs.han"), listed("briefs.word")
_WANTING, _NOTED, _OF_ONE_THING = (listed(f"briefs.{name}") for name in ("wanting", "noted", "of_one_thing"))
# What says how the last one is to be, each a whole clause but for words without a meaning of their own. Some turns
# later a language or a length may be that of the answers.
_MANNERS_LATER = (_COUNT, _AGAIN, _TONE, _AUDIENCE)
_MANNERS = (*_MANNERS_LATER, _SHORTER, _LONGER, _ENGLISH, _CHINESE)
_LEFT_OF_PART, _LEAST_WORD = 3, 3
# A part is named in so many characters; more tell something.
_NAMED = 16
# Parts that a new order names to have them in it.
_ASKED_FOR = (BriefPart.DONE, BriefPart.PREVENTION, BriefPart.NEXT)
# So many sentences has a summary after one that was refused, and one that is to be short.
_REFUSED_SENTENCES, _SHORT = 3, 3
# For so many turns a text may be rewritten; so many parts that are named are what it is to have.
_KEPT, _SEVERAL = 3, 2


class Order(NamedTuple):
    """An order for a summary, and the message before and after its words."""

    step: QuestionStep
    before: str
    after: str

    @property
    def rest(self) -> str:
        """What the message says beside the order."""
        return "\n".join(part for part in (self.before.strip(" \n，,、"), self.after.strip(" \n，,、")) if part)


def read_order(said: str, view: SessionView) -> Order | None:
    """The order in a message, from the first clause that gives one up to the end of the last sentence with one."""
    spans = _ordering(said, view)
    if not spans:
        return None
    first, last = spans[0][0], spans[-1][1]
    words = said[first:last].strip()
    if view.brief is None and likely_topic(words)[0] == QuestionTopic.PREVENTION:
        return None  # "What do I tell them so that it stays away" wants no summary.
    return Order(_step(words, brief_of(words, view, said)), said[:first], said[last:])


def _step(words: str, brief: Brief) -> QuestionStep:
    return QuestionStep(QuestionKind.HELP, None, words, topic=QuestionTopic.SUMMARY, brief=brief)


def brief_of(words: str, view: SessionView, said: str = "") -> Brief:
    """How a summary is to be written by these words: a new one, or the last one with what they change."""
    before = view.brief
    if before is None or _is_another(words.lower(), view):
        named = parts_named(words.lower())
        asked = tuple(part for part in named if len(named) >= _SEVERAL or part in _ASKED_FOR)
        told = before or Brief()  # What was set right of the case holds for any text.
        language = language_of(said or words, view.language)
        kept = replace(told, reader=None, sentences=0, lines=False, without=(), own="")
        before = replace(kept, language=language, within=asked)
    return _changed(before, words, view)


def is_recent(view: SessionView) -> bool:
    """Whether the last text was written so lately that it may be rewritten."""
    return view.brief is not None and view.turn - view.briefed <= _KEPT


def _is_another(said: str, view: SessionView) -> bool:
    """Whether words ask for another summary, for somebody or of a kind, and not for the last one changed."""
    if not is_recent(view):
        return True
    asks = _ASKS.search(said) or _ASKS_LAST.search(said)
    if not (asks and _NEW.search(said)) or _UPDATES.search(said):
        return False
    changes = any(pattern.search(said) for pattern in (_SHORTER, _LONGER, _REFUSED, _OWN))
    return not (changes and view.turn - view.briefed <= 1) and (
        _PIECE.search(said) is not None or not _AGAIN.search(said)
    )


def _ordering(said: str, view: SessionView) -> list[tuple[int, int]]:
    """Where a message gives orders: from a clause that does to the end of its sentence."""
    own = _OWN.search(said) if is_recent(view) else None
    found: list[tuple[int, int]] = []
    for start, sentence in places_of(said, sentences_of):
        for at, clause in places_of(sentence, clauses_of):
            if own is not None and own.start() < start + at + len(clause):
                return [*found, (min(own.start(), start + at), len(said))]
            onward = sentence[at:]
            if _OF_ONE_THING.search(sentence.lower()) and not _PIECE.search(sentence.lower()):
                continue
            if _asks(clause.lower()) or _ASKS_LAST.search(onward.lower()):
                found.append((start + _with_who_wants_it(sentence, at), start + len(sentence)))
                break
            if is_recent(view) and _tells_how(clause, onward, view):
                put = _put_in(onward, clause)
                found.append((start + at, start + at + len(onward if put and not _named_alone(put) else clause)))
    return found


def _asks(clause: str) -> bool:
    """Whether a clause asks for a summary, and does not say that none is wanted."""
    found = _ASKS.search(clause)
    return found is not None and not _DENIED.search(clause[: found.start()])


def _with_who_wants_it(sentence: str, at: int) -> int:
    """Where an order at this place of a sentence begins: with the clause before it that says who wants it."""
    before = [place for place, clause in places_of(sentence[:at], clauses_of) if _WANTING.search(clause.lower())]
    return before[-1] if before and at - before[-1] <= 2 * _NAMED else at


def _tells_how(clause: str, onward: str, view: SessionView) -> bool:
    """Whether a clause says how the last summary is to be, and nothing else. onward: with the rest of its sentence."""
    left = clause.lower()
    if _REFUSED.search(left) or _left_out(clause, view) or _put_in(onward, clause) is not None:
        return True
    for manner in _MANNERS if view.turn - view.briefed <= 1 else _MANNERS_LATER:
        left = manner.sub(" ", left)
    told = left != clause.lower()
    for beside in (_PLAIN, _TECHNICAL, _PARTS, _FILLER):
        left = beside.sub(" ", left)
    return told and not _units(left)


def _units(text: str) -> int:
    """How much a text says: Chinese characters and other words."""
    return len(_HAN.findall(text)) + len(_WORD.findall(text))


def _left_out(clause: str, view: SessionView) -> str:
    """What is to be left out, where that is a thing of a summary: a part, jargon, or words that stood in it."""
    found = _LEAVES.search(clause.lower())
    words = next(filter(None, found.groups()), "").strip() if found is not None else ""
    if not words or len(words) > 2 * _NAMED:
        return ""
    if _named_alone(words) or _JARGON.search(words):
        return words
    last = _last_text(view).lower()
    named = [word for word in _WORD.findall(_FILLER.sub(" ", words)) if len(word) >= _LEAST_WORD and word in last]
    return " ".join(named) if named else words if words in last or _LEAVES_SURE.search(clause.lower()) else ""


def _put_in(onward: str, clause: str) -> str | None:
    """What this clause says is to be added: a part, or a sentence of the person's; what is done is no order."""
    found = _ADDS.search(onward)
    words = next(filter(None, found.groups()), None) if found is not None else None
    if not words or found is None or found.start() >= len(clause):
        return None
    before = _FILLER.sub(" ", onward[: found.start()].lower())
    if _units(before) or _ASKS_BACK.search(words.lower()) or (found["back"] and not _named_alone(words)):
        return None
    of_summary = _named_alone(words) or _tells(words)
    return words if of_summary or not (actions_in(words) or is_technical(words.lower())) else None


def _changed(brief: Brief, words: str, view: SessionView) -> Brief:
    own = _OWN.search(words)
    if own is not None:
        return replace(brief, own=(own["own"] or own["owned"]).strip(), added=(), without=(), within=())
    brief, words = _worded(brief, words, view)
    said = words.lower()
    brief = _counted(_addressed(brief, said), said)
    if _SHORTER.search(said) and not _COUNT.search(said):
        short = max(_SHORT, len(brief.within)) + len(brief.added)
        brief = replace(brief, sentences=max(1, (_told(view) + 1) // 2) if is_recent(view) else short)
    if _LONGER.search(said):
        brief = replace(brief, sentences=0)
    if _REFUSED.search(said):
        fewer = min(_REFUSED_SENTENCES, max(1, _told(view) - 1))
        sentences = brief.sentences if _COUNT.search(said) else fewer
        brief = replace(brief, reader=Reader.PLAIN, sentences=sentences, own="")
    if _ENGLISH.search(said) or _CHINESE.search(said):
        brief = replace(brief, language=Language.EN if _ENGLISH.search(said) else Language.ZH)
    return brief


def _addressed(brief: Brief, said: str) -> Brief:
    if _TECHNICAL.search(said) and not _SIMPLE.search(said):
        another = brief.reader is not Reader.TECHNICAL
        return replace(brief, reader=Reader.TECHNICAL, sentences=0 if another else brief.sentences)
    return replace(brief, reader=Reader.PLAIN) if _PLAIN.search(said) else brief


def _counted(brief: Brief, said: str) -> Brief:
    found = _COUNT.search(said)
    if found is None:
        return brief
    number = number_of(found["count"] or found["counted"] or found["rows"] or found["made"], cardinal=True)
    return replace(brief, sentences=number, lines=_LINES.search(said) is not None) if number else brief


def _worded(brief: Brief, words: str, view: SessionView) -> tuple[Brief, str]:
    """The brief with what is left out and what is added, and the words without these."""
    if noted := _NOTED.search(words):
        told = noted["noted"].strip(_ENDS)
        brief, words = replace(brief, added=(*brief.added, told)), words.replace(noted[0], "", 1)
    for sentence in sentences_of(words):
        for at, clause in places_of(sentence, clauses_of):
            if left := _left_out(clause, view):
                brief, words = _without(brief, left), words.replace(clause, "", 1)
            elif (put := _put_in(sentence[at:], clause)) is not None:
                alone = _put_in(clause, clause)
                told, end = (alone, at + len(clause)) if alone and _named_alone(alone) else (put, len(sentence))
                first = at + next(each.start() for each in _ADDS.finditer(sentence[at:]))
                brief, words = _with(brief, told), words.replace(sentence[first:end], "", 1)
                if told is put:
                    break
    return brief, words


def _tells(words: str) -> bool:
    """Whether words are marked as a sentence of the person's own: "that ...", "impact: ...", in quotes."""
    return any(mark.match(words.lower()) for mark in (_SAYS_THAT, _LABELLED, _QUOTED))


def _named_alone(words: str) -> bool:
    """Whether words name a part of a summary, and tell nothing of their own."""
    said = words.lower()
    left = _FILLER.sub(" ", _PARTS.sub(" ", said))
    named = _PARTS.search(said) is not None and not _tells(words)
    return named and _units(left) <= _LEFT_OF_PART


def _without(brief: Brief, words: str) -> Brief:
    if _JARGON.search(words):  # Then not even the name that DBAs have for the cause.
        brief = replace(brief, reader=Reader.PLAIN, unsaid=tuple(dict.fromkeys((*brief.unsaid, _NAME_OF_DBAS))))
    parts = parts_named(words)
    if not parts and not _JARGON.search(words):
        return replace(brief, unsaid=tuple(dict.fromkeys((*brief.unsaid, words))))
    within = tuple(part for part in brief.within if part not in parts)
    return replace(brief, without=tuple(dict.fromkeys((*brief.without, *parts))), within=within)


def _with(brief: Brief, words: str) -> Brief:
    parts = parts_named(words.lower()) if _named_alone(words) else ()
    if parts:
        without = tuple(part for part in brief.without if part not in parts)
        return replace(brief, within=tuple(dict.fromkeys((*brief.within, *parts))), without=without)
    told = words[len(found[0]) :] if (found := _SAYS_THAT.match(words.lower())) else words
    return replace(brief, added=tuple(dict.fromkeys((*brief.added, told.strip(_ENDS)))))


def parts_named(words: str) -> tuple[BriefPart, ...]:
    """The parts of a summary that words name."""
    return tuple(dict.fromkeys(BriefPart[each.lastgroup.upper()] for each in _PARTS.finditer(words) if each.lastgroup))


def _told(view: SessionView) -> int:
    """How many sentences the last summary had."""
    return len(list(sentences_of(_last_text(view))))


def _last_text(view: SessionView) -> str:
    return next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
