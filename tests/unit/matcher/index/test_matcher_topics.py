from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang import embedding
from lang.concepts import glossary
from lang.concepts.reading import read
from lang.concepts.text import has_han
from services.matcher.index import search_index
from services.matcher.index.entries import Library
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import MatchPhenomenaRequest, NoMatch, Observation, SearchPhenomenaRequest
from services.matcher.reading import topics
from tests.support.cases import for_each
from tests.support.matching import outcome_of


def of(text: str) -> embedding.Vectors:
    known = topics.load()
    words = glossary.load()
    return known.of(read(text, words).weights())


def spoken(library: Library, language: str) -> Matcher:
    """A matcher of the library with one language's descriptions and no aliases."""
    entries = tuple(
        replace(
            entry,
            aliases=(),
            statements=tuple(text for text in entry.statements if has_han(text) == (language == "zh")),
            present_when=(),
        )
        for entry in library.phenomena
    )
    source = FixedSource(replace(library, snapshot_id=f"{library.snapshot_id}-{language}", phenomena=entries))
    words, embedder = glossary.load(), embedding.load()
    return Matcher(Snapshots(source, Store(None, 5.0), words, embedder), words, embedder)


def test_words_of_one_matter_are_alike_without_a_common_word() -> None:
    """Texts with the same meaning have similar topics even without a common word."""
    words = glossary.load()
    pairs = [
        ("remaining slots are reserved", "max_connections 用完"),
        ("datfrozenxid", "回卷"),
        ("archive_command", "ready 文件"),
    ]
    for left, right in pairs:
        assert not set(read(left, words).weights()) & set(read(right, words).weights())
        assert float(of(left) @ of(right)) > 0.3
        assert float(of(left) @ of("证书密码")) < 0.1


def test_unknown_words_have_no_topic() -> None:
    """Unknown words have the zero vector."""
    assert not np.any(of("zxqv bnmt"))


@given(st.dictionaries(st.sampled_from(["lock", "wal", "vacuum", "nothing known"]), st.floats(0, 5), max_size=4))
def test_topics_are_a_direction(weights: dict[str, float]) -> None:
    """A topic vector has norm 1 or 0, and no negative component."""
    found = topics.load().of(weights)
    assert (found >= 0).all()
    assert float(np.linalg.norm(found)) == pytest.approx(1.0, abs=1e-4) or not found.any()


def test_saved_topics_are_loaded_unchanged(tmp_path: Path) -> None:
    """Loading saved topics returns the learned ones."""
    learnt = topics.learn([["锁等待 lock wait"], ["磁盘满 disk full"]], glossary.load())
    topics.save(2, learnt, tmp_path / "topics.json")
    found, direct = topics.load(tmp_path / "topics.json"), topics.assemble(2, learnt)
    assert found.size == direct.size == 2
    assert found.numbers.keys() == direct.numbers.keys() != set()
    for key in found.numbers:
        (places, strengths), (others, strong) = found.row(key), direct.row(key)
        assert (places.tolist(), strengths.tolist()) == (others.tolist(), strong.tolist())


def test_every_curated_entry_has_topics(curated: search_index.Index) -> None:
    """Every entry of the shipped library has topics."""
    assert (np.linalg.norm(curated.topics, axis=1) > 0.99).all()


@for_each(
    ("stored", "text", "phenomenon_id"),
    [
        ("en", "备库落后十分钟了", "P-0008"),
        ("en", "pg_stat_activity 里一大片在等锁", "P-0002"),
        ("zh", "df shows /data at 97%", "P-0001"),
        ("zh", "cpu is flat out", "P-0011"),
        ("zh", "SQLSTATE 40P01 again and again", "P-0009"),
        ("en", "begin 之后没提交，闲着十几分钟", "P-0006"),
    ],
)
async def test_without_aliases_one_language_finds_the_other(
    small_library: Library, stored: str, text: str, phenomenon_id: str
) -> None:
    """A library of descriptions in one language is matched from the other."""
    answer = await spoken(small_library, stored).search(SearchPhenomenaRequest("", text))
    assert answer.candidates[0].phenomenon_id == phenomenon_id


@for_each("text", ["printer is out of paper", "Kafka 消费组积压", "null value violates not-null constraint"])
async def test_without_aliases_other_things_stay_outside(small_library: Library, text: str) -> None:
    """Texts about matters outside the library are no match."""
    answer = await spoken(small_library, "en").match(MatchPhenomenaRequest("", (Observation(text),)))
    assert isinstance(outcome_of(answer.interpretations[0]), NoMatch)


async def test_a_very_long_text_is_compared_by_its_ends(matcher: Matcher) -> None:
    """A long text is compared by its beginning and end; repeated lines count once."""
    paste = "deadlocks again and again\n" * 700 + "Process 4711 waits for ShareLock\n"
    found = await matcher.search(SearchPhenomenaRequest("", paste[:20_000]))
    assert found.candidates[0].phenomenon_id == "P-0009"
