"""Review actions: accept, merge, split and rename. Each edits the review's data; an empty import applies it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from services.chassis.errors import InvalidInput
from services.knowledge.blobs.directory import write_atomically
from services.knowledge.importing.deciding.assign_ids import apply_edits
from services.knowledge.importing.deciding.review import FILE_NAME, Name, Review, Ruling, read_review, review_text
from services.knowledge.importing.matching.statement import normalise
from services.knowledge.importing.writing import compose
from services.knowledge.importing.writing.site import lock_library, read_site
from services.knowledge.library.yaml_text import entry_yaml

_FEWEST_DIGITS = 4


def list_unclear(review: Review) -> list[Ruling]:
    """Decisions that need a person, in the file's order."""
    return [ruling for ruling in list_rulings(review) if ruling.unclear]


def list_rulings(review: Review) -> list[Ruling]:
    """Every ruling: unclear ones first, then by id."""
    every = (*review.phenomena, *review.root_causes)
    return sorted(
        every, key=lambda ruling: (not ruling.unclear, ruling.into or "", ruling.decision != "new", ruling.key)
    )


def find_rulings(review: Review, what: str) -> list[Ruling]:
    """The rulings that `what` names: digits of a handle, a statement, or an id with all its statements.

    Raises InvalidInput if there is none, or if the digits are ambiguous.
    """
    every = list_rulings(review)
    by_id = [ruling for ruling in every if ruling.into == what]
    by_words = [ruling for ruling in every if ruling.key == normalise(what)]
    short = len(what) < _FEWEST_DIGITS
    by_handle = [] if short else [ruling for ruling in every if ruling.handle.startswith(what.casefold())]
    found = by_id or by_words or by_handle
    if not found:
        known = [ruling.handle for ruling in every] + [str(ruling.into) for ruling in every]
        near = get_close_matches(what, sorted(set(known)), n=1, cutoff=0.0)
        raise InvalidInput("invalid_review.unknown_decision", name=what, nearest="".join(near) or "none")
    if by_handle and found is by_handle and len(found) > 1:
        handles = " or ".join(ruling.handle for ruling in found)
        raise InvalidInput("invalid_review.ambiguous_decision", name=what, handles=handles)
    return found


def accept(review: Review, whats: Sequence[str]) -> Review:
    """Confirms decisions; `all` confirms everything unclear."""
    keys = {ruling.key for ruling in list_unclear(review)} if "all" in whats else set()
    keys |= {ruling.key for what in whats if what != "all" for ruling in find_rulings(review, what)}
    return _changed(review, keys, lambda ruling: {"unclear": False, "decided_by": "person"})


def merge(review: Review, what: str, into: str) -> Review:
    """Moves a statement, or all statements of an id, to another id."""
    keys = {ruling.key for ruling in find_rulings(review, what)}
    return _changed(review, keys, lambda ruling: {"decision": "merge", "into": into})


def split(review: Review, what: str) -> Review:
    """Turns a statement into an entry of its own."""
    found = find_rulings(review, what)
    if len(found) > 1:
        shown = ", ".join(ruling.handle for ruling in found)
        raise InvalidInput("invalid_review.which_statement", name=what, count=len(found), handles=shown)
    if found[0].applied.startswith("new "):
        raise InvalidInput("invalid_review.own_statement", name=what, into=str(found[0].into))
    return _changed(review, {found[0].key}, lambda ruling: {"decision": "new", "into": None})


def save(library: Path, base: Sequence[Path], change: Callable[[Review], Review]) -> Review:
    """Changes the review file. Raises InvalidLibrary or InvalidInput for invalid changes; then nothing is written."""
    with lock_library(library):
        site = read_site(library, base)
        changed = change(site.review)
        for rulings, known in (
            (changed.phenomena, site.library.phenomena),
            (changed.root_causes, site.library.root_causes),
        ):
            mentioned = {ruling.applied.split()[-1] for ruling in rulings if ruling.applied}
            apply_edits(rulings, {*known, *mentioned}, lambda: "", library, changed.retired)
        if changed != site.review:
            write_atomically(library / FILE_NAME, review_text(changed).encode())
        return changed


def rename(library: Path, base: Sequence[Path], identity: str, zh: str | None, en: str | None) -> None:
    """Renames an entry of this library; the old name becomes an alias. The review remembers the name."""
    if not (zh or en):
        raise InvalidInput("invalid_review.no_name")
    with lock_library(library):
        site = read_site(library, base)
        phenomenon, cause = site.library.phenomena.get(identity), site.library.root_causes.get(identity)
        if phenomenon is None and cause is None:
            known = [*site.library.phenomena, *site.library.root_causes]
            near = "".join(get_close_matches(identity, known, n=1, cutoff=0.0))
            raise InvalidInput("invalid_review.unknown_entry", id=identity, nearest=near or "none")
        if not site.owns(identity):
            owner = site.library.files[identity].parents[1].name
            raise InvalidInput("invalid_review.other_library", id=identity, library=owner)
        before = site.review.names.get(identity, Name())
        name = Name(zh=zh or before.zh, en=en or before.en)
        review = site.review.model_copy(update={"names": {**site.review.names, identity: name}})
        write_atomically(library / FILE_NAME, review_text(review).encode())
        if phenomenon is not None:
            text = entry_yaml(compose.rename_entry(phenomenon, name))
        elif cause is not None:
            text = entry_yaml(compose.rename_entry(cause, name))
        write_atomically(site.library.files[identity], text.encode())


def review_at(library: Path) -> Review:
    """The review of a library. Raises InvalidInput if nothing was imported into it."""
    if not (library / FILE_NAME).is_file():
        raise InvalidInput("invalid_review.nothing_imported", file=str(library / FILE_NAME))
    return read_review(library)


def _changed(review: Review, keys: set[str], update: Callable[[Ruling], dict[str, object]]) -> Review:
    def each(rulings: Sequence[Ruling]) -> Iterator[Ruling]:
        for ruling in rulings:
            yield ruling.model_copy(update=update(ruling)) if ruling.key in keys else ruling

    phenomena, causes = tuple(each(review.phenomena)), tuple(each(review.root_causes))
    return review.model_copy(update={"phenomena": phenomena, "root_causes": causes})
