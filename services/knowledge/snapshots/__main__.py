"""Writes the snapshot of the shipped library into the package; takes a second."""

from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.knowledge.snapshots.publish import compile_admitted
from services.knowledge.snapshots.shipped_snapshot import FILE, make_shipped, mark_of

if __name__ == "__main__":
    FILE.write_bytes(make_shipped(mark_of((POSTGRESQL,)), compile_admitted((POSTGRESQL,))))
