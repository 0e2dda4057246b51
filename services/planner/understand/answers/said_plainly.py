"""Answers in plain words that no label tells: a check that is refused, and a yes before the words of an item.

What somebody will not or cannot run is answered by "can't tell", so that nobody is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lang import deferred_re as re
from lang.judging.out_of_reach import out_of_reach_in, reachable_in
from lang.modality import is_guessed, is_out_of_reach
from lang.tokens import Kind, read_text
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Item,
    ItemList,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reference,
    SessionView,
    SuggestionStep,
    TurnPlan,
    Verdict,
)
from services.planner.understand.answers.shown import AT_HOST, CODE, last_answer, shown_check, told_to_look
from services.planner.understand.items.item_names import named
from services.planner.understand.items.references import Asked, terms_of
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.clauses import Clause, Sentence, sentences_of
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.marks import has_mark, is_only, marks_in, opening_of, without_marks
from services.planner.understand.text.messages import Message, read
from services.planner.understand.text.segments import is_bare, pointers_of, polarity_of
from services.planner.understand.text.tokens import Kind as Pointing

# So much of what follows a yes has to be words of the item.
_NAMES = 0.6
# What opens a statement as an answer shows it.
# Something is named that nobody can look at: "cant look at tps". A right that is lacking is of what was asked.
_LOOKS_AT = re.compile(
    r"\b(?:can'?t|cannot)\s+(?:look (?:at|into)|see|check|get at|reach|measure)\s+\w|[看查]不[了到]\w"
)
# A longer answer by nothing but a verdict is no plain one.
_BARE = 20
# A name of what has to be installed is longer.
_NAME = 5
# That what was seen counts, or does not; and what may stand behind that.
_COUNTS = {"counts_as_yes": Verdict.CONFIRMED, "counts_as_no": Verdict.DENIED}
_ENDS = " ,.!吧呗啊了哈啦"
# Words that two guesses share are no longer.
_OVERLAP = 80


def with_plain_answers(plan: TurnPlan, said: str, view: SessionView, pasted: bool = False) -> TurnPlan:
    """The plan with what its message refuses to check, and what it affirms by name or below an output."""
    plan = _with_affirmed(_with_refusals(_with_result(plan, said, view, pasted), said, view), said, view)
    return replace(plan, steps=tuple(_of_the_shown(step, view) for step in plan.steps))


def _of_the_shown(step: PlanStep, view: SessionView) -> PlanStep:
    """A bare answer that points at none of the checks, as one to the only check whose command was shown."""
    match step:
        case ClarifyStep(kind=ClarifyKind.AMBIGUOUS_FEEDBACK, words=words, references=references):
            bare = len(words) <= _BARE and is_bare(read(words).normal)
            every = len(references) == len(view.pending) > 1 and bare
            verdict = polarity_of(read(words).normal)
            if verdict is not None and every and not view.options and shown_check(view):
                return FeedbackStep(Reference(id=view.pending[0].phenomenon_id), verdict, words)
        case ClarifyStep(kind=ClarifyKind.VAGUE, words=words) if view.pending and is_out_of_reach(words):
            if not view.options and shown_check(view):
                return FeedbackStep(Reference(id=view.pending[0].phenomenon_id), Verdict.UNKNOWN, words)
    return step


def _with_result(plan: TurnPlan, said: str, view: SessionView, pasted: bool) -> TurnPlan:
    """The plan with the answer to the check that was shown, where a yes stands below its output, or it "counts"."""
    if len(view.options) > 1 or not (view.options or view.pending):
        return plan
    shown = not view.options and CODE in last_answer(view)
    sentences = sentences_of(read(said))
    pasted = pasted or any(each.pasted for sentence in sentences for each in sentence.clauses)
    clauses = [each for sentence in sentences for each in sentence.clauses]
    # What counts behind a statement is what that states.
    for clause in clauses if pasted else [each for each in clauses if not is_only(each.text, "before_yes")][:1]:
        verdict = _counted(clause, shown and pasted)
        if verdict is not None:
            words = read(said).words(clause.start, clause.end)
            steps = [step for step in plan.steps if not _is_of(step, words)]
            pending = Reference(id=view.pending[0].phenomenon_id) if view.pending else None
            of = Reference(ordinal=1, list=ItemList.OPTIONS) if view.options or pending is None else pending
            return replace(plan, steps=(*steps, FeedbackStep(of, verdict, words)))
    return plan


def _counted(clause: Clause, below_output: bool) -> Verdict | None:
    """What a clause says that what was seen counts as, if it says no more; below an output a yes says so."""
    verdict = next((each for mark, each in _COUNTS.items() if has_mark(clause.text, mark)), None)
    if verdict is None and below_output and has_mark(clause.text, "opens_yes"):
        verdict = Verdict.CONFIRMED
    left = clause.text
    for mark in (*_COUNTS, "opens_yes", "before_yes"):
        left = without_marks(left, mark)
    return None if left.strip(_ENDS) or clause.asks or clause.pasted else verdict


def _with_affirmed(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with a yes for each item that a clause names behind a yes: "YES the ALTER waits", "so yes, it adds up"."""
    if view.options:
        return plan
    message, steps = read(said), list(plan.steps)
    opened = -1
    for sentence in sentences_of(message):
        begins = sentence.clauses[0].start
        agreed = opened >= 0
        item = next((found for text in _behind_yes(sentence, agreed) if (found := _affirmed(text, view))), None)
        if item is not None:
            words = message.words(opened if agreed else begins, sentence.clauses[-1].end)
            steps = [step for step in steps if not _is_of(step, words)]
            steps.append(FeedbackStep(Reference(id=item.phenomenon_id), Verdict.CONFIRMED, words))
        opened = begins if all(is_only(clause.text, "opens_yes") for clause in sentence.clauses) else -1
    return replace(plan, steps=tuple(steps))


