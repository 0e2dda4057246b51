"""What incidents as a whole sound like."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lang.concepts import glossary
from services.matcher.recognition import incident_likeness
from services.matcher.recognition.incident_likeness import LikenessReader, bits_of
from services.matcher.training import likeness_weights
from services.matcher.training.texts import load_shipped_library
from tests.support.cases import for_each
from tests.support.matching import library_of


@cache
def reader() -> LikenessReader:
    """The reader of the shipped library."""
    return LikenessReader(load_shipped_library().root_causes, glossary.load())


def first(*messages: str) -> str:
    """The cause that messages sound like most."""
    return reader().liken(messages)[0].root_cause_id


def test_the_shipped_weights_are_those_of_the_incidents() -> None:
    """Whoever changes what incidents sound like, a ticket or a cause's texts has to learn anew."""
    assert incident_likeness.shipped().digest == likeness_weights.digest_inputs()


def test_a_file_of_likeness_gives_the_same_model() -> None:
    """Written and read again, the weights are the same bytes."""
    content = incident_likeness.FILE.read_bytes()
    assert incident_likeness.to_bytes(incident_likeness.from_bytes(content)) == content


def test_every_cause_is_told_of_in_both_languages() -> None:
    """No shipped cause is without incidents, in Chinese and in English."""
    for language in ("zh", "en"):
        told = {row["cause"] for row in likeness_weights.load_rows() if row["lang"] == language}
        assert told == set(likeness_weights.load_causes())


def test_none_of_the_talks_was_learned_from() -> None:
    """The talks that measure how sure the model may be are none of the texts that teach."""
    learned = {each.text for each in likeness_weights.load_told()}
    assert not learned & {message for talk in likeness_weights.load_talks() for message in talk.messages}


def test_most_talks_sound_like_their_cause() -> None:
    """Of talks that were not learned from, the right cause is first in one of four by the opening, in two of three with
    what was looked at, in nine of ten with an output, and among the first three more often.
    """
    floors = {1: (0.25, 0.45), 2: (0.6, 0.8), 3: (0.9, 0.95), 5: (0.9, 0.95)}
    talks = likeness_weights.load_talks()
    for count, (leads, among) in floors.items():
        found = [[each.root_cause_id for each in reader().liken(talk.messages[:count])[:3]] for talk in talks]
        right = [talk.cause == names[0] for talk, names in zip(talks, found, strict=True)]
        near = [talk.cause in names for talk, names in zip(talks, found, strict=True)]
        assert np.mean(right) >= leads, (count, np.mean(right))
        assert np.mean(near) >= among, (count, np.mean(near))


def test_bits_are_those_of_a_likelihood() -> None:
    """The shares of all causes sum up to one, and no cause falls below the doubt that is left."""
    found = reader().liken(["saving one order hangs, all others are fine, restarting the app did not free it"])
    shares = np.exp2([each.bits for each in found]) / len(found)
    assert shares.sum() == pytest.approx(1.0, abs=1e-3)
    assert shares.min() >= incident_likeness.shipped().doubt / len(found) * 0.99


def test_more_messages_of_a_kind_make_it_surer() -> None:
    """What is told again in other words is no less like the same cause."""
    one = "psql hangs only when I change that row, reading it is instant"
    two = "one session sits idle in transaction since lunch and everybody queues behind its row lock"
    alone, both = reader().liken([two])[0], reader().liken([one, two])[0]
    assert (alone.root_cause_id, both.root_cause_id) == ("RC-0001", "RC-0001")
    assert both.bits >= alone.bits


@for_each("words", [(), ("",), (" \n ",)])
def test_nothing_told_is_like_nothing(words: tuple[str, ...]) -> None:
    """Without words there is no likeness."""
    assert reader().liken(words) == ()


@for_each("words", ["\x00\x1b[31m", "🙃" * 500, "a" * 100_000, "9" * 5_000, "\ud800"])
def test_garbage_is_like_every_cause_or_none(words: str) -> None:
    """Whatever is typed gives finite bits, and no cause far ahead."""
    found = reader().liken([words])
    assert all(np.isfinite(each.bits) for each in found)
    assert all(each.bits < 4.5 for each in found)


def test_words_of_the_likeness_stand_in_the_messages() -> None:
    """What is quoted was said."""
    messages = ["the 02:00 import never ends", "df says 97 % on /pgdata, pg_wal alone is 800 GB, archive_command fails"]
    quoted = [words for each in reader().liken(messages) for words in each.words]
    assert quoted
    assert all(any(words in message for message in messages) for words in quoted)


def test_only_causes_of_the_library_are_told() -> None:
    """Another library's causes, and causes of the same id with another name, are never told."""
    mysql = LikenessReader(library_of("mysql").root_causes, glossary.load()).liken(["slow"])
    assert mysql
    assert all(each.root_cause_id.startswith("RC-2") for each in mysql)
    causes = load_shipped_library().root_causes
    renamed = [replace(each, name=replace(each.name, en="Another")) if at else each for at, each in enumerate(causes)]
    assert LikenessReader(renamed, glossary.load()).liken(["slow"]) == ()


def test_scores_add_up_over_messages() -> None:
    """The order of the messages does not matter."""
    model = incident_likeness.shipped()
    scores = np.array([[0.1, 0.5, 0.2], [0.3, 0.0, 0.1]])
    assert bits_of(scores, model) == pytest.approx(bits_of(scores[::-1], model))
