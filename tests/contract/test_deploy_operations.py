from __future__ import annotations

import re
from pathlib import Path

from services.chassis import settings

DOCUMENT = Path(__file__).parents[2] / "docs" / "operations.md"
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \| (.*?) \| .+ \|$", re.MULTILINE)


def _room(model: type[settings.SettingsModel]) -> str:
    return model.__module__.removesuffix(".settings").removeprefix("services.")


def _shown(default: object) -> str:
    return "" if default is None else f"`{default}`"


def test_the_settings_table_is_what_the_models_say() -> None:
    """The table names every setting with its default and who reads it, and nothing else."""
    written = {name: (default, readers) for name, default, readers in ROW.findall(DOCUMENT.read_text(encoding="utf-8"))}
    readers: dict[str, set[str]] = {}
    defaults: dict[str, str] = {}
    for model in settings._all_models():
        if not _room(model).startswith("chassis") and model.__module__ != settings.__name__:
            for name, field in model.model_fields.items():
                readers.setdefault(name, set()).add(_room(model))
                defaults[name] = _shown(field.default)
    everyone = set().union(*readers.values())
    said = {
        name: (defaults[name], "all" if rooms == everyone else ", ".join(sorted(rooms)))
        for name, rooms in readers.items()
    }
    assert written == said
