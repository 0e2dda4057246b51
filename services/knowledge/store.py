"""The snapshot store: immutable files `<hex>.json`, beside each `<hex>.manifest.json`, and `current` with an id."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from services.chassis.errors import InvalidInput, NotFound, Precondition
from services.knowledge.compile import canonical, count, hex_of, snapshot_id
from services.knowledge.files import write_atomically
from services.knowledge.model import Manifest, SnapshotCounts

CURRENT = "current"
PREVIOUS = "previous"


class SnapshotStore:
    """Keeps every snapshot ever stored. `clock` gives seconds since 1970, UTC."""

    def __init__(self, directory: Path, clock: Callable[[], float]) -> None:
        self._directory = directory
        self._clock = clock

    def add(self, content: bytes, *, author: str, reason: str, fingerprint: str) -> Manifest:
        """Stores a snapshot without publishing it. A snapshot that is there already keeps its manifest."""
        identity = snapshot_id(content)
        if self._manifest_path(identity).is_file():
            self._learn_fingerprint(identity, fingerprint)
            return self.manifest(identity)
        manifest = Manifest(
            snapshot_id=identity,
            counts=count(content),
            parent_ids=(),
            author=author,
            reason=reason,
            stored_at=int(self._clock()),
            published_at=0,
            size_bytes=len(content),
            fingerprint=fingerprint,
        )
        write_atomically(self._content_path(identity), content)
        self._write_manifest(manifest)
        return manifest

    def publish(self, identity: str, *, author: str, reason: str) -> Manifest:
        """Makes a stored snapshot the current one. Publishing the current one again changes nothing.

        Raises NotFound for an unknown id, Precondition when its bytes no longer fit its name.
        """
        manifest = self.manifest(identity)
        self.read(identity)
        previous = self.current_id()
        if previous == identity:
            return manifest
        first_time = manifest.published_at == 0
        parents = (previous,) if first_time and previous else manifest.parent_ids
        published = replace(manifest, parent_ids=parents, author=author, reason=reason, published_at=int(self._clock()))
        self._write_manifest(published)
        write_atomically(self._directory / CURRENT, identity.encode())
        return published

    def current_id(self) -> str | None:
        """The published snapshot's id, or None when nothing was published yet."""
        path = self._directory / CURRENT
        return path.read_text(encoding="ascii").strip() if path.is_file() else None

    def resolve(self, text: str) -> str:
        """The full id for `current`, `previous` (what was current before it), an id, or an id's first digits.

        Raises NotFound, or InvalidInput when several ids begin like this.
        """
        if text in (CURRENT, PREVIOUS):
            current = self.current_id()
            named = (current, *self.manifest(current).parent_ids) if current else ()
            wanted = named[:1] if text == CURRENT else named[1:2]
            if not wanted:
                raise self._missing(text)
            return wanted[0]
        digits = text.removeprefix("sha256:")
        names = (path.name.split(".")[0] for path in self._directory.glob("*.manifest.json"))
        found = sorted(name for name in names if digits and name.startswith(digits))
        if len(found) > 1:
            raise InvalidInput(f"looking for snapshot {text}: {len(found)} begin like this; write more of its digits")
        if not found:
            raise self._missing(text)
        return f"sha256:{found[0]}"

    def read(self, identity: str) -> bytes:
        """The snapshot's bytes, checked against its name. Raises NotFound, or Precondition when they were changed."""
        path = self._content_path(identity)
        if not path.is_file():
            raise self._missing(identity)
        content = path.read_bytes()
        if snapshot_id(content) != identity:
            raise Precondition(
                f"reading snapshot {identity}: the bytes in {path.name} no longer fit its name; put the file back "
                "from a backup, or delete it and build the snapshot again",
                reason="snapshot_changed",
            )
        return content

    def manifest(self, identity: str) -> Manifest:
        """The manifest of one snapshot. Raises NotFound."""
        path = self._manifest_path(identity)
        if not path.is_file():
            raise self._missing(identity)
        return _manifest_from(path.read_bytes())

    def list(self) -> tuple[Manifest, ...]:
        """All manifests, the newest first (by publication, else by storing), ties by id."""
        found = (_manifest_from(path.read_bytes()) for path in self._directory.glob("*.manifest.json"))
        return tuple(sorted(found, key=lambda item: (-(item.published_at or item.stored_at), item.snapshot_id)))

    def with_fingerprint(self, fingerprint: str) -> Manifest | None:
        """The newest snapshot compiled from library files of this fingerprint."""
        return next((manifest for manifest in self.list() if manifest.fingerprint == fingerprint), None)

    def _learn_fingerprint(self, identity: str, fingerprint: str) -> None:
        self._write_manifest(replace(self.manifest(identity), fingerprint=fingerprint))

    def _write_manifest(self, manifest: Manifest) -> None:
        write_atomically(self._manifest_path(manifest.snapshot_id), canonical(asdict(manifest)))

    def _content_path(self, identity: str) -> Path:
        return self._directory / f"{hex_of(identity)}.json"

    def _manifest_path(self, identity: str) -> Path:
        return self._directory / f"{hex_of(identity)}.manifest.json"

    def _missing(self, identity: str) -> NotFound:
        return NotFound(
            f"looking for snapshot {identity} in {self._directory}: it is not there; `knowledge build` makes one",
            reason="snapshot_not_found",
        )


def _manifest_from(content: bytes) -> Manifest:
    value = json.loads(content)
    return Manifest(
        **value | {"counts": SnapshotCounts(**value["counts"]), "parent_ids": tuple(value["parent_ids"])},
    )
