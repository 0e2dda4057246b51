"""The tools by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from services.analyst.tools.tool import Tool, ToolResult
from services.chassis.errors import NotFound


class ToolRegistry:
    """Holds tools under unique names."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool) -> None:
        """Adds a tool. Raises ValueError where its name is taken."""
        if tool.name in self._tools:
            raise ValueError(f"registering the tool {tool.name}: the name is taken; give it another one")
        self._tools[tool.name] = tool

    def get(self, name: str) -> Tool:
        """The tool of a name. Raises NotFound."""
        if name not in self._tools:
            raise NotFound("tool_not_found", name=name, known=tuple(self._tools))
        return self._tools[name]

    async def execute(self, name: str, **arguments: Any) -> ToolResult:
        """Runs a tool by its name."""
        return await self.get(name).execute(**arguments)

    def to_function_schemas(self) -> list[dict[str, Any]]:
        """All tools in the form of OpenAI's function calling."""
        return [tool.to_function_schema() for tool in self._tools.values()]

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())
