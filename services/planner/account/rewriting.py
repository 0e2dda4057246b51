"""What a message says of the text that was written last: what in it is wrong, what it lacks, what it is to say.

A denial takes out the piece of the text that has its words; what is told is added in the words that tell it. Of an
order for a first text only the cause and what it was not, as it is to be put, are read here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from lang import deferred_re as re
from services.planner.account.moments import moments_in
from services.planner.account.told import tells
from services.planner.model import (
    Aftermath,
    Brief,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Treatment,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.aftermath import aftermath_in, tells_good_news
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.wanted.briefs import Order, brief_of, parts_named
from services.planner.understand.questions.looking_back import looks_back
from services.planner.understand.text.word_lists import listed

_CAUSE, _CLEARED, _SUSPECT = listed("account.cause"), listed("account.cleared"), listed("account.suspect")
_NEGATES, _WRONG, _LACKS = listed("account.negates"), listed("account.wrong"), listed("account.lacks")
_POINTS_BACK, _LEFT_OUT, _TOO, _LEAD = (
    listed(f"account.{name}") for name in ("points_back", "left_out", "too", "lead")
)
_MANNERS = tuple(listed(f"briefs.{name}") for name in ("again", "refused", "leaves", "count"))
_LENGTHS = (listed("briefs.count"), listed("briefs.shorter"), listed("briefs.longer"))
_ITSELF = listed("account.itself")
_ASKED = (listed("briefs.asks"), listed("briefs.asks_last"))
_ADDS, _QUOTED = listed("briefs.adds"), re.compile(r"[“\"「]([^”\"」\n]{4,})[”\"」]")
# What is the cause, or another's doing, and no treatment.
_NOT_DONE = re.compile(
    r"(?P<zh>[^，。,;；\n不]{2,24}?)(?:才)?是(?:原因|起因|[^，。\n]{1,8}(?:干|做|搞|跑)的)[，, ]*(?:是原因[，, ]*)?"
    r"(?:并)?不是(?:我们)?(?:处理|措施|[^，。\n]{0,4}做的)"
    r"|(?:\bthe )?(?P<en>\w[\w ]{2,30}?) (?:is|was) the (?:root )?cause\b[^.\n]{0,6}"
    r"\bnot (?:the |a |our |what )?(?:treatment|fix|remedy|we did|cure|action)",
    re.IGNORECASE,
)
_OF_BEGINNING = re.compile(r"\b(?:start(?:ed)?|began|since|begin\w*)\b|开始|时间|起的|[^\w]起")
_SAYS_THAT, _NEAR = listed("briefs.says_that"), 10
_TOKEN = re.compile(r"[a-z0-9_']+|[\u4e00-\u9fff]")
_ENDS = " \n。.；;，,!！:："
# A word of so many letters, or so many Chinese characters, can be found again.
_LETTERS, _CHARACTERS, _SEVERAL = 5, 2, 2


def with_changes(order: Order | None, said: str, view: SessionView) -> Order | None:
    """The order with what its message wants said and not said; after a text a message that disputes it is an order."""
    last = _last_text(view) if view.brief is not None and view.turn - view.briefed <= 1 else ""
    if order is None and last and _is_about(said, last):
        step = QuestionStep(QuestionKind.HELP, None, said, topic=QuestionTopic.SUMMARY, brief=brief_of(said, view))
        order = Order(step, "", "")
    if order is None or order.step.brief is None:
        return order
    if looks_back(order.step.text) or (looks_back(said) and _ITSELF.search(order.step.text.lower())):
        return None  # What was told, done and ruled out is read back, and not summed up.
    order = Order(order.step, _without_parts(order.before), _without_parts(order.after))
    brief = _worded(order.step.brief or Brief(), said if last else order.step.text, said)
    if not last:
        put = [words for each in sentences_of(order.step.text) for words in _put(each) if words not in brief.added]
        return order._replace(step=replace(order.step, brief=replace(brief, added=(*brief.added, *put))))
    asked = [each for each in sentences_of(order.rest) if is_question(each) and not _denied(each, last)]
    if view.brief is not None and not any(each.search(said.lower()) for each in _LENGTHS):
        # What is set right in a text makes it no shorter, and what is added comes on top.
        brief = replace(brief, sentences=view.brief.sentences and view.brief.sentences + 1)
    brief = _corrected(brief, said, last, aftermath_in(said, view) is Aftermath.WELL)
    return Order(replace(order.step, text=said, brief=brief), " ".join(asked), "")


def _is_about(said: str, last: str) -> bool:
    """Whether a message that orders nothing disputes the last text: words of it, its beginning, or what was done."""
    quotes = any(map(last.count, _quoted(said))) and _disputes(said)
    takes_out = _POINTS_BACK.search(said.lower()) is not None and _NEGATES.search(said.lower()) is not None
    return quotes or takes_out or bool(began_set_right(said)) or _NOT_DONE.search(said) is not None


def began_set_right(said: str) -> str:
    """The time that a message puts in place of another as that of the beginning, as a day and a time of it."""
    low = said.lower()
    if not (_OF_BEGINNING.search(low) and (_NEGATES.search(low) or _WRONG.search(low))):
        return ""
    told = [*moments_in(said)]
    ends = [0, *(end for _, end, _ in told)]
    before = [low[max(at - _NEAR, end) : at] for (at, _, _), end in zip(told, ends, strict=False)]
    meant = [
        each[-1] for each, words in zip(told, before, strict=True) if not _NEGATES.search(words) and each[-1].clock
    ]
    return f"{meant[0].day} {meant[0].clock}".strip() if meant else ""


def _disputes(said: str) -> bool:
    """Whether a message finds fault with a text, and does not only repeat words that stand in it."""
    return any(each.search(said.lower()) for each in (*_MANNERS[:3], _WRONG, _LACKS))


def _without_parts(beside: str) -> str:
    """What stands beside an order without the sentences that only list what the text is to have in it."""
    kept = [each for each in sentences_of(beside) if "?" in each or "？" in each or len(parts_named(each)) < _SEVERAL]
    return " ".join(kept)


def with_news(plan: TurnPlan, order: Order | None, said: str, view: SessionView) -> TurnPlan:
    """The plan with what an order to rewrite a text says of the record: what was not done, and that it is over."""
    if order is None or view.brief is None or view.turn - view.briefed > 1:
        return plan
    undone = tuple(each for each in treatments_in(said, view) if each.undone and each not in plan.treatments)
    found = _NOT_DONE.search(said)
    undone += _of_words(_no_treatment(found), view) if found is not None else ()
    well = aftermath_in(said, view) is Aftermath.WELL
    plan = replace(plan, began=began_set_right(said) or plan.began)
    return replace(plan, treatments=(*plan.treatments, *undone), aftermath=Aftermath.WELL if well else plan.aftermath)


def _no_treatment(found: re.Match[str]) -> str:
    return str(found["zh"] or found["en"]).lower().strip(_ENDS)


def _of_words(words: str, view: SessionView) -> tuple[Treatment, ...]:
    """The treatments on record that these words are of, as none; where none shares a word with them, the only one."""
    shared = [each for each in view.treatments if _shared(words, each.words.lower())]
    meant = shared or (view.treatments if len(view.treatments) == 1 else ())
    return tuple(replace(each, undone=True) for each in meant)


def _worded(brief: Brief, words: str, said: str) -> Brief:
    """The brief with the cause as it is to be put, and with what it was not."""
    cause = next((found["zh"] or found["en"] for found in _CAUSE.finditer(words)), "")
    cleared = [*brief.cleared, *_cleared(words, said)]
    return replace(brief, cause=cause.strip(_ENDS) or brief.cause, cleared=tuple(dict.fromkeys(cleared)))


def _cleared(words: str, said: str) -> Iterator[str]:
    suspect = _SUSPECT.search(said.lower())
    for found in _CLEARED.finditer(words.lower()):
        named = found["zh"] or found["en"] or found["bare"]
        if named is None and found["topic"] != "it":
            named = found["topic"].removeprefix("the ")
        if named is None and suspect is not None:
            named = suspect["suspect"]
        yield from (each.strip(_ENDS) for each in _TOO.split(named or "") if each.strip(_ENDS))


def _corrected(brief: Brief, said: str, last: str, well: bool) -> Brief:
    """The brief without what is disputed of the last text, and with what is told beside. well: the state tells that."""
    unsaid, added = [*brief.unsaid, *filter(last.count, _quoted(said))], [*brief.added]
    for sentence in sentences_of(said):
        if (found := _NOT_DONE.search(sentence)) is not None:  # "The import is the cause and not what we did".
            brief = replace(brief, cause=brief.cause or _no_treatment(found))
            continue
        if _ADDS.search(sentence) or began_set_right(sentence):
            added += _put(sentence)
            continue
        kept: list[str] = []
        orders = any(each.search(sentence.lower()) for each in _ASKED)
        for clause in clauses_of(_LEAD.sub("", sentence)):
            if words := _denied(clause, last):
                unsaid.append(words)
            elif _POINTS_BACK.search(clause.lower()):
                kept = kept[:-1]  # "That one is long gone, don't mention it".
            elif (
                not orders
                and not _CAUSE.search(clause)
                and _is_told(clause, last)
                and not (well and tells_good_news(clause))
            ):
                kept.append(clause.strip(_ENDS))
        put = _put(sentence)
        added += put if put or not kept else [("，" if kept[0][-1] >= "\u4e00" else ", ").join(kept)]
    stands = tuple(dict.fromkeys(each for each in added if not any(words in each.lower() for words in unsaid)))
    return replace(brief, unsaid=tuple(dict.fromkeys(unsaid)), added=stands)


def _put(sentence: str) -> list[str]:
    """What a sentence says is to be in the text."""
    left_out = _LEFT_OUT.search(sentence)
    if left_out is not None:
        pieces = re.split(r"(?:,|\band)\s+that\s+|,\s*", left_out["what"])
        return [each.strip(_ENDS) for each in pieces if not _CLEARED.search("say " + each)]
    found = _ADDS.search(sentence)
    words = next(filter(None, found.groups()), "") if found is not None else ""
    words = re.split(r"(?:,|\band|以及|，)\s*(?:what|whats|how|when|why|怎么|后面|以后)", words)[0]
    words = _SAYS_THAT.sub("", words)
    return [words.removeprefix("是").strip(_ENDS)] if len(_TOKEN.findall(words)) > _CHARACTERS and tells(words) else []


def _is_told(clause: str, last: str) -> bool:
    """Whether a clause tells something for the text, and is no order for it."""
    said = clause.lower()
    manner = any(each.search(said) for each in (*_MANNERS, _ADDS, _LEFT_OUT, _LACKS, _WRONG))
    beside = manner or is_question(clause) or _CLEARED.search(said) or _QUOTED.search(clause)
    return tells(clause) and not beside and len(_TOKEN.findall(said)) > _CHARACTERS and said.strip(_ENDS) not in last


def _quoted(said: str) -> list[str]:
    return [each.lower().strip(_ENDS) for each in _QUOTED.findall(said)]


def _denied(clause: str, last: str) -> str:
    """The words of the last text that a clause denies; empty where it denies none."""
    said = clause.lower()
    wrong, negates = _WRONG.search(said), _NEGATES.search(said)
    if wrong is None and negates is None:
        return ""
    of_it = said[: wrong.start()] if wrong is not None else said[negates.end() if negates is not None else 0 :]
    return _shared(of_it, last)


def _shared(said: str, last: str) -> str:
    """The longest run of words that both have, where one of them can be found again."""
    ours, theirs = _TOKEN.findall(said), [*_TOKEN.finditer(last)]
    words = [each[0] for each in theirs]
    run = SequenceMatcher(None, ours, words, autojunk=False).find_longest_match()
    found = words[run.b : run.b + run.size]
    known = any(len(each) >= _LETTERS for each in found) or sum(not each.isascii() for each in found) >= _CHARACTERS
    return last[theirs[run.b].start() : theirs[run.b + run.size - 1].end()] if known else ""


def _last_text(view: SessionView) -> str:
    return next((each.text.lower() for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
