"""The reader beside the ladder: its weights are fresh, its labels are likelihoods, long strings are cheap."""

from __future__ import annotations

import time

import pytest

from services.planner.training.alignment import align
from services.planner.training.labelled import load_labelled
from services.planner.training.tagging import digest_of_inputs
from services.planner.understand.acts.labels import LABELS
from services.planner.understand.acts.ngrams import SIZE
from services.planner.understand.acts.tagger import from_bytes, shipped, tag, to_bytes
from services.planner.understand.pieces import pieces_of
from services.planner.understand.read import prepared, read_message
from tests.unit.planner.test_planner_strings import LONG, MOST_CHARACTERS, NAUGHTY, VIEW


def test_the_shipped_labels_were_learned_from_these_inputs() -> None:
    """The shipped file records the digest of today's inputs and features; if not, run `make train`."""
    assert shipped().digest == digest_of_inputs()


def test_a_tagger_survives_its_file() -> None:
    """A tagger comes out of its file as it went in."""
    read = from_bytes(to_bytes(shipped()))
    assert read.values.shape == (SIZE + 1, len(LABELS))
    assert (read.values == shipped().values).all()
    assert (read.words, read.digest) == (shipped().words, shipped().digest)


def test_every_piece_gets_one_label_and_a_share() -> None:
    """A message has as many labels and shares as pieces, and each share is a likelihood."""
    for message in load_labelled()[::60]:
        pieces = pieces_of(prepared(message.message), message.view)
        tagged = tag(shipped(), pieces, message.view)
        assert len(tagged.labels) == len(tagged.shares) == len(pieces)
        assert all(0.0 <= share <= 1.0 for share in tagged.shares)


@pytest.mark.parametrize("text", NAUGHTY)
def test_a_naughty_string_is_read(text: str) -> None:
    """Whatever is typed comes to a step."""
    assert read_message(text, VIEW)[0].steps


@pytest.mark.parametrize("piece", LONG)
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
