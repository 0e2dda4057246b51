"""Request bodies: limits, validation, and problems in both languages."""

import json
import re
from http import HTTPStatus
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from gateway.http.problems import BadBody, describe_first, render_problem
from gateway.http.request_language import choose_language
from gateway.http.schemas import MAX_BODY_BYTES, MAX_MESSAGE_CHARACTERS, ChatBody, CloseBody, ReviewBody, read_body
from services.chassis.errors import DbdiagError, InvalidInput
from tests.support.cases import for_each


def request_with(body: bytes, stated: int | None = None, accepts: str = "") -> Request:
    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    length = len(body) if stated is None else stated
    headers = [(b"content-length", str(length).encode()), (b"accept-language", accepts.encode())]
    return Request({"type": "http", "method": "POST", "headers": headers}, receive)


@for_each(
    ("body", "reason", "status"),
    [
        (b"", "malformed_json", HTTPStatus.BAD_REQUEST),
        (b"{", "malformed_json", HTTPStatus.BAD_REQUEST),
        (b"[" * 100_000, "malformed_json", HTTPStatus.BAD_REQUEST),
        (b'{"message": "\xff"}', "invalid_utf8", HTTPStatus.BAD_REQUEST),
        (b'{"message": "' + b"a" * MAX_BODY_BYTES + b'"}', "body_too_large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    ],
)
async def test_a_body_that_cannot_be_read_is_a_client_error(body: bytes, reason: str, status: HTTPStatus) -> None:
    """Unreadable bodies are refused with a stable reason and the status that fits."""
    with pytest.raises(BadBody) as caught:
        await read_body(request_with(body), ChatBody)
    assert (caught.value.reason, caught.value.status) == (reason, status)


async def test_a_body_larger_than_it_says_is_cut_off() -> None:
    """The limit applies to the bytes received, not only to the declared length."""
    with pytest.raises(BadBody, match="larger"):
        await read_body(request_with(b"x" * (MAX_BODY_BYTES + 1), stated=10), ChatBody)


@for_each(
    ("data", "named"),
    [
        ([], "the body"),
        ("text", "the body"),
        ({}, "message"),
        ({"message": ""}, "message"),
        ({"message": " \n\t"}, "message"),
        ({"message": 7}, "message"),
        ({"message": "a\x00b"}, "message"),
        ({"message": "\x1b[31mred"}, "message"),
        ({"message": "\ud800"}, "message"),
        ({"message": "a" * (MAX_MESSAGE_CHARACTERS + 1)}, "message"),
        ({"message": "x", "session_id": "../../etc"}, "session_id"),
        ({"message": "x", "request_id": ""}, "request_id"),
        ({"message": "x", "language": "fr"}, "language"),
        ({"message": "x", "massage": "y"}, "massage"),
    ],
)
async def test_a_wrong_field_is_named(data: object, named: str) -> None:
    """A body of the wrong shape is refused naming the field."""
    with pytest.raises(InvalidInput) as caught:
        await read_body(request_with(json.dumps(data).encode()), ChatBody)
    assert caught.value.message.startswith(named)


@for_each("kind", [ChatBody, CloseBody, ReviewBody])
async def test_a_number_too_long_to_read_is_a_client_error(kind: type[BaseModel]) -> None:
    """An integer of thousands of digits is refused as invalid input wherever it occurs, with the cause."""
    for template in ('{"turn": %s}', '{"message": {"a": [%s]}}', "%s", "[-%s]"):
        with pytest.raises(InvalidInput, match="digits") as caught:
            await read_body(request_with((template % ("9" * 5000)).encode()), kind)
        assert render_problem(caught.value)["status"] == HTTPStatus.UNPROCESSABLE_ENTITY


@given(st.binary(max_size=200))
async def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    """Arbitrary bytes give a body or a client error, never anything else."""
    refused: DbdiagError | None = None
    try:
        body = await read_body(request_with(raw), ChatBody)
    except DbdiagError as error:
        refused = error
    if refused is None:
        assert body.message.strip()
    else:
        assert render_problem(refused)["status"] in (400, 413, 422)


WRONG: list[tuple[type[BaseModel], Any]] = [
    (ChatBody, []),
    (ChatBody, {}),
    (ChatBody, {"message": 7}),
    (ChatBody, {"message": "a" * (MAX_MESSAGE_CHARACTERS + 1)}),
    (ChatBody, {"message": "x", "session_id": "../../etc"}),
    (ChatBody, {"message": "x", "request_id": ""}),
    (ChatBody, {"message": "x", "language": "fr"}),
    (ChatBody, {"message": "x", "massage": "y"}),
    (ChatBody, {"message": "x", "turn": "2"}),
    (ChatBody, {"message": "x", "turn": -1}),
    (ReviewBody, {"reviewer": "ada", "from_quarantine": "perhaps"}),
    (ReviewBody, {"reviewer": "ada", "from_quarantine": []}),
]


@for_each(("kind", "data"), WRONG)
def test_a_wrong_field_is_explained_in_both_languages(kind: type[BaseModel], data: Any) -> None:
    """The English explanation is the validator's own, the Chinese one is Chinese, and no detail stays unfilled."""
    with pytest.raises(ValidationError) as caught:
        kind.model_validate(data)
    found = caught.value.errors()
    message = describe_first(found, "invalid_body")
    assert message.text("en").endswith(f": {found[0]['msg']}")
    assert re.search("[一-鿿]", message.text("zh").rpartition("：")[2])


@for_each(
    ("accepts", "asked", "han"),
    [("", None, False), ("zh-CN", None, True), ("zh-CN", "en", False), ("en", "zh", True), ("fr", "klingon", False)],
)
async def test_a_problem_speaks_the_language_of_its_request(accepts: str, asked: str | None, han: bool) -> None:
    """The body's language comes before Accept-Language, even if the body is wrong; English is the default."""
    body = {"root_cause": " "} | ({"language": asked} if asked else {})
    request = request_with(json.dumps(body).encode(), accepts=accepts)
    with pytest.raises(InvalidInput) as caught:
        await read_body(request, CloseBody)
    detail = render_problem(caught.value, choose_language(request))["detail"]
    assert bool(re.search("[一-鿿]", detail)) is han
