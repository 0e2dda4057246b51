"""What pieces of a message do, learned from example phrases and labelled messages."""

from __future__ import annotations

import time

import numpy as np
import pytest

from services.planner.training.alignment import align
from services.planner.training.labelled import load_labelled
from services.planner.training.phrases import FOLDER, count_words, load_phrases, rows_in_context
from services.planner.training.regression import even_row
from services.planner.training.tagging import digest_of_inputs, fit, train_tagger
from services.planner.understand.acts.labels import LABELS, Label
from services.planner.understand.acts.likelihood import Likely, likely_label
from services.planner.understand.acts.ngrams import SIZE, ngrams_of
from services.planner.understand.acts.tagger import FILE, Tagger, from_bytes, shipped, tag, to_bytes
from services.planner.understand.acts.words import is_heard, word_counts
from services.planner.understand.pieces import pieces_of
from services.planner.understand.read import prepared, read_message
from services.planner.understand.text.segments import ITEM
from tests.support.cases import for_each
from tests.unit.planner.understand.test_planner_strings import LONG, MOST_CHARACTERS, NAUGHTY, VIEW

# What only stands beside other pieces, and has no phrases.
BESIDE = {Label.INSTEAD, Label.MORE}


def fitted(every: int) -> Tagger:
    """A tagger of each so many-th phrase."""
    return fit(list(rows_in_context(load_phrases()[::every], [VIEW])), ())


def by_words(tagger: Tagger, phrase: str) -> Likely:
    """How likely each label is for a phrase by its words alone."""
    row = even_row(ngrams_of(phrase), Label.ASIDE)
    scores = tagger.scores(row.places, row.values)
    shares = np.exp(scores - scores.max())
    return Likely(tuple(map(float, shares / shares.sum())))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_file_of_examples_is_that_of_a_label_and_is_read(language: str) -> None:
    """Each language has a file of phrases for every label that stands alone and none besides, and each has phrases."""
    names = {entry.name.removesuffix(".txt") for entry in (FOLDER / language).iterdir()}
    assert names == {label.value for label in LABELS if label not in BESIDE}
    lines = sum(
        bool(line.strip())
        for entry in (FOLDER / language).iterdir()
        for line in entry.read_text(encoding="utf-8").splitlines()
    )
    assert lines >= 150 * len(names)


def test_examples_hold_every_line() -> None:
    """No phrase is lost on the way from the files."""
    files = [entry for language in ("en", "zh") for entry in (FOLDER / language).iterdir()]
    lines = sum(bool(line.strip()) for entry in files for line in entry.read_text(encoding="utf-8").splitlines())
    assert len(load_phrases()) == lines


@pytest.mark.slow
def test_training_is_deterministic() -> None:
    """The same phrases give the same file, byte for byte."""
    assert to_bytes(fitted(40)) == to_bytes(fitted(40))


def test_the_shipped_labels_were_learned_from_these_inputs() -> None:
    """The shipped file records the digest of today's inputs and features; if not, run `make train`."""
    assert shipped().digest == digest_of_inputs()


def test_the_shipped_words_are_those_of_the_phrases() -> None:
    """The shipped file counts every word of the example phrases."""
    assert word_counts() == count_words(load_phrases())


@pytest.mark.slow
def test_training_again_gives_the_shipped_file() -> None:
    """The shipped file is what `make train` writes, byte for byte."""
    assert train_tagger() == FILE.read_bytes()


def test_a_tagger_survives_its_file() -> None:
    """A tagger comes out of its file as it went in."""
    read = from_bytes(to_bytes(shipped()))
    assert read.values.shape == (SIZE + 1, len(LABELS))
    assert np.array_equal(read.values, shipped().values)
    assert read.digest == shipped().digest


@for_each("clause", ["", "{}", "1", "有", "the first one is a dud", "锁等待很多", "zxqv", "?" * 300])
def test_likelihoods_are_shares(clause: str) -> None:
    """The likelihoods of all labels are in [0, 1] and sum to 1, whatever the clause."""
    likely = likely_label(clause, VIEW)
    assert all(0.0 <= share <= 1.0 for share in likely.shares)
    assert sum(likely.shares) == pytest.approx(1.0)
    assert likely.of(*LABELS) == pytest.approx(1.0)
    assert likely.of(likely.label) == likely.share


@pytest.mark.slow
@pytest.mark.parametrize(("every", "least"), [(4, 0.5), pytest.param(1, 0.7, marks=pytest.mark.slow)])
def test_phrases_left_out_are_told_by_the_others(every: int, least: float) -> None:
    """Of phrases left out, words alone give seven in ten their label, and nine in ten shares of 0.9 hold.

    Of a fourth of the phrases there is less to learn: half get their label.
    """
    phrases = load_phrases()[::every]
    left_out = set(range(0, len(phrases), 5))
    kept = [phrase for at, phrase in enumerate(phrases) if at not in left_out]
    tagger = fit([even_row(ngrams_of(phrase), label) for phrase, label in kept], ())
    told = [(by_words(tagger, phrases[at][0]), phrases[at][1]) for at in left_out]
    right = sum(likely.label is label for likely, label in told) / len(told)
    sure = [(likely, label) for likely, label in told if likely.share >= 0.9]
    print(f"{right:.3f} right, {sum(likely.label is label for likely, label in sure) / len(sure):.3f} of those sure of")
    assert right >= least
    assert sum(likely.label is label for likely, label in sure) >= 0.94 * len(sure)


def test_a_word_that_stands_in_no_example_is_not_known() -> None:
    """Keys struck at random are told from words."""
    assert is_heard("the index is huge")
    assert is_heard("没有")
    assert not is_heard("qzxvkj wqpfj")


def test_examples_point_at_items_by_a_placeholder_only() -> None:
    """No phrase holds an ordinal or an id where an item is meant."""
    pointing = [phrase for phrase, label in load_phrases() if label in (Label.YES, Label.NO) and "p-0" in phrase]
    assert pointing == []
    assert ITEM == "{}"


@pytest.mark.slow
def test_every_piece_gets_one_label_and_a_share() -> None:
    """A message has as many labels and shares as pieces, and each share is a likelihood."""
    for message in load_labelled()[::60]:
        pieces = pieces_of(prepared(message.message), message.view)
        tagged = tag(shipped(), pieces, message.view)
        assert len(tagged.labels) == len(tagged.shares) == len(pieces)
        assert all(0.0 <= share <= 1.0 for share in tagged.shares)


@for_each("text", NAUGHTY)
def test_a_naughty_string_is_read(text: str) -> None:
    """Whatever is typed comes to a step."""
    assert read_message(text, VIEW)[0].steps


@for_each("piece", LONG)
def test_a_long_message_is_read_soon(piece: str) -> None:
    """A message as long as any may be takes under half a second of processor time."""
    shipped()
    text = (piece * MOST_CHARACTERS)[:MOST_CHARACTERS]
    started = time.process_time()
    assert read_message(text, VIEW)[0].steps
    assert time.process_time() - started < 0.5


def test_labels_are_found_for_a_plan_that_is_known() -> None:
    """The labels that alignment finds make the plan that was asked for, where the pieces can make it."""
    found = align(shipped(), "1 yes, 2 no", VIEW, LABELS, lambda plan: len(plan.steps) == 2)
    assert found is not None
    assert len(found) == 2
    assert align(shipped(), "1 yes, 2 no", VIEW, LABELS, lambda plan: False) is None
