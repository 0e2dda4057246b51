"""What clauses do, learned from the example phrases."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from services.planner.understand import acts
from services.planner.understand.acts import ACTS, Act, act_of, examples, is_known, learned, likely_by, weights_of
from services.planner.understand.ahead import Ahead

FOLDER = resources.files("services.planner.understand") / "examples"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_file_of_examples_is_that_of_an_act_and_is_read(language: str) -> None:
    """Each language has a file of phrases for every act and none besides, and every act has phrases."""
    names = {entry.name.removesuffix(".txt") for entry in (FOLDER / language).iterdir()}
    assert names == {act.value for act in Act}
    lines = sum(
        bool(line.strip())
        for entry in (FOLDER / language).iterdir()
        for line in entry.read_text(encoding="utf-8").splitlines()
    )
    assert lines >= 150 * len(ACTS)


def test_examples_hold_every_line() -> None:
    """No phrase is lost on the way from the files."""
    files = [entry for language in ("en", "zh") for entry in (FOLDER / language).iterdir()]
    lines = sum(bool(line.strip()) for entry in files for line in entry.read_text(encoding="utf-8").splitlines())
    assert len(examples()) == lines


def test_what_is_learned_is_the_same_every_time() -> None:
    """Learning anew from the same phrases gives the same weights, to the bit."""
    some = examples()[::40]
    assert np.array_equal(weights_of(some), weights_of(some))
    assert learned() is learned()


@pytest.mark.parametrize("clause", ["", "{}", "1", "有", "the first one is a dud", "锁等待很多", "zxqv", "?" * 300])
def test_likelihoods_are_shares(clause: str) -> None:
    """The likelihoods of all acts are in [0, 1] and sum to 1, whatever the clause."""
    likely = act_of(clause)
    assert all(0.0 <= share <= 1.0 for share in likely.shares)
    assert sum(likely.shares) == pytest.approx(1.0)
    assert likely.of(*ACTS) == pytest.approx(1.0)
    assert likely.of(likely.act) == likely.share


def test_phrases_left_out_are_told_by_the_others() -> None:
    """Of phrases that were not learned from, seven in ten get their act, and nine in ten shares of 0.9 hold."""
    phrases = examples()
    left_out = set(range(0, len(phrases), 5))
    weights = weights_of([phrase for at, phrase in enumerate(phrases) if at not in left_out])
    told = [(likely_by(weights, phrases[at][0]), phrases[at][1]) for at in left_out]
    right = sum(likely.act is act for likely, act in told) / len(told)
    sure = [(likely, act) for likely, act in told if likely.share >= 0.9]
    print(f"{right:.3f} right, {sum(likely.act is act for likely, act in sure) / len(sure):.3f} of those sure of")
    assert right >= 0.7
    assert sum(likely.act is act for likely, act in sure) >= 0.94 * len(sure)


def test_a_word_that_stands_in_no_example_is_not_known() -> None:
    """Keys struck at random are told from words."""
    assert is_known("the index is huge")
    assert is_known("没有")
    assert not is_known("qzxvkj wqpfj")


def test_examples_point_at_items_by_a_placeholder_only() -> None:
    """No phrase holds an ordinal or an id where an item is meant."""
    pointing = [phrase for phrase, act in examples() if act in (Act.YES, Act.NO) and "p-0" in phrase]
    assert pointing == []
    assert acts.ITEM == "{}"


@pytest.fixture
def learned_again(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nothing is learned or kept at first, and what other tests learned is there again afterwards."""
    monkeypatch.setattr(acts, "_folder", [])
    monkeypatch.setattr(acts, "learned", cache(learned.__wrapped__))
    return monkeypatch


def test_what_was_learned_is_kept_whole_or_learned_again(tmp_path: Path, learned_again: pytest.MonkeyPatch) -> None:
    """A second start reads what the first one kept; what is broken, cut or cannot be written costs only time."""
    few = examples()[::50]
    learned_again.setattr(acts, "examples", lambda: few)
    fresh = weights_of(few)
    folder = tmp_path / "kept"
    acts.keep_in(folder)
    assert np.array_equal(acts.learned(), fresh)
    (file,) = folder.iterdir()
    for content in (file.read_bytes(), file.read_bytes()[:1000], b"no array"):
        file.write_bytes(content)
        acts.keep_in(folder)
        assert np.array_equal(acts.learned(), fresh)
    acts.keep_in(file / "no folder")
    assert np.array_equal(acts.learned(), fresh)


@pytest.mark.usefixtures("learned_again")
def test_what_another_process_learns_is_what_is_learned_here(tmp_path: Path) -> None:
    """A first start takes over what it had learned beside it, to the last bit."""
    ahead = Ahead(tmp_path)
    assert not acts.is_kept()
    ahead.wait()
    assert acts.is_kept()
    assert np.array_equal(acts.learned(), learned())
    ahead.close()


@pytest.mark.usefixtures("learned_again")
def test_a_start_that_is_broken_off_leaves_no_process(tmp_path: Path) -> None:
    """Who closes before all is learned waits for nothing, and nothing half learned is kept."""
    Ahead(tmp_path).close()
    assert list(tmp_path.iterdir()) == []