def _behind_yes(sentence: Sentence, agreed: bool) -> Iterator[str]:
    """The clauses of a sentence behind a yes that opens one of them, or stood before it; no question, and no guess."""
    for clause in sentence.clauses:
        start = opening_of(clause.text, "opens_yes", "before_yes")
        agreed = agreed or has_mark(clause.text[:start], "opens_yes")
        if agreed and not (clause.pasted or clause.asks or has_wh(clause.text) or is_guessed(clause.text)):
            yield clause.text[start:]
        agreed = agreed or not without_marks(without_marks(clause.text, "opens_yes"), "before_yes").strip(" ,.!")


def _affirmed(text: str, view: SessionView) -> Item | None:
    """The item that was asked or answered of which a clause says nothing but its name."""
    recorded = tuple(Item(at, each.phenomenon_id, each.name) for at, each in enumerate(view.evidence, 1))
    lists = (Asked(ItemList.PENDING, view.pending), Asked(ItemList.EVIDENCE, recorded))
    found = [each for each in (named(text, asked) for asked in lists if asked.items) if each is not None]
    clear = [each for each in found if each.own and each.covered >= _NAMES]
    if not clear:
        return None
    best = max(clear, key=lambda each: each.covered)
    # The no of a name, "no index on the column", denies nothing.
    names = (best.item.name.en.lower(), best.item.name.zh.lower())
    beside = next((text.replace(name, " ") for name in names if name and name in text), text)
    return None if polarity_of(beside) is Verdict.DENIED else best.item


