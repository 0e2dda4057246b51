from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from lang import embedding
from lang.concepts import glossary
from services.matcher.index import search_index
from services.matcher.index.compiled import Compiled
from services.matcher.index.entries import Entry
from services.matcher.index.index_cache import load_or_build
from services.matcher.index.search_index import Index
from services.matcher.training.texts import load_shipped_library

COMPILED = "compiling the entries again"


@pytest.fixture(scope="module")
def causes() -> Sequence[Entry]:
    """Few enough to be read quickly, and more than the fewest that are cached."""
    return load_shipped_library().root_causes[:55]


@pytest.fixture(scope="module")
def built(causes: Sequence[Entry]) -> Index:
    return search_index.build(causes, glossary.load(), embedding.load())


def kept(entries: Sequence[Entry], folder: Path) -> Index:
    return load_or_build(entries, glossary.load(), embedding.load(), folder)


def same(one: Index, other: Index) -> bool:
    kept, built = one.compiled, other.compiled
    pairs = [(getattr(kept, field.name), getattr(built, field.name)) for field in fields(Compiled)]
    return one == other and all(
        left.dtype == right.dtype and np.array_equal(left, right) if isinstance(left, np.ndarray) else left == right
        for left, right in pairs
    )


def no_building(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_index(*_: object) -> Compiled:
        raise AssertionError(COMPILED)

    monkeypatch.setattr(search_index, "compile_index", compile_index)


@pytest.mark.slow
def test_a_cached_index_equals_the_built_one(
    causes: Sequence[Entry], built: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cached index equals the built one to the last bit, and is not built again."""
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


@pytest.mark.slow
@pytest.mark.parametrize("harm", [_torn, _emptied, _changed, _replaced, _made_a_folder])
def test_a_corrupt_file_is_rebuilt(
    causes: Sequence[Entry], built: Index, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """A corrupt, empty, foreign or unreadable cache file gives the same index."""
    kept(causes, tmp_path)
    (path,) = tmp_path.iterdir()
    harm(path)
    assert same(kept(causes, tmp_path), built)


@pytest.mark.slow
def test_a_file_under_a_wrong_name_is_ignored(causes: Sequence[Entry], built: Index, tmp_path: Path) -> None:
    """A cache file renamed to another key is ignored."""
    kept(causes[1:], tmp_path)
    (other,) = tmp_path.iterdir()
    kept(causes, tmp_path)
    (path,) = set(tmp_path.iterdir()) - {other}
    other.replace(path)
    assert same(kept(causes, tmp_path), built)


def test_an_unwritable_folder_is_tolerated(causes: Sequence[Entry], built: Index, tmp_path: Path) -> None:
    """Without a writable folder the index is built."""
    (tmp_path / "file").touch()
    assert same(kept(causes, tmp_path / "file" / "folder"), built)


@pytest.mark.slow
def test_another_glossary_bypasses_the_cache(causes: Sequence[Entry], tmp_path: Path) -> None:
    """An index made with the shipped glossary is not used for another glossary."""
    kept(causes, tmp_path)
    words = replace(glossary.load(), latin={})
    found = load_or_build(causes, words, embedding.load(), tmp_path)
    assert same(found, search_index.build(causes, words, embedding.load()))


@pytest.mark.slow
def test_the_cache_evicts_the_least_recently_used(
    causes: Sequence[Entry], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache stays below its size limit, keeps the most recently used indexes, and deletes no other file."""
    (tmp_path / "acts-1.npy").touch()
    kept(causes[:50], tmp_path)
    (first,) = tmp_path.glob("index-*")
    monkeypatch.setattr("services.matcher.index.index_cache._MOST_BYTES", 4 * first.stat().st_size)
    for start in range(1, 6):
        kept(causes[start : start + 50], tmp_path)
        kept(causes[:50], tmp_path)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 4 * first.stat().st_size
    assert first.exists()
    assert len(list(tmp_path.glob("index-*"))) > 1
    assert (tmp_path / "acts-1.npy").exists()
