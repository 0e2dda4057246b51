"""The form of a tool: a name, a description, parameters, and an execution that returns a result or an error."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from services.chassis.errors import DbdiagError


@dataclass(frozen=True)
class ToolParameter:
    """One argument of a tool. kind: a type of JSON schema; an array is one of texts."""

    name: str
    kind: Literal["string", "integer", "boolean", "array"]
    description: str
    required: bool = True

    def to_schema(self) -> dict[str, Any]:
        """Its JSON schema."""
        schema: dict[str, Any] = {"type": self.kind, "description": self.description}
        return schema | ({"items": {"type": "string"}} if self.kind == "array" else {})


@dataclass(frozen=True)
class ToolResult:
    """data: what a tool found, by name; error: why it found nothing, None on success."""

    data: Mapping[str, Any] = field(default_factory=dict)
    error: DbdiagError | None = None

    @property
    def success(self) -> bool:
        """True without an error."""
        return self.error is None


class Tool(ABC):
    """A tool. Members of the error tree become results; anything else is a defect and passes through."""

    name: str
    description: str
    parameters: tuple[ToolParameter, ...]

    async def execute(self, **arguments: Any) -> ToolResult:
        """Runs the tool with arguments by name."""
        try:
            return ToolResult(await self.run(**arguments))
        except DbdiagError as error:
            return ToolResult(error=error)

    @abstractmethod
    async def run(self, **arguments: Any) -> Mapping[str, Any]:
        """The data of the result. Raises a member of the error tree."""

    def to_function_schema(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's function calling."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {
                    "type": "object",
                    "properties": {each.name: each.to_schema() for each in self.parameters},
                    "required": [each.name for each in self.parameters if each.required],
                    "additionalProperties": False,
                },
            },
        }
