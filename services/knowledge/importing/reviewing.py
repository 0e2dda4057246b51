"""What a person does with the review: each action changes the review's data; an import of nothing applies it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from services.chassis.errors import InvalidInput
from services.knowledge.files import write_atomically
from services.knowledge.importing import compose
from services.knowledge.importing.edits import apply_edits
from services.knowledge.importing.observation import normal
from services.knowledge.importing.review import FILE_NAME, Name, Review, Ruling, read_review, review_text
from services.knowledge.importing.site import read_site
from services.knowledge.importing.workplace import at_work
from services.knowledge.yaml_text import write_yaml

_FEWEST_DIGITS = 4


def unclear(review: Review) -> list[Ruling]:
    """What waits for a person, in the file's order."""
    return [ruling for ruling in rulings_of(review) if ruling.unclear]


def rulings_of(review: Review) -> list[Ruling]:
    """Every ruling: what is unclear first, then by id."""
    every = (*review.phenomena, *review.root_causes)
    return sorted(
        every, key=lambda ruling: (not ruling.unclear, ruling.into or "", ruling.decision != "new", ruling.key)
    )


def named(review: Review, what: str) -> list[Ruling]:
    """The rulings that `what` names: digits of a handle, a statement, or an id with all its statements.

    Raises InvalidInput when there is none, or several by the same digits.
    """
    every = rulings_of(review)
    by_id = [ruling for ruling in every if ruling.into == what]
    by_words = [ruling for ruling in every if ruling.key == normal(what)]
    short = len(what) < _FEWEST_DIGITS
    by_handle = [] if short else [ruling for ruling in every if ruling.handle.startswith(what.casefold())]
    found = by_id or by_words or by_handle
    if not found:
        known = [ruling.handle for ruling in every] + [str(ruling.into) for ruling in every]
        near = get_close_matches(what, sorted(set(known)), n=1, cutoff=0.0)
        raise _wrong(f"{what!r} is no decision of this review; the nearest is {''.join(near) or 'none'}")
    if by_handle and found is by_handle and len(found) > 1:
        raise _wrong(f"{what!r} may be {' or '.join(ruling.handle for ruling in found)}; give more digits")
    return found


def accept(review: Review, whats: Sequence[str]) -> Review:
    """Agrees with what was decided; `all` agrees with everything that waits."""
    keys = {ruling.key for ruling in unclear(review)} if "all" in whats else set()
    keys |= {ruling.key for what in whats if what != "all" for ruling in named(review, what)}
    return _changed(review, keys, lambda ruling: {"unclear": False, "decided_by": "person"})


def merge(review: Review, what: str, into: str) -> Review:
    """Moves a statement, or all statements of an id, to another id."""
    keys = {ruling.key for ruling in named(review, what)}
    return _changed(review, keys, lambda ruling: {"decision": "merge", "into": into})


def split(review: Review, what: str) -> Review:
    """Makes a statement a thing of its own."""
    found = named(review, what)
    if len(found) > 1:
        shown = ", ".join(ruling.handle for ruling in found)
        raise _wrong(f"{what} has {len(found)} statements; say which of them is to leave: {shown}")
    if found[0].applied.startswith("new "):
        raise _wrong(f"{what}: {found[0].into} was made for this statement; split off one of the others instead")
    return _changed(review, {found[0].key}, lambda ruling: {"decision": "new", "into": None})


def save(library: Path, base: Sequence[Path], change: Callable[[Review], Review]) -> Review:
    """Changes the review file. Raises InvalidLibrary or InvalidInput naming what cannot be; then nothing is written."""
    with at_work(library):
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
    """Gives an entry of this library a name; the one it had becomes an alias. Remembered in the review."""
    if not (zh or en):
        raise _wrong("say the name in Chinese (--zh), in English (--en), or both")
    with at_work(library):
        site = read_site(library, base)
        phenomenon, cause = site.library.phenomena.get(identity), site.library.root_causes.get(identity)
        if phenomenon is None and cause is None:
            known = [*site.library.phenomena, *site.library.root_causes]
            near = "".join(get_close_matches(identity, known, n=1, cutoff=0.0))
            raise _wrong(f"{identity} does not exist; the nearest id is {near or 'none'}")
        if not site.owns(identity):
            raise _wrong(
                f"{identity} is an entry of {site.library.files[identity].parents[1].name}, not of this library"
            )
        before = site.review.names.get(identity, Name())
        name = Name(zh=zh or before.zh, en=en or before.en)
        review = site.review.model_copy(update={"names": {**site.review.names, identity: name}})
        write_atomically(library / FILE_NAME, review_text(review).encode())
        if phenomenon is not None:
            document = compose.entry_document(compose.renamed(phenomenon, name))
        elif cause is not None:
            document = compose.entry_document(compose.renamed(cause, name))
        write_atomically(site.library.files[identity], write_yaml(document).encode())


def review_at(library: Path) -> Review:
    """The review of a library. Raises InvalidInput when nothing was imported into it."""
    if not (library / FILE_NAME).is_file():
        hint = f"there is no {library / FILE_NAME}; import tickets first, or name the library you imported into"
        raise _wrong(hint)
    return read_review(library)


def _changed(review: Review, keys: set[str], update: Callable[[Ruling], dict[str, object]]) -> Review:
    def each(rulings: Sequence[Ruling]) -> Iterator[Ruling]:
        for ruling in rulings:
            yield ruling.model_copy(update=update(ruling)) if ruling.key in keys else ruling

    phenomena, causes = tuple(each(review.phenomena)), tuple(each(review.root_causes))
    return review.model_copy(update={"phenomena": phenomena, "root_causes": causes})


def _wrong(why: str) -> InvalidInput:
    return InvalidInput(f"reviewing: {why}", reason="invalid_review")
