"""What happened is neither denied by its own words nor by what else is fine."""

from __future__ import annotations

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from lang.vocabulary import Event, Name, Predicate, Terms, Vocabulary
from tests.support.cases import for_each

_NAME = Name(zh="名", en="name")
VOCABULARY = Vocabulary(
    events=(
        Event(
            id="bloat", name=_NAME, say=Terms(zh=("膨胀",), en=("bloated", "table is bloated", "bloated + by updates"))
        ),
        Event(
            id="no_partition", name=_NAME, say=Terms(zh=("分区 + 没建", "分区 + 没"), en=("partition + not created",))
        ),
        Event(id="falling", name=_NAME, say=Terms(en=("throughput drops as", "throughput + as sessions go up"))),
    )
)
PREDICATES = {
    "BLOAT": [Predicate(event="bloat", bare="counts")],
    "PARTITION": [Predicate(event="no_partition", bare="counts")],
    "FALLS": [Predicate(event="falling", bare="counts")],
}


def counted(message: str) -> dict[str, str]:
    """What counts at once of a message: verdicts by phenomenon."""
    found = Judge(PREDICATES, VOCABULARY).judge(Reader(VOCABULARY).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


@for_each("message", ["it is bloated, the main table is fine", "膨胀了，其它表正常", "bloated, cpu is ok"])
def test_what_is_fine_beside_an_event_does_not_deny_it(message: str) -> None:
    """A clause with words of its own that says "fine" is not about the event of the clause before."""
    assert counted(message) == {"BLOAT": "confirmed"}


@for_each("message", ["新分区没建", "新分区到现在还没有建", "the partition was not created"])
def test_a_negation_in_a_term_does_not_deny_it(message: str) -> None:
    """What is not done is said by its own negation."""
    assert counted(message) == {"PARTITION": "confirmed"}


def test_all_terms_of_a_subject_cover_what_they_say() -> None:
    """Of two terms of one subject that share words, the words of both are its own: they are no trend of it."""
    assert counted("throughput drops as sessions go up") == {"FALLS": "confirmed"}
