"""What-if questions: what is supposed, and that nothing of it is claimed."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from services.planner.model import Assumption, PlanStep, QuestionKind, QuestionStep, Reference, SessionView, Verdict
from services.planner.understand.items.references import open_list
from services.planner.understand.text.clauses import Clause, Sentence
from services.planner.understand.text.lexicon import words
from services.planner.understand.text.messages import Message
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import Segment, segments_of
from services.planner.understand.text.tokens import Kind
from services.planner.understand.text.word_lists import compile_words

_OPENS = re.compile(
    r"^(?:那|那么|嗯|请问|我想知道|想问下?|另外|还有|and|so|but|ok|hmm+|also|then|[\s,])*(?P<if>(?:如果|要是|假如|假使|假设(?!有哪)|假定|倘[若使]|若是?|万一|要不是|设想|(?:我)?换成|(?:就算|即使|哪怕|当(?!我[啥什没])作?))(?!需要|方便|可以|不行|不介意)(?:说|是说)?|"
    + words(
        r"what if|had (?:i|we|it|that)|if(?! (?:you (?:had to|ask|could|were)|i (?:read|recall|remember|had to)|needed|possible|you (?:want|need|like)|necessary|so))|suppos(?:e|ing)(?: that)?|assum(?:e|ing)(?: that)?|say|imagine(?: that)?|pretend(?:ing)?(?: that| like)?|picture(?: that)?|let'?s (?:say|assume|suppose|pretend)(?: that)?|hypothetically|provided(?: that)?|were"
    )
    + r")\s*"
)
_WITHIN = compile_words(
    "questions.within",
    words(
        r"in (?:a|an|another|some) (?:\w+ )?(?:universe|world|timeline)",
        r"if(?! (?:(?:that|it|this) (?:helps|matters|is any (?:use|help))|needed|possible|you (?:want|need|like)|necessary|so))",
    ),
    r"(?:拿|撇|抛|剔|摘|挪)(?:掉|开|走|出去)(?=$|[\s,])",
    r"(?<![哪个些种的条])假设(?![是有])",
)
# What comes of a supposition.
_STILL = compile_words("questions.still")
_LONG = 60
_IF = re.compile(r"^.{0,6}(?:如果|要是|假如|假使|倘若|若是|万一)|" + words("what if"))
_REST_OF_IF = re.compile(r"(?:的话|呢|会怎么?样?|怎么样|怎么办|会如何|then)?$")
_CONSEQUENCE = compile_words("questions.consequence")


def supposition_of(sentence: Sentence, message: Message, view: SessionView) -> QuestionStep | None:
    """The what-if question that a sentence is; None when it supposes nothing."""
    first = sentence.clauses[0]
    opening = _OPENS.match(first.text)
    span = (first.start, sentence.clauses[-1].end)
    if opening is None:
        inner = next((clause for clause in sentence.clauses if _WITHIN.search(clause.text)), None)
        if inner is None or not any(_CONSEQUENCE.search(clause.text) for clause in sentence.clauses):
            return None
        found = _WITHIN.search(inner.text)
        supposed = _Supposed(inner, found.end() if found else 0)
        return _question(supposed, message, view, span)
    return _question(_Supposed(first, opening.end()), message, view, span)


def answers_ahead(sentence: Sentence) -> int:
    """How many clauses answer before one that opens a supposition: "1 yes, and if 2 were no?"; 0 when none do."""
    opens = next((at for at, clause in enumerate(sentence.clauses) if _supposes_by_opening(clause)), 0)
    told = [any(one.pointed and one.verdict for one in segments_of(clause.text)) for clause in sentence.clauses[:opens]]
    if not told or not all(told) or any(clause.asks for clause in sentence.clauses[:opens]):
        return 0
    return opens


def _supposes_by_opening(clause: Clause) -> bool:
    """Whether a clause supposes by the word that it opens with, after what it points at."""
    opening = _OPENS.match(clause.text) or _IF.search(clause.text)
    return opening is not None


def sentence_question(sentence: Sentence, message: Message, view: SessionView) -> QuestionStep:
    """The what-if question that a whole sentence is."""
    first, last = sentence.clauses[0], sentence.clauses[-1]
    return _question(_Supposed(first, 0), message, view, (first.start, last.end))


def question_of(clause: Clause, message: Message, view: SessionView) -> QuestionStep:
    """The what-if question that a clause is, whatever it opens with."""
    return _question(_Supposed(clause, 0), message, view, (clause.start, clause.end))


def asks_of_same(before: Sequence[PlanStep], text: str) -> bool:
    """Whether a question asks what comes of what was supposed just before it: "... does your theory survive?"."""
    last = before[-1] if before else None
    supposed = isinstance(last, QuestionStep) and last.kind is QuestionKind.WHAT_IF
    return supposed and len(text) < _LONG and bool(_STILL.search(text))


class _Supposed:
    """A clause and where in it the supposition begins."""

    def __init__(self, clause: Clause, offset: int) -> None:
        ending = _REST_OF_IF.search(clause.text)
        self.start = clause.start + offset
        self.text = clause.text[offset : ending.start() if ending and ending.start() > offset else None]


def _question(supposed: _Supposed, message: Message, view: SessionView, span: tuple[int, int]) -> QuestionStep:
    said = message.words(supposed.start, supposed.start + len(supposed.text))
    assumptions = tuple(assumption for segment in segments_of(supposed.text) for assumption in _assumed(segment, view))
    if not assumptions and said:
        segments = segments_of(supposed.text)
        verdict = next((segment.verdict for segment in segments if segment.verdict), Verdict.CONFIRMED)
        assumptions = (Assumption(Reference(words=said), verdict),)
    return QuestionStep(QuestionKind.WHAT_IF, None, message.words(*span), assumptions)


def _assumed(segment: Segment, view: SessionView) -> list[Assumption]:
    verdict = segment.verdict or Verdict.CONFIRMED
    asked = open_list(view)
    found: list[Assumption] = []
    for token in segment.refs:
        if token.kind is Kind.ID:
            found.append(Assumption(Reference(id=canonical_id(token.text)), verdict))
        elif token.kind is Kind.ORDINALS:
            found += [Assumption(asked.at(number), verdict) for number in token.numbers if asked.find(number)]
    return found
