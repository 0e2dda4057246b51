"""What sentences are recognised as, by hands that the recogniser never learned from."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from lang.concepts import glossary
from services.matcher.matcher import Matcher
from services.matcher.model import Interpretation, LocalizedText, MatchPhenomenaRequest, Observation, Standing, Verdict
from services.matcher.recognition import recogniser
from services.matcher.recognition.recognised_words import KIND, has_figure
from services.matcher.recognition.recogniser import Recogniser
from services.matcher.request_checks import MAX_OBSERVATIONS
from services.matcher.training import recogniser_weights
from services.matcher.training.texts import load_shipped_library
from tests.support.cases import for_each
from tests.support.examples import every
from tests.support.matching import standings

HELD = Path(__file__).parents[1] / "recognised" / "held.jsonl"


def held(*keys: str) -> list[tuple[str, str]]:
    """The sentences under some keys, each with the id of its phenomenon."""
    rows = map(json.loads, HELD.read_text("utf-8").splitlines())
    return [(row["id"], sentence) for row in rows for key in keys for sentence in row[key]]


@cache
def same_as(phenomenon: str) -> frozenset[str]:
    """The ids of a phenomenon in all libraries."""
    return frozenset(recogniser_weights.load_labels()[phenomenon].split())


def heard(matcher: Matcher, said: list[tuple[str, str]], asked: bool) -> Iterator[tuple[str, str, Interpretation]]:
    """Each sentence as it is heard by itself, or right after its phenomenon was asked about."""
    step = 1 if asked else MAX_OBSERVATIONS
    for start in range(0, len(said), step):
        part = said[start : start + step]
        request = MatchPhenomenaRequest("", tuple(Observation(text) for _, text in part))
        if asked:
            request = MatchPhenomenaRequest("", request.observations, pending_phenomenon_ids=(part[0][0],))
        found = asyncio.run(matcher.match(request)).interpretations
        yield from ((*one, meaning) for one, meaning in zip(part, found, strict=True))


def test_the_shipped_weights_are_those_of_the_sentences() -> None:
    """Whoever changes a sentence or a name has to learn anew."""
    assert recogniser.shipped().digest == recogniser_weights.digest_inputs()


@pytest.mark.slow
def test_a_file_of_weights_gives_the_same_model() -> None:
    """Written and read again, the weights are the same bytes."""
    content = recogniser.FILE.read_bytes()
    assert recogniser.to_bytes(recogniser.from_bytes(content)) == content


def test_none_of_the_held_sentences_was_learned_from() -> None:
    """The sentences that measure are none of those that teach."""
    learned = {sentence.text for sentence in recogniser_weights.load_sentences()}
    assert not learned & {sentence for _, sentence in held("zh", "en", "no_zh", "no_en")}


@pytest.mark.slow
@every(7)
def test_most_sentences_are_heard_as_their_phenomenon(curated_matcher: Matcher, every: int) -> None:
    """Of sentences by other hands three in four are recorded or proposed right, few are recorded as something else."""
    found = list(heard(curated_matcher, held("zh", "en")[::every], asked=False))
    right = [same_as(name) & standings(meaning).keys() != frozenset() for name, _, meaning in found]
    wrong = [
        text
        for name, text, meaning in found
        for reading in meaning.readings
        if reading.kind == KIND and reading.standing is Standing.COUNTS
        if reading.phenomenon_id not in same_as(name) or reading.verdict is not Verdict.CONFIRMED
    ]
    assert sum(right) >= 0.75 * len(found)
    assert len(wrong) <= 0.01 * len(found), wrong


@pytest.mark.slow
@every(2)
def test_what_is_said_not_to_be_there_is_hardly_ever_recorded_as_there(curated_matcher: Matcher, every: int) -> None:
    """Of denials by other hands of what is being asked, nearly half are heard and few are turned round."""
    found = list(heard(curated_matcher, held("no_zh", "no_en")[::every], asked=True))
    denied, turned = [], []
    for name, text, meaning in found:
        own = [reading for reading in meaning.readings if reading.phenomenon_id in same_as(name)]
        denied += [text for reading in own if reading.verdict is Verdict.DENIED]
        counted = (reading for reading in own if reading.standing is Standing.COUNTS)
        turned += [text for reading in counted if reading.verdict is Verdict.CONFIRMED]
    assert len(denied) >= 0.45 * len(found)
    assert len(turned) <= 0.04 * len(found), turned


@pytest.mark.slow
@pytest.mark.parametrize(
    "phrase", ["{}?", "could it be that {}?", "I can't check whether {}", "是不是 {}？", "{}，我看不了"]
)
def test_a_question_or_what_nobody_can_look_at_is_recorded_by_no_recognition(
    curated_matcher: Matcher, phrase: str
) -> None:
    """What is asked, or out of reach, is never recorded for its words."""
    said = [(name, phrase.format(text.rstrip(".。"))) for name, text in held("zh", "en")[::40]]
    for _, text, meaning in heard(curated_matcher, said, asked=False):
        counted = [each for each in meaning.readings if each.kind == KIND and each.standing is Standing.COUNTS]
        assert not counted, text


def test_an_entry_of_another_name_is_recognised_by_nothing() -> None:
    """A library's own entry under a known id is not taken for the shipped one."""
    entries = load_shipped_library().phenomena
    renamed = [replace(entry, name=LocalizedText("别的", "Something else")) for entry in entries]
    assert Recogniser(renamed, glossary.load()).recognise("the data disk is 97 % full") == ()


@for_each("words", ["no ddl at 3am", "it ran at 15:41", "昨晚10点重启过", "the s3 bucket", "pg14"])
def test_a_time_of_the_day_or_a_name_is_no_figure(words: str) -> None:
    """Only an amount is for the rules to judge, so that only beside one words have to be surer."""
    assert not has_figure(words)
    assert has_figure(f"{words}, it took 40 s")
