from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Any, cast

import httpx
import pytest
from pydantic import Field
from starlette.requests import Request

from gateway.http import problems
from gateway.http.openapi import Application
from gateway.http.routes import Routes


def application() -> Application:
    routes = Routes("/things", tags=["things"])

    @routes.get("/{name}")
    async def thing(name: str, request: Request, amount: Annotated[int, Field(ge=1, le=9)] = 3) -> dict[str, Any]:
        """One thing."""
        return {"名": name, "path": request.url.path, "amount": amount, "small": 1e-7}

    app = Application("t", "1", "d")
    problems.install(app)
    app.include(routes)
    return app


async def send(method: str, path: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(application()), base_url="http://h") as client:
        return await client.request(method, path)


async def test_arguments_are_those_of_path_and_query() -> None:
    """What the query lacks has its default; of what it has twice the last counts; others are ignored."""
    plain = await send("GET", "/things/a%20b")
    assert plain.content == '{"名":"a b","path":"/things/a b","amount":3,"small":1e-7}'.encode()
    assert (await send("GET", "/things/a?amount=12&amount=4&other=1")).json()["amount"] == 4


@pytest.mark.parametrize("given", ["0", "10", "x", ""])
async def test_a_wrong_value_is_named(given: str) -> None:
    """A value that does not fit is refused with the place where it stands."""
    refused = await send("GET", f"/things/a?amount={given}")
    assert refused.status_code == 422
    assert "query.amount" in refused.json()["detail"]


@pytest.mark.parametrize("method", ["HEAD", "POST", "DELETE"])
async def test_a_route_answers_its_own_method_alone(method: str) -> None:
    """Another method of a path is refused."""
    assert (await send(method, "/things/a")).status_code == 405


async def test_the_document_describes_every_route() -> None:
    """Limits, defaults, tags and the first words of the function are in it."""
    described = cast(dict[str, Any], (await send("GET", "/openapi.json")).json()["paths"]["/things/{name}"]["get"])
    assert (described["tags"], described["description"]) == (["things"], "One thing.")
    amount = next(each for each in described["parameters"] if each["name"] == "amount")
    assert amount["schema"] == {"type": "integer", "maximum": 9, "minimum": 1, "default": 3, "title": "Amount"}


def test_serving_loads_no_fastapi() -> None:
    """The description alone needs it."""
    code = "import sys, gateway.http.app; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
