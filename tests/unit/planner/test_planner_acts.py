"""What clauses do, learned from the example phrases."""

from __future__ import annotations

import numpy as np
import pytest

from services.planner.training.acts import digest_of, fit_model, train
from services.planner.training.phrases import FOLDER, count_words, load_examples
from services.planner.understand.classifier.acts import (
    ACTS,
    FILE,
    ITEM,
    Act,
    act_of,
    from_bytes,
    is_known,
    likely_by,
    shipped,
    to_bytes,
)


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
    assert len(load_examples()) == lines


def test_training_is_deterministic() -> None:
    """The same phrases give the same file, byte for byte."""
    some = load_examples()[::40]
    assert train(some) == train(some)


def test_the_shipped_weights_were_trained_from_these_phrases() -> None:
    """The shipped file records the digest of today's phrases, features and numbers; if not, run `make train`."""
    assert shipped().digest == digest_of(load_examples())


def test_the_shipped_words_are_those_of_the_phrases() -> None:
    """The shipped file counts every word of the example phrases."""
    assert shipped().words == count_words(load_examples())


@pytest.mark.slow
def test_training_again_gives_the_shipped_file() -> None:
    """The shipped file is what `make train` writes, byte for byte."""
    assert train(load_examples()) == FILE.read_bytes()


def test_a_model_survives_its_file() -> None:
    """A model comes out of its file as it went in."""
    model = fit_model(load_examples()[::200])
    read = from_bytes(to_bytes(model))
    assert np.array_equal(read.values, model.values)
    assert np.array_equal(read.scales, model.scales)
    assert (read.words, read.digest) == (model.words, model.digest)


@pytest.mark.parametrize("clause", ["", "{}", "1", "有", "the first one is a dud", "锁等待很多", "zxqv", "?" * 300])
def test_likelihoods_are_shares(clause: str) -> None:
    """The likelihoods of all acts are in [0, 1] and sum to 1, whatever the clause."""
    likely = act_of(clause)
    assert all(0.0 <= share <= 1.0 for share in likely.shares)
    assert sum(likely.shares) == pytest.approx(1.0)
    assert likely.of(*ACTS) == pytest.approx(1.0)
    assert likely.of(likely.act) == likely.share


@pytest.mark.parametrize(("every", "least"), [(4, 0.5), pytest.param(1, 0.7, marks=pytest.mark.slow)])
def test_phrases_left_out_are_told_by_the_others(every: int, least: float) -> None:
    """Of phrases that were not learned from, seven in ten get their act, and nine in ten shares of 0.9 hold.

    Of a fourth of the phrases there is less to learn: half get their act.
    """
    phrases = load_examples()[::every]
    left_out = set(range(0, len(phrases), 5))
    model = fit_model(tuple(phrase for at, phrase in enumerate(phrases) if at not in left_out))
    told = [(likely_by(model, phrases[at][0]), phrases[at][1]) for at in left_out]
    right = sum(likely.act is act for likely, act in told) / len(told)
    sure = [(likely, act) for likely, act in told if likely.share >= 0.9]
    print(f"{right:.3f} right, {sum(likely.act is act for likely, act in sure) / len(sure):.3f} of those sure of")
    assert right >= least
    assert sum(likely.act is act for likely, act in sure) >= 0.94 * len(sure)


def test_a_word_that_stands_in_no_example_is_not_known() -> None:
    """Keys struck at random are told from words."""
    assert is_known("the index is huge")
    assert is_known("没有")
    assert not is_known("qzxvkj wqpfj")


def test_examples_point_at_items_by_a_placeholder_only() -> None:
    """No phrase holds an ordinal or an id where an item is meant."""
    pointing = [phrase for phrase, act in load_examples() if act in (Act.YES, Act.NO) and "p-0" in phrase]
    assert pointing == []
    assert ITEM == "{}"
