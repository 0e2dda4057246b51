"""Questions: what one is about, and whether a clause asks with a word for it."""

from __future__ import annotations

from services.planner.glossary.known_terms import find_term
from services.planner.model import Group, ItemList, QuestionKind, QuestionStep, Reference, SessionView
from services.planner.understand.items.references import open_list, terms_of
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import segments_of
from services.planner.understand.text.tokens import Kind
from services.planner.understand.text.word_lists import compile_words, listed

_INTERROGATIVES = (
    r"(?<![没不])(?<!没有)(?:怎么|怎样|咋|如何|哪|什么|啥|谁|多少)",
    r"(?<![没好十百千这那头前后过有])几(?=[个次条种步轮成项单起桩件张台套份回])",
    r"多(?=久|大|高|长)",
)
_WH = compile_words("questions.wh", *_INTERROGATIVES)
_SUBJECT_NOISE = compile_words("questions.subject_noise", *_INTERROGATIVES)
_NO_QUESTION = listed("asking.no_question")
_NUMBER = listed("asking.number")
# "那我该怎么办" goes on from what was said and points at nothing in it.
_POINTS = compile_words(
    "questions.points",
    r"这(?!下|时候?|会儿?|样|么)",
    r"那(?!我|咱|你|就|还|现在|目前|眼下|接下来|接着|下一?步|之后|以后|然后|到底|究竟|应该|应当|该|要不?|怎么?办|咋|怎么(?:处理|解决|修|弄|做|搞)|如何(?:处理|解决|修)|有没有|有什么|么|样)",
)
# What something is that is named.
_NAMES_SOMETHING = listed("treatment.names_something")
_WHO_WHOM = listed("answerable.who_whom")
# What ends so asks how something is seen, whatever stands before.
_HOW_TO_SEE = listed("asking.how_to_see")


def has_wh(clause: str) -> bool:
    """True if it asks with an interrogative word, not for a yes or no. "不是什么日志" denies."""
    return bool(_WH.search(_NO_QUESTION.sub("", clause)))


def asks_to_see(text: str) -> bool:
    """True if a question is how something is seen or checked."""
    return _HOW_TO_SEE.match(text) is not None


def asks_who_waits(text: str) -> bool:
    """True if a question is who waits for whom."""
    return _WHO_WHOM.search(read(text).normal) is not None


def names_something(sentence: str) -> bool:
    """Whether a sentence asks what something is that is named, and is no term of the field: "what is old_dwh_sub"."""
    found = _NAMES_SOMETHING.search(sentence)
    return found is not None and find_term(found["asked"] or found["named"]) is None


def question(kind: QuestionKind, clause: str, words_said: str, view: SessionView) -> QuestionStep:
    """The step of a question with what it is about."""
    return QuestionStep(kind, subject_of(clause, view), words_said)


def subject_of(clause: str, view: SessionView) -> Reference | None:
    """What a question is about: an id, an ordinal, "this", or words with content."""
    asked = open_list(view)
    for segment in segments_of(clause):
        for token in segment.refs:
            if token.kind is Kind.ID:
                return Reference(id=canonical_id(token.text))
            if token.kind is Kind.ORDINALS and asked.find(token.numbers[0]):
                return asked.at(token.numbers[0])
            if token.kind is Kind.LAST and asked.items:
                return Reference(group=Group.LAST, list=asked.list)
    for number in _NUMBER.finditer(clause):
        if asked.find(int(number[1])):
            return asked.at(int(number[1]))
    rest = _SUBJECT_NOISE.sub(" ", clause)
    if terms_of(rest) and is_technical(rest):
        return Reference(words=" ".join(rest.split()))
    if _POINTS.search(clause):
        return Reference(group=Group.JUST_MENTIONED)
    return None


def last_asked(view: SessionView) -> Reference | None:
    """What the last answer asked first: of the open clarification, else of the checks; None if it asked nothing."""
    item_list, items = (ItemList.OPTIONS, view.options) if view.options else (ItemList.PENDING, view.pending)
    return Reference(ordinal=items[0].ordinal, list=item_list) if items else None
