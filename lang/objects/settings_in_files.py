"""Settings that a message prints from a file: where the server shows another value, it does not run with that file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lang import deferred_re as re
from lang.objects import Seen
from lang.objects.settings_said import SETTING, setting_of

_ECHO = "echo"
_FILE = re.compile(r"[\w./-]+\.(?:conf|cnf|ini|ya?ml)\b")
_LINE = re.compile(r"\s*[\w.]+\s*[=:]\s*\S.*")


class FileSettings:
    """Takes the settings of a message block by block, and keeps apart those that the command before them prints."""

    def __init__(self) -> None:
        self._in_file = False
        self._found: list[Seen] = []

    def sort(self, kind: str, text: str, settings: Sequence[Seen]) -> Sequence[Seen]:
        """The settings of a block that are of no file; kind: what the block is, a command at a prompt or its words."""
        if kind == _ECHO:
            self._in_file = _FILE.search(text) is not None
        elif not _LINE.fullmatch(text):
            self._in_file = False
        if not self._in_file:
            return settings
        self._found += settings
        return ()

    def in_effect(self, others: Iterable[Seen]) -> Sequence[Seen]:
        """The settings of the files; none where the rest of the message has another value of one of them."""
        running = {setting_of(each.name): each.name for each in others if each.kind == SETTING}
        differs = any(running.get(setting_of(each.name), each.name) != each.name for each in self._found)
        return () if differs else self._found
