"""The room's settings: where layers lie, and the limits of a statement."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import Field

from services.analyst.execution.limits import Limits
from services.chassis.settings import LlmServerSettings


class AnalystSettings(LlmServerSettings):
    """analyst_datasets: the folder of layers, each beside its data; None: none.

    analyst_own_examples: the file of verified questions about this installation; None: there are none.
    analyst_knowledge_address: where snapshots come from, for questions about this installation; None: there are none of
    these. The rest limits one statement.
    """

    analyst_datasets: Path | None = None
    analyst_own_examples: Path | None = None
    analyst_knowledge_address: str | None = None
    analyst_max_rows: int = Field(default=10_000, ge=1, le=100_000)
    analyst_max_result_bytes: int = Field(default=4 << 20, ge=1_000)
    analyst_query_seconds: float = Field(default=10.0, gt=0, le=600)

    def limits(self) -> Limits:
        """The limits as the runner takes them."""
        return Limits(self.analyst_max_rows, self.analyst_max_result_bytes, self.analyst_query_seconds)

    def within(self, data_dir: Path | None) -> Self:
        """These settings for one that keeps its data in a folder; `datasets` there has the layers."""
        if data_dir is None:
            return self
        places: dict[str, object] = {"analyst_own_examples": self.analyst_own_examples or own_examples(data_dir)}
        folder = data_dir / "datasets"
        if self.analyst_datasets is None and folder.is_dir():
            places["analyst_datasets"] = folder
        return self.model_copy(update=places)


def own_examples(data_dir: Path) -> Path:
    """The file of verified questions about the installation of a data folder."""
    return data_dir / "verified_questions.yaml"
