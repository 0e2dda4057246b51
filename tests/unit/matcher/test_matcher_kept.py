from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from services.matcher import embedding, glossary, index
from services.matcher.index import Index
from services.matcher.kept import index_of
from services.matcher.library import Entry
from tests.benchmarks.match_data import current_library

BUILT = "building an index"


@pytest.fixture(scope="module")
def causes() -> Sequence[Entry]:
    return current_library().root_causes


@pytest.fixture(scope="module")
def built(causes: Sequence[Entry]) -> Index:
    return index.build(causes, glossary.load(), embedding.static_embedder())


def kept(entries: Sequence[Entry], folder: Path) -> Index:
    return index_of(entries, glossary.load(), embedding.static_embedder(), folder)


def same(one: Index, other: Index) -> bool:
    pairs = [(getattr(one, field.name), getattr(other, field.name)) for field in fields(Index)]
    return all(
        left.dtype == right.dtype and np.array_equal(left, right) if isinstance(left, np.ndarray) else left == right
        for left, right in pairs
    )


def no_building(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: object) -> Index:
        raise AssertionError(BUILT)

    monkeypatch.setattr(index, "build", build)


def test_what_was_kept_is_what_was_built(
    causes: Sequence[Entry], built: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index comes out of the folder to the last bit as it was built, without being built again."""
    assert same(kept(causes, tmp_path), built)
    no_building(monkeypatch)
    assert same(kept(causes, tmp_path), built)


def _torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _changed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _replaced(path: Path) -> None:
    path.write_bytes(b'{"rarity":{},"profiles":[]}\n' * 100)


def _made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [_torn, _emptied, _changed, _replaced, _made_a_folder])
def test_what_is_not_whole_is_not_used(
    causes: Sequence[Entry], built: Index, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """Whatever became of a kept file, the index is the same."""
    kept(causes, tmp_path)
    (path,) = tmp_path.iterdir()
    harm(path)
    assert same(kept(causes, tmp_path), built)


def test_one_index_is_never_taken_for_another(causes: Sequence[Entry], built: Index, tmp_path: Path) -> None:
    """A file that was put under another one's name is not used."""
    kept(causes[1:], tmp_path)
    (other,) = tmp_path.iterdir()
    kept(causes, tmp_path)
    (path,) = set(tmp_path.iterdir()) - {other}
    other.replace(path)
    assert same(kept(causes, tmp_path), built)


def test_no_folder_is_no_trouble(causes: Sequence[Entry], built: Index, tmp_path: Path) -> None:
    """Where nothing can be kept the index is built."""
    (tmp_path / "file").touch()
    assert same(kept(causes, tmp_path / "file" / "folder"), built)


def test_other_words_make_another_index(causes: Sequence[Entry], tmp_path: Path) -> None:
    """What the shipped glossary made is not taken for what another one makes."""
    kept(causes, tmp_path)
    words = replace(glossary.load(), latin={})
    found = index_of(causes, words, embedding.static_embedder(), tmp_path)
    assert same(found, index.build(causes, words, embedding.static_embedder()))


def test_the_folder_stays_small(causes: Sequence[Entry], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only as many indexes as there is room for are kept, those used last, and nothing else of the folder goes."""
    (tmp_path / "acts-1.npy").touch()
    kept(causes[:50], tmp_path)
    (first,) = tmp_path.glob("index-*")
    monkeypatch.setattr("services.matcher.kept._MOST_BYTES", 4 * first.stat().st_size)
    for start in range(1, 8):
        kept(causes[start : start + 50], tmp_path)
        kept(causes[:50], tmp_path)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 4 * first.stat().st_size
    assert first.exists()
    assert len(list(tmp_path.glob("index-*"))) > 1
    assert (tmp_path / "acts-1.npy").exists()