def _with_refusals(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with "can't tell" for each check that a clause refuses, in place of what else the clause was taken for."""
    if not view.pending:
        return plan
    message, steps = read(said), list(plan.steps)
    for clause, apart in _clauses_of(message, view):
        told = clause.pasted or clause.asks or any(each.within for each in reachable_in(clause.text))
        item = None if apart or told else _refused(clause.text, view)
        if item is not None:
            words = message.words(clause.start, clause.end)
            steps = [step for step in steps if not _is_of(step, words)]
            steps.append(FeedbackStep(Reference(id=item.phenomenon_id), Verdict.UNKNOWN, words))
    return replace(plan, steps=tuple(steps))


def _clauses_of(message: Message, view: SessionView) -> Iterator[tuple[Clause, bool]]:
    """The clauses, and whether each goes on, in its sentence, with what cannot be looked at and was not asked."""
    for sentence in sentences_of(message):
        apart = False
        for clause in sentence.clauses:
            apart = apart or _is_of_another(clause.text, view)
            yield clause, apart


def _is_of_another(text: str, view: SessionView) -> bool:
    """Whether a clause names what cannot be looked at, and it is neither asked nor in the last answer: "at tps"."""
    if not (out_of_reach_in(text) or _LOOKS_AT.search(text)) or any(pointers_of(text)):
        return False
    left = without_marks(without_marks(without_marks(text, "cannot_look"), "before_cannot"), "the_machine").strip()
    if not is_technical(left) or named(left, Asked(ItemList.PENDING, view.pending)) is not None:
        return False
    shown = told_to_look(view).lower()
    words = (token.text for token in read_text(left).tokens if token.kind is Kind.WORD)
    terms = [term for term in (*words, *terms_of(left)) if is_technical(term)]
    return bool(terms) and not any(term in shown for term in terms)


def _refused(text: str, view: SessionView) -> Item | None:
    """The check that a clause refuses: the one that it names, else the one that was asked first."""
    pointing = {token.kind for token in pointers_of(text)}
    if pointing - {Pointing.JUST}:
        return None
    left = without_marks(without_marks(without_marks(text, "refuses"), "cannot_look"), "before_cannot")
    about = named(left, Asked(ItemList.PENDING, view.pending)) if left.strip() else None
    if has_mark(text, "no_more_of"):
        return about.item if about is not None else None
    if has_mark(text, "not_installed") and _names_what_was_shown(text, view):
        return view.pending[0]
    if _opens_with(text, "refuses", "before_refusal") or _cannot_look(text, view):
        return about.item if about is not None else view.pending[0]
    return about.item if about is not None and about.own and is_out_of_reach(text) else None


def _opens_with(text: str, wanted: str, leading: str) -> bool:
    """True if a clause opens with a word of one list, behind words of another at most: "不跑", not "定时任务不跑了"."""
    before = {at for found in marks_in(text) if found.payload == leading for at in range(found.first, found.last)}
    wants = (found.first for found in marks_in(text) if found.payload == wanted)
    return any(all(at in before for at in range(first)) for first in wants)


def _cannot_look(text: str, view: SessionView) -> bool:
    """True if a clause says that the one check whose command was shown cannot be run, and does not say it bare."""
    bare = is_bare(text) and not any(pointers_of(text))
    beside = has_mark(text, "the_machine") and AT_HOST not in last_answer(view)
    apart = shown_check(view) is not None and not (view.options or bare or beside)
    return apart and _opens_with(text, "cannot_look", "before_cannot")


def _names_what_was_shown(text: str, view: SessionView) -> bool:
    """True if a clause names a word of the last answer that can be installed: an extension, a tool."""
    shown = last_answer(view).lower()
    commands = "\n".join(shown.split(CODE)[1::2])
    words = (token.text for token in read_text(without_marks(text, "not_installed")).tokens if token.kind is Kind.WORD)
    return any(len(word) >= _NAME and word in commands for word in words)


def _is_of(step: PlanStep, words: str) -> bool:
    """Whether a step is a guess at just these words."""
    match step:
        case ObservationStep(text=said) | SuggestionStep(text=said):
            return said in words
        case QuestionStep(kind=QuestionKind.REASONING | QuestionKind.WHAT_IF, text=said):
            return said in words
        case ClarifyStep(words=said):
            return said in words
        case FeedbackStep(words=said):
            return _shares_words(said, words) and not any(pointers_of(read(said).normal))
    return False


def _shares_words(said: str, words: str) -> bool:
    """True if words are within others, or end in what those begin with."""
    return said in words or any(
        said.endswith(words[:end]) for end in range(_NAME, min(len(words), len(said), _OVERLAP))
    )
