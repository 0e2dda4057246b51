"""Bodies from outside."""

import json
from http import HTTPStatus

import pytest
from fastapi import Request
from hypothesis import given
from hypothesis import strategies as st

from gateway.http.bodies import MAX_BODY_BYTES, MAX_MESSAGE_CHARACTERS, ChatBody, read_body
from gateway.http.problems import BadBody, problem_of
from services.chassis.errors import DbdiagError, InvalidInput


def request_with(body: bytes, stated: int | None = None) -> Request:
    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    length = len(body) if stated is None else stated
    headers = [(b"content-length", str(length).encode())]
    return Request({"type": "http", "method": "POST", "headers": headers}, receive)


@pytest.mark.parametrize(
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
    """The limit holds for what is sent, not only for what the header claims."""
    with pytest.raises(BadBody, match="larger"):
        await read_body(request_with(b"x" * (MAX_BODY_BYTES + 1), stated=10), ChatBody)


@pytest.mark.parametrize(
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


@given(st.binary(max_size=200))
async def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    """Whatever bytes come, the outcome is a body or a client error, never anything else."""
    refused: DbdiagError | None = None
    try:
        body = await read_body(request_with(raw), ChatBody)
    except DbdiagError as error:
        refused = error
    if refused is None:
        assert body.message.strip()
    else:
        assert problem_of(refused)["status"] in (400, 413, 422)
