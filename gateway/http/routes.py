"""Routes as functions whose arguments are read from the request, and their description.

Starlette serves them. FastAPI describes them, and is loaded when the description is asked for: its import would take a
tenth of a start.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.http.problems import describe_first
from services.chassis.errors import InvalidInput

Function = Callable[..., Awaitable[Any]]
_Declare = Callable[[Function], Function]


@dataclass(frozen=True)
class Described:
    """One route. options: what FastAPI's `add_api_route` is told of it besides."""

    method: str
    path: str
    function: Function
    options: Mapping[str, Any]

    @cached_property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.function).parameters

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        return typing.get_type_hints(self.function, include_extras=True)

    @property
    def served(self) -> Route:
        """The route as Starlette serves it, for its own method alone."""
        route = Route(self.path, self._answer, methods=[self.method], name=self.function.__name__)
        route.methods = {self.method}
        return route

    async def _answer(self, request: Request) -> Response:
        result = await self.function(**self._read(request))
        if isinstance(result, Response):
            return result
        return Response(_results().dump_json(result), media_type="application/json")

    def _read(self, request: Request) -> dict[str, Any]:
        """The arguments: what stands in the path, and what the query gives. Raises InvalidInput for a wrong value."""
        read: dict[str, Any] = {}
        wrong: list[ErrorDetails] = []
        for name, parameter in self._parameters.items():
            if self._hints[name] is Request:
                read[name] = request
            elif name in request.path_params:
                read[name] = request.path_params[name]
            elif (given := request.query_params.get(name)) is None:
                read[name] = parameter.default
            else:
                try:
                    read[name] = _values(self._hints[name]).validate_python(given)
                except ValidationError as error:
                    wrong += [each | {"loc": ("query", name, *each["loc"])} for each in error.errors(include_url=False)]
        if wrong:
            raise InvalidInput(describe_first(wrong, "invalid_parameter"))
        return read


@cache
def _results() -> TypeAdapter[dict[str, Any]]:
    return TypeAdapter(dict[str, Any])


@cache
def _values(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(hint)


class Routes:
    """Routes below one path that are described under the same tags."""

    def __init__(self, prefix: str = "", tags: Sequence[str] = ()) -> None:
        self._prefix, self._tags = prefix, list(tags)
        self.all: list[Described] = []

    def get(self, path: str, **options: Any) -> _Declare:
        """Declares the function that answers GET."""
        return self._declare("GET", path, options)

    def post(self, path: str, **options: Any) -> _Declare:
        """Declares the function that answers POST."""
        return self._declare("POST", path, options)

    def delete(self, path: str, **options: Any) -> _Declare:
        """Declares the function that answers DELETE."""
        return self._declare("DELETE", path, options)

    def _declare(self, method: str, path: str, options: Mapping[str, Any]) -> _Declare:
        def declare(function: Function) -> Function:
            self.all.append(Described(method, self._prefix + path, function, {"tags": self._tags, **options}))
            return function

        return declare
