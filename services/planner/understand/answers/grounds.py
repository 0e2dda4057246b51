"""What an answer stands on: no item gets a verdict that the message does not point at, one by one or all together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lang import deferred_re as re
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    Item,
    ItemList,
    PlanStep,
    Reference,
    Verdict,
)
from services.planner.understand.answers.turn import Turn
from services.planner.understand.classifier.acts import Act, act_of, is_known
from services.planner.understand.items.amounts import verdict_on
from services.planner.understand.items.item_names import touched
from services.planner.understand.items.references import Asked, open_list, ordinals_of
from services.planner.understand.judging.classified import masked, without_items
from services.planner.understand.text.clauses import Sentence
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import pointers_of, polarity_of
from services.planner.understand.text.tokens import Kind, tokens_of
from services.planner.understand.text.word_lists import compile_words

_CLAIMS = (Verdict.CONFIRMED, Verdict.DENIED)
_OF_LIST = (Kind.ALL, Kind.REST, Kind.EXCEPT, Kind.ONLY)
# So sure the learned acts have to be to be believed against the words' own yes or no: "纯属子虚乌有"; and to be
# heard against a verdict that no word says.
_LIKELY = 0.6
_AGAINST = 0.8
# Words that say no more than "so": "没有的事".
_FILLING = compile_words("answers.filling")
_AND = compile_words("answers.and", r"[,;/&、和跟]")
_WORDS = re.compile(r"[a-z]{2,}")
_FEW = 3
_NONE = compile_words("answers.none")


def grounded(steps: Sequence[PlanStep], sentences: Sequence[Sentence], turn: Turn) -> tuple[PlanStep, ...]:
    """The steps without yes or no on items that nothing in the message points at; such items are asked back."""
    asked = open_list(turn.view)
    if len(asked.items) < 2 or not any(_claims(step, asked) for step in steps):
        return tuple(steps)
    clauses = [clause.text for sentence in sentences for clause in sentence.clauses]
    heard = {turn.words(clause): clause.text for sentence in sentences for clause in sentence.clauses}
    placed = {ordinal for text in clauses for ordinal in placed_in(text, asked)}
    named = {ordinal for text in clauses for ordinal in touched(text, asked)}
    excepted = any(token.kind is Kind.EXCEPT for text in clauses for token in tokens_of(text))
    unheard = any(_is_unheard(text) for text in clauses)
    said = [step for step in steps if isinstance(step, FeedbackStep)]
    alike = {one.words for one in said if all(one.verdict is step.verdict for step in said if step.words == one.words)}
    kept: list[PlanStep] = []
    for step in steps:
        if not isinstance(step, FeedbackStep) or not _claims(step, asked):
            kept.append(step)
            continue
        reached = _reached(step.reference, asked)
        text = heard.get(step.words, read(step.words).normal)
        item = asked.find(min(reached)) if len(reached) == 1 else None
        if item is not None and contradicts(step.verdict, text, item, asked):
            kept.append(ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, step.words, (step.reference,)))
            continue
        alone = speaks_of_group(text) or (not placed and not _FILLING.sub(" ", _content(text)).strip())
        if alone and unheard and not speaks_of_group(text) and len(reached) > 1:
            kept += _asked_back(step, reached, reached, asked)
            continue
        spread = excepts(text) or (
            (alone or excepted) and speaks_of_all(text) and not (step.words in alike and _says_both(text))
        )
        if spread or reached <= placed | named:
            kept.append(step)
        else:
            kept += _asked_back(step, reached - placed - named, reached, asked)
    return tuple(kept)


def placed_in(text: str, asked: Asked) -> set[int]:
    """The ordinals that a normalised clause points at by place or id, one by one."""
    found: set[int] = set()
    for token in pointers_of(text):
        if token.kind is Kind.ID:
            wanted = canonical_id(token.text)
            found.update(item.ordinal for item in asked.items if item.phenomenon_id == wanted)
        elif token.kind not in (Kind.ALL, Kind.REST, Kind.JUST):
            found.update(ordinals_of(token, asked))
    return found


def speaks_of_all(text: str) -> bool:
    """Whether a clause holds nothing that its verdict could be of but the whole list: no thing of the field, no number."""
    content = _content(text)
    return not (is_technical(content))


def contradicts(verdict: Verdict | None, text: str, item: Item, asked: Asked) -> bool:
    """Whether the clause of an answer to one item can be read the other way: by their value, or by their plain verdict."""
    told = placed_in(text, asked) or touched(text, asked)
    if item.ordinal not in told:
        return False
    by_value = verdict_on(without_items(masked(text)), item) if len(told) == 1 else None
    if by_value is not None:
        return by_value is not verdict
    if len(told) > 1 or speaks_of_group(text):
        return False
    heard = act_of(masked(text))
    for_it, against = (Act.YES, Act.NO) if verdict is Verdict.CONFIRMED else (Act.NO, Act.YES)
    said = polarity_of(text)
    if said not in _CLAIMS:
        return heard.of(against) >= _AGAINST
    return said is not verdict and heard.of(for_it) < _LIKELY


def _is_unheard(text: str) -> bool:
    """Whether a short clause is words that nobody was ever heard to say, so that what it points at is not known: "dos, no"."""
    words = _WORDS.findall(_content(text))
    return 0 < len(words) <= _FEW and not is_technical(text) and not any(map(is_known, words))


def _says_both(text: str) -> bool:
    """Whether a clause says yes and no, so that neither is of the whole list: "these two: yep & nope"."""
    said = [token for token in tokens_of(text) if token.verdict in _CLAIMS]
    apart = (text[left.end : right.start] for left, right in pairwise(said) if left.verdict is not right.verdict)
    return any(_AND.search(between) for between in apart)


def _content(text: str) -> str:
    """The content words of a clause, blanks in the place of all others."""
    shown = {at for token in tokens_of(text) if token.kind is Kind.CONTENT for at in range(token.start, token.end)}
    return "".join(character if at in shown else " " for at, character in enumerate(text))


def speaks_of_group(text: str) -> bool:
    """Whether a clause says outright that it is of all, of the rest, or of none."""
    return _NONE.search(text) is not None or any(token.kind in _OF_LIST for token in tokens_of(text))


def excepts(text: str) -> bool:
    """Whether a clause tells some items from all others: "everything but the cpu one", "only the second"."""
    told = any(token.kind in (Kind.EXCEPT, Kind.ONLY, Kind.REST) for token in tokens_of(text))
    return told


def _claims(step: PlanStep, asked: Asked) -> bool:
    """Whether a step says yes or no of an item of the open list."""
    if not isinstance(step, FeedbackStep) or step.verdict not in _CLAIMS:
        return False
    return bool(_reached(step.reference, asked))


def _reached(reference: Reference, asked: Asked) -> set[int]:
    if reference.group is Group.ALL and reference.list is asked.list:
        return set(asked.ordinals)
    place = asked.place_of(reference) if reference.list is not ItemList.EARLIER else None
    return set() if place is None else {place}


def _asked_back(step: FeedbackStep, missing: set[int], reached: set[int], asked: Asked) -> list[PlanStep]:
    """What stands of an answer that reached too far, and the question back about the others."""
    lost = tuple(asked.at(ordinal) for ordinal in sorted(missing))
    return [ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, step.words, lost)]
