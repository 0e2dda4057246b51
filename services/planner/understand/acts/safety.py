"""Questions whether something that changes or destroys may be done: deleting files, killing, restarting, dropping.

They are recognised here for both jobs: such a question asks for help, and its answer never encourages.
"""

from __future__ import annotations

from services.planner.understand.text.word_lists import listed

_ASKING_ZH = listed("safety.asking_zh")
_ASKING_EN = listed("safety.asking_en")
# The assistant's own record: "can I delete my second answer", "can we drop all this".
_OWN = listed("safety.own")
_WAL_FILES = listed("safety.wal_files")
_REMOVING = listed("safety.removing")


# Words for things that were named before.
_BACK = listed("safety.back")


def points_back(text: str) -> bool:
    """Whether it speaks of something that was named before."""
    return bool(_BACK.search(text))


def asks_permission(text: str) -> bool:
    """Whether it asks if something may be done that cannot be taken back, or that interrupts."""
    return bool(_ASKING_ZH.search(text) or _ASKING_EN.search(text)) and not _OWN.search(text)


def touches_wal_files(text: str) -> bool:
    """Whether it speaks of removing the files of the write-ahead log."""
    return bool(_WAL_FILES.search(text) and _REMOVING.search(text))
