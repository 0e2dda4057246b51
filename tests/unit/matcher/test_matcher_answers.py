"""What people answer to a check in words of their own, by hands that the reader of answers never learned from."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from services.matcher.matcher import Matcher
from services.matcher.model import MatchPhenomenaRequest, Reading, Standing, Verdict
from services.matcher.recognition import asked_answers
from services.matcher.training import answer_weights
from tests.support.examples import every

HELD = Path(__file__).parent / "answered" / "held.jsonl"
# What the answers under each key of a line mean.
MEANT = {
    "zh": Verdict.CONFIRMED,
    "en": Verdict.CONFIRMED,
    "no_zh": Verdict.DENIED,
    "no_en": Verdict.DENIED,
    "not_zh": None,
    "not_en": None,
}
# Checks that are asked beside the one that is answered.
BESIDE = ("P-0001", "P-0016", "P-0021", "P-0043", "P-0008")


@cache
def held() -> tuple[tuple[str, str, Verdict | None], ...]:
    """The id of each check, what was said when it was asked, and what that means; None: it is no answer."""
    rows = map(json.loads, HELD.read_text("utf-8").splitlines())
    return tuple((row["id"], words, meant) for row in rows for key, meant in MEANT.items() for words in row[key])


def heard(matcher: Matcher, words: str, asked: str, number: int) -> tuple[Reading, ...]:
    """What is read of words that are said while a check is asked first, with two others."""
    beside = [name for name in BESIDE[number % 3 :] if name != asked][:2]
    request = MatchPhenomenaRequest("", pending_phenomenon_ids=(asked, *beside), message=words)
    found = asyncio.run(matcher.match(request))
    return tuple(each for each in found.readings if each.standing in (Standing.COUNTS, Standing.PROPOSED))


@cache
def tallied(matcher: Matcher, every: int) -> Counter[str]:
    """How often one held answer in so many is recorded right, asked back, turned round or unheard, and others are."""
    counted: Counter[str] = Counter()
    for number, (asked, words, meant) in enumerate(held()[::every]):
        read = heard(matcher, words, asked, number)
        found = [each for each in read if each.standing is Standing.COUNTS]
        own = next((each.verdict for each in found if each.phenomenon_id == asked), None)
        counted["asked"] += own is None and any((each.phenomenon_id, each.verdict) == (asked, meant) for each in read)
        counted["other"] += sum(each.kind == "answered" and each.phenomenon_id != asked for each in found)
        if meant is None:
            counted["remarks"] += 1
            counted["taken"] += own is not None
        else:
            counted["answers"] += 1
            counted["right" if own is meant else "unheard" if own is None else "turned"] += 1
    return counted


def test_the_shipped_weights_are_those_of_the_answers() -> None:
    """Whoever changes an answer, a sentence or a name has to learn anew."""
    assert asked_answers.shipped().digest == answer_weights.digest_inputs()


@pytest.mark.slow
def test_a_file_of_weights_gives_the_same_model() -> None:
    """Written and read again, the weights are the same bytes."""
    content = asked_answers.FILE.read_bytes()
    assert asked_answers.to_bytes(asked_answers.from_bytes(content)) == content


def test_none_of_the_held_answers_was_learned_from() -> None:
    """The answers that measure are none of those that teach."""
    learned = {each.text for each in answer_weights.load_answers()}
    assert not learned & {words for _, words, _ in held()}


@pytest.mark.slow
@every(4)
def test_what_is_answered_in_own_words_is_recorded(curated_matcher: Matcher, every: int) -> None:
    """Of answers by other hands most are recorded, few as their opposite, and few remarks are taken for answers."""
    found = tallied(curated_matcher, every)
    assert found["right"] >= 0.43 * found["answers"], found
    assert found["right"] + found["asked"] >= 0.65 * found["answers"], found
    assert found["turned"] <= 0.05 * found["answers"], found
    assert found["taken"] <= 0.1 * found["remarks"], found
    assert found["other"] <= 0.02 * (found["answers"] + found["remarks"]), found


@pytest.mark.slow
@pytest.mark.parametrize("words", ["all of them, on orders", "全都在等", "97"])
def test_where_nothing_is_asked_nothing_is_answered(curated_matcher: Matcher, words: str) -> None:
    """Words that lean on a question are no evidence without one."""
    found = asyncio.run(curated_matcher.match(MatchPhenomenaRequest("", message=words)))
    assert not [each for each in found.readings if each.kind == "answered"]


@pytest.mark.parametrize("words", ["2 yes", "3 of course", "1 dunno", "no. 2 no", "1/0"])
def test_a_number_of_the_list_is_no_figure(curated_matcher: Matcher, words: str) -> None:
    """A small number without a unit is a place in the list that was asked, and no value of its first check."""
    assert "P-0016" not in {each.phenomenon_id for each in heard(curated_matcher, words, "P-0016", 0)}


@pytest.mark.parametrize(
    ("asked", "words", "verdict"),
    [
        ("P-0016", "97", Verdict.CONFIRMED),
        ("P-0016", "about 40 %", Verdict.DENIED),
        ("P-0102", "才 61%", Verdict.CONFIRMED),
        ("P-0102", "99.3", Verdict.DENIED),
        ("P-0072", "15亿", Verdict.CONFIRMED),
    ],
)
def test_a_figure_is_judged_by_the_limit_of_what_was_asked(
    curated_matcher: Matcher, asked: str, words: str, verdict: Verdict
) -> None:
    """Hardly more than a figure is the value of the check that was asked first."""
    read = heard(curated_matcher, words, asked, 0)
    assert {each.phenomenon_id: each.verdict for each in read if each.standing is Standing.COUNTS} == {asked: verdict}
