"""The application class: a complete OpenAPI document, and security headers on every response."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.types import ASGIApp

from gateway.http.page import PagePolicy
from gateway.http.schemas import ChatBody, CloseBody, ReviewBody

_BODIES: tuple[type[BaseModel], ...] = (ChatBody, CloseBody, ReviewBody)
_REFERENCE = "#/components/schemas/{model}"


def describe_body(kind: type[BaseModel]) -> dict[str, Any]:
    """The OpenAPI extra of a route that reads its body as `kind`."""
    schema = {"$ref": _REFERENCE.format(model=kind.__name__)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


class Application(FastAPI):
    """A FastAPI application that defines every body in its document and sets the page policy on every response."""

    def build_middleware_stack(self) -> ASGIApp:
        """Puts the policy outermost, so that refusals and failures carry it too."""
        return PagePolicy(super().build_middleware_stack())

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document, built once."""
        if self.openapi_schema is None:
            document = super().openapi()
            _, bodies = models_json_schema([(kind, "validation") for kind in _BODIES], ref_template=_REFERENCE)
            document.setdefault("components", {}).setdefault("schemas", {}).update(bodies["$defs"])
        return super().openapi()
