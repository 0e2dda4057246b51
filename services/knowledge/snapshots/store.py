"""The snapshot store: immutable `<hex>.json`, a `<hex>.manifest.json` for each, and the record of publications.

`publications/<number>.json` are numbered without gaps: creating the next number publishes its snapshot, which becomes
the current one. `current` repeats the id for readers of a folder. `fingerprints/<mark>` names the snapshot that library
files with this fingerprint compile to.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, replace

from services.chassis.errors import InvalidInput, NotFound, Precondition
from services.knowledge.blobs.port import BlobStore
from services.knowledge.model import Manifest, Publication, SnapshotCounts
from services.knowledge.snapshots.compile import count_entries, hex_of, snapshot_id, to_canonical

CURRENT = "current"
PREVIOUS = "previous"
_PUBLICATIONS, _FINGERPRINTS, _MANIFEST = "publications/", "fingerprints/", ".manifest.json"


class SnapshotStore:
    """Snapshots on a blobs. `clock` gives seconds since 1970, UTC."""

    def __init__(self, blobs: BlobStore, clock: Callable[[], float]) -> None:
        self._blobs = blobs
        self._clock = clock
        # Neither ever changes once it is written.
        self._manifests: dict[str, Manifest] = {}
        self._publications: dict[str, Publication] = {}

    @property
    def place(self) -> str:
        """The location of the store, without a password."""
        return self._blobs.place

    def add(self, content: bytes, *, author: str, reason: str, fingerprint: str) -> Manifest:
        """Stores a snapshot without publishing it. An existing snapshot keeps its manifest."""
        identity = snapshot_id(content)
        if self._stored(identity) is None:
            manifest = Manifest(
                snapshot_id=identity,
                counts=count_entries(content),
                parent_ids=(),
                author=author,
                reason=reason,
                stored_at=int(self._clock()),
                published_at=0,
                size_bytes=len(content),
                fingerprint=fingerprint,
            )
            self._blobs.write(f"{hex_of(identity)}.json", content)
            self._blobs.write(_manifest_name(identity), to_canonical(asdict(manifest)))
        if fingerprint:
            self._blobs.write(_FINGERPRINTS + fingerprint, identity.encode())
        return self.manifest(identity)

    def publish(self, identity: str, *, author: str, reason: str, rollback: bool = False) -> Manifest:
        """Makes a stored snapshot the current one. Publishing the current one again changes nothing.

        Raises NotFound for an unknown id, Precondition when its bytes no longer fit its name.
        """
        self.manifest(identity)
        content = self.read(identity)
        self._adopt_older()
        while (last := self._last()) is None or last.snapshot_id != identity:
            published = Publication(
                number=last.number + 1 if last else 1,
                snapshot_id=identity,
                before=last.snapshot_id if last else "",
                author=author,
                reason=reason,
                at=int(self._clock()),
                rollback=rollback,
            )
            if self._blobs.create(_publication_name(published.number), to_canonical(asdict(published))):
                break
        self._restore(identity, content)
        self.point()
        return self.manifest(identity)

    def rollback(self, to: str | None, *, author: str, reason: str) -> Manifest:
        """Publishes an earlier snapshot again, by default the previous one, and records the reason.

        Raises Precondition if there is no earlier one, InvalidInput without a reason.
        """
        if not reason.strip():
            raise InvalidInput("invalid_request.rollback_reason")
        if to is None:
            lineage = self.lineage()
            if len(lineage) < 2:
                raise Precondition("nothing_before", place=self.place)
            to = lineage[1]
        return self.publish(to, author=author, reason=reason, rollback=True)

    def publications(self) -> tuple[Publication, ...]:
        """Every publication and rollback, oldest first."""
        names = self._blobs.names(_PUBLICATIONS)
        return tuple(self._publication(name) for name in names) if names else self._older()

    def lineage(self) -> tuple[str, ...]:
        """The current snapshot and its predecessors, in the order in which rollbacks return to them."""
        stack: list[str] = []
        for published in self.publications():
            if published.rollback and published.snapshot_id in stack:
                while stack[-1] != published.snapshot_id:
                    stack.pop()
            else:
                stack.append(published.snapshot_id)
        return tuple(reversed(stack))

    def current_id(self) -> str | None:
        """The id of the current snapshot; None before the first publication."""
        last = self._last()
        return last.snapshot_id if last else None

    def resolve(self, text: str) -> str:
        """The full id for `current`, `previous` (the target of a rollback), an id, or its first digits.

        Raises NotFound, or InvalidInput if several ids begin with these digits.
        """
        if text in (CURRENT, PREVIOUS):
            lineage = self.lineage()
            wanted = lineage[:1] if text == CURRENT else lineage[1:2]
            if not wanted:
                raise self._missing(text)
            return wanted[0]
        digits = text.removeprefix("sha256:")
        found = [name for name in self._hexes() if digits and name.startswith(digits)]
        if len(found) > 1:
            raise InvalidInput("invalid_request.snapshot_ambiguous", snapshot=text, count=len(found))
        if not found:
            raise self._missing(text)
        return f"sha256:{found[0]}"

    def read(self, identity: str) -> bytes:
        """The bytes of a snapshot, verified against its id. Raises NotFound, or Precondition if they do not match."""
        name = f"{hex_of(identity)}.json"
        content = self._blobs.read(name)
        if content is None:
            raise self._missing(identity)
        if snapshot_id(content) != identity:
            raise Precondition("snapshot_changed.store", snapshot=identity, name=name)
        return content

    def manifest(self, identity: str) -> Manifest:
        """The manifest of one snapshot. Raises NotFound."""
        stored = self._stored(identity)
        if stored is None:
            raise self._missing(identity)
        own = [published for published in self.publications() if published.snapshot_id == identity]
        return _told(stored, own)

    def manifests(self) -> tuple[Manifest, ...]:
        """All manifests, the newest first (by publication, else by storing), ties by id."""
        own: dict[str, list[Publication]] = defaultdict(list)
        for published in self.publications():
            own[published.snapshot_id].append(published)
        found = (self._known(f"sha256:{digits}") for digits in self._hexes())
        told = [_told(manifest, own[manifest.snapshot_id]) for manifest in found if manifest is not None]

        def newest_first(item: Manifest) -> tuple[int, int, str]:
            last = own[item.snapshot_id][-1].number if own[item.snapshot_id] else 0
            return -(item.published_at or item.stored_at), -last, item.snapshot_id

        return tuple(sorted(told, key=newest_first))

    def with_fingerprint(self, fingerprint: str) -> Manifest | None:
        """The snapshot compiled from library files with this fingerprint, if it still exists."""
        named = self._blobs.read(_FINGERPRINTS + fingerprint)
        if named is not None and self._stored(named.decode()) is not None:
            return self.manifest(named.decode())
        return next((manifest for manifest in self.manifests() if manifest.fingerprint == fingerprint), None)

    def remove(self, identity: str) -> None:
        """Deletes a snapshot; its publications stay on record. Raises Precondition for the current one."""
        if identity == self.current_id():
            raise Precondition("snapshot_in_use", snapshot=identity)
        self._manifests.pop(identity, None)
        self._blobs.remove(_manifest_name(identity))
        self._blobs.remove(f"{hex_of(identity)}.json")

    def close(self) -> None:
        """Closes connections."""
        self._blobs.close()

    def _stored(self, identity: str) -> Manifest | None:
        """The stored manifest, read every time because another process may have removed it."""
        content = self._blobs.read(_manifest_name(identity))
        if not content:
            return None
        found = self._manifests[identity] = _manifest_from(content)
        return found

    def _known(self, identity: str) -> Manifest | None:
        """The manifest of a snapshot that is there."""
        return self._manifests.get(identity) or self._stored(identity)

    def _hexes(self) -> list[str]:
        return [name.removesuffix(_MANIFEST) for name in self._blobs.names() if name.endswith(_MANIFEST)]

    def _last(self) -> Publication | None:
        names = self._blobs.names(_PUBLICATIONS)
        older = () if names else self._older()
        return self._publication(names[-1]) if names else (older[-1] if older else None)

    def _publication(self, name: str) -> Publication:
        found = self._publications.get(name)
        if found is None:
            found = self._publications[name] = Publication(**json.loads(self._blobs.read(name) or b"{}"))
        return found

    def _older(self) -> tuple[Publication, ...]:
        """The publications of a store written by an earlier version, which has only `current`."""
        current = (self._blobs.read(CURRENT) or b"").decode().strip()
        if not current:
            return ()
        stored = (self._stored(f"sha256:{digits}") for digits in self._hexes())
        published = [item for item in stored if item is not None and (item.published_at or item.snapshot_id == current)]
        published.sort(key=lambda item: (item.snapshot_id == current, item.published_at, item.snapshot_id))
        before = ["", *(item.snapshot_id for item in published)]
        return tuple(
            Publication(number, item.snapshot_id, before[number - 1], item.author, item.reason, item.published_at)
            for number, item in enumerate(published, 1)
        )

    def _adopt_older(self) -> None:
        if not self._blobs.names(_PUBLICATIONS):
            for published in self._older():
                self._blobs.create(_publication_name(published.number), to_canonical(asdict(published)))

    def _restore(self, identity: str, content: bytes) -> None:
        """Restores the current snapshot in case a concurrent removal deleted it."""
        if self._stored(identity) is None or self._blobs.read(f"{hex_of(identity)}.json") is None:
            self.add(content, author="", reason="", fingerprint="")

    def point(self) -> None:
        """Makes `current` name the last publication, even after a crash or a concurrent publication."""
        while (last := self._last()) is not None and self._blobs.read(CURRENT) != last.snapshot_id.encode():
            self._blobs.write(CURRENT, last.snapshot_id.encode())

    def _missing(self, identity: str) -> NotFound:
        return NotFound("snapshot_not_found.missing", snapshot=identity, place=self.place)


def _manifest_name(identity: str) -> str:
    return hex_of(identity) + _MANIFEST


def _publication_name(number: int) -> str:
    return f"{_PUBLICATIONS}{number:08d}.json"


def _told(manifest: Manifest, own: list[Publication]) -> Manifest:
    """A stored manifest completed by its publications: parent of the first, author and reason of the last."""
    if not own:
        return manifest
    parents = (own[0].before,) if own[0].before else ()
    return replace(manifest, parent_ids=parents, author=own[-1].author, reason=own[-1].reason, published_at=own[-1].at)


def _manifest_from(content: bytes) -> Manifest:
    value = json.loads(content)
    return Manifest(**value | {"counts": SnapshotCounts(**value["counts"]), "parent_ids": tuple(value["parent_ids"])})
