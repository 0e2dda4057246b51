"""The error tree on its way over the wire: each class to its status and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import grpc.aio
import pytest
from dbdiag.engine.v1 import engine_pb2, engine_pb2_grpc

from services.chassis import channel, errors
from services.chassis.interceptors import status_of
from services.chassis.llm import ModelFailed
from tests.support.cases import for_each
from tests.support.servers.hosting import DiagnosingService, diagnose, hosted

Lines = Callable[[], list[dict[str, Any]]]

STATUSES = {
    errors.InvalidInput: grpc.StatusCode.INVALID_ARGUMENT,
    errors.NotFound: grpc.StatusCode.NOT_FOUND,
    errors.Precondition: grpc.StatusCode.FAILED_PRECONDITION,
    errors.TooBusy: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.DeadlinePassed: grpc.StatusCode.DEADLINE_EXCEEDED,
    errors.DependencyDown: grpc.StatusCode.UNAVAILABLE,
    errors.NotOffered: grpc.StatusCode.UNIMPLEMENTED,
    errors.Internal: grpc.StatusCode.INTERNAL,
}


def raising(error: Exception) -> Callable[[engine_pb2.DiagnoseRequest], Any]:
    async def diagnose(request: engine_pb2.DiagnoseRequest) -> engine_pb2.DiagnoseResponse:
        raise error

    return diagnose


async def failure_of(error: Exception) -> errors.DbdiagError:
    """What a caller gets when the service raises `error`."""
    async with hosted(DiagnosingService(raising(error))) as (_, opened):
        with pytest.raises(errors.DbdiagError) as failed:
            await diagnose(opened)
    return failed.value


def test_every_class_of_the_tree_has_a_status() -> None:
    """The tree in the docstring, its classes and their statuses are the same set."""
    assert set(errors.DbdiagError.__subclasses__()) >= set(STATUSES)
    own = {kind for kind in errors.DbdiagError.__subclasses__() if kind.__module__ == errors.__name__}
    assert own == set(STATUSES)
    for kind, status in STATUSES.items():
        assert status_of(kind("")) is status
        assert any(kind.__name__ in line and status.name in line for line in (errors.__doc__ or "").splitlines())


@for_each("kind", STATUSES, ids=lambda kind: kind.__name__)
async def test_an_error_comes_back_as_itself(kind: type[errors.DbdiagError]) -> None:
    """Class, status, reason, message (in any language) and details survive the wire."""
    details = {"ids": "P-0001, P-0002", "说明": "连接数"}
    failed = await failure_of(kind("查找 snapshot «x»: not there", reason="some_reason", details=details))
    assert type(failed) is kind
    assert (failed.message, failed.reason, failed.details) == (
        "查找 snapshot «x»: not there",
        "some_reason",
        details,
    )
    assert isinstance(failed.__cause__, grpc.aio.AioRpcError)
    assert failed.__cause__.code() is STATUSES[kind]


@for_each("kind", STATUSES, ids=lambda kind: kind.__name__)
async def test_an_error_without_a_reason_has_its_class_s_own(kind: type[errors.DbdiagError]) -> None:
    """The default reason stands in for one that was not given, and is told on the wire."""
    assert (await failure_of(kind("what was attempted"))).reason == kind.default_reason


async def test_a_subclass_has_the_status_of_its_nearest_ancestor() -> None:
    """A room's own error travels as the class of the tree that it refines, with its own reason."""
    failed = await failure_of(ModelFailed("small: it refused", reason="model_refused"))
    assert type(failed) is errors.DependencyDown
    assert failed.reason == "model_refused"


async def test_an_error_of_the_root_is_internal() -> None:
    """The root of the tree has no status of its own."""
    assert status_of(errors.DbdiagError("x")) is grpc.StatusCode.INTERNAL


async def test_a_long_message_does_not_break_the_call() -> None:
    """A message too long for a header comes back shortened, still as its class and with its reason."""
    failed = await failure_of(errors.InvalidInput("现象" * 5000, reason="unknown_phenomenon"))
    assert type(failed) is errors.InvalidInput
    assert failed.reason == "unknown_phenomenon"
    assert failed.message.startswith("现象现象")


async def test_the_longest_message_and_details_fit_together() -> None:
    """A long message does not cost the details that fit: both arrive in one answer."""
    details = {"ids": "P-0001 " * 580}
    failed = await failure_of(errors.NotFound("查" * 900, reason="snapshot_not_found", details=details))
    assert type(failed) is errors.NotFound
    assert failed.details == details
    assert failed.message.startswith("查查")


async def test_details_too_long_for_a_header_are_left_out() -> None:
    """Details that would not fit are dropped; the error still arrives whole in everything else."""
    failed = await failure_of(errors.InvalidInput("too many ids", details={"ids": "P-0001 " * 5000}))
    assert type(failed) is errors.InvalidInput
    assert (failed.message, failed.details) == ("too many ids", {})


async def test_an_unexpected_exception_tells_nothing_of_its_inside(log_lines: Lines) -> None:
    """A defect is INTERNAL to the caller, without the exception's words, and is logged once with a traceback."""
    failed = await failure_of(RuntimeError("password=hunter2"))
    assert (type(failed), failed.reason, list(failed.details)) == (errors.Internal, "internal", ["method"])
    assert "hunter2" not in failed.message + str(failed.details)
    assert "hunter2" not in failed.message
    assert "RuntimeError" not in failed.message
    [line] = [line for line in log_lines() if line["event"] == "call failed"]
    assert line["level"] == "error"
    assert line["exception"][0]["exc_type"] == "RuntimeError"


async def test_a_traceback_in_the_log_has_no_values_of_variables(log_lines: Lines) -> None:
    """A logged defect shows where it happened, never what the request held: that may be a user's words."""

    async def diagnose_words(request: engine_pb2.DiagnoseRequest) -> engine_pb2.DiagnoseResponse:
        words = request.snapshot_id.upper()
        return engine_pb2.DiagnoseResponse(snapshot_id=words[len(words)])

    async with hosted(DiagnosingService(diagnose_words)) as (_, opened):
        with pytest.raises(errors.Internal):
            await diagnose(opened, "what the user said")
    text = str(log_lines())
    assert "IndexError" in text
    assert "WHAT THE USER SAID" not in text
    assert "what the user said" not in text


async def test_a_refusal_is_logged_by_its_reason_alone(log_lines: Lines) -> None:
    """An error of the tree leaves one line with its reason, without its message."""
    await failure_of(errors.NotFound("looking for «secret»", reason="snapshot_not_found"))
    [line] = [line for line in log_lines() if line["event"].startswith("call")]
    assert (line["event"], line["reason"]) == ("call refused", "snapshot_not_found")
    assert "secret" not in str(line)


async def test_an_error_in_a_stream_comes_back_as_itself() -> None:
    """The messages before the failure arrive, then the failure as a member of the tree."""

    async def refuse_second(request: engine_pb2.DiagnoseRequest) -> engine_pb2.DiagnoseResponse:
        if request.snapshot_id == "bad":
            raise errors.NotFound("loading bad", reason="snapshot_not_found", details={"id": "bad"})
        return engine_pb2.DiagnoseResponse(snapshot_id=request.snapshot_id)

    requests = [
        engine_pb2.DiagnoseStreamRequest(diagnose=engine_pb2.DiagnoseRequest(snapshot_id=name))
        for name in ("good", "bad", "good")
    ]
    seen = []

    async def read_all(opened: grpc.aio.Channel) -> None:
        stub: Any = engine_pb2_grpc.EngineServiceStub(opened)
        call = stub.DiagnoseStream(iter(requests), **channel.outgoing(5))
        async for reply in channel.streamed(call, "the engine"):
            seen.append(reply.diagnosis.snapshot_id)

    async with hosted(DiagnosingService(refuse_second)) as (_, opened):
        with pytest.raises(errors.NotFound) as failed:
            await read_all(opened)
    assert seen == ["good"]
    assert (failed.value.reason, failed.value.details) == ("snapshot_not_found", {"id": "bad"})


async def test_a_method_without_a_body_is_not_offered() -> None:
    """A method of the contract that this build's servicer leaves out is UNIMPLEMENTED, not a defect."""
    async with hosted(DiagnosingService()) as (_, opened):
        stub: Any = engine_pb2_grpc.EngineServiceStub(opened)
        with pytest.raises(errors.NotOffered) as failed:
            await channel.answered(stub.WhatIf(engine_pb2.WhatIfRequest(), **channel.outgoing(5)), "the engine")
    assert failed.value.reason == "not_offered"


async def test_a_service_that_is_not_hosted_is_not_offered() -> None:
    """Calling a service the server does not know raises NotOffered that names whom was asked."""
    async with hosted(DiagnosingService()) as (_, opened):
        call: Any = opened.unary_unary("/dbdiag.other.v1.Other/Do", request_serializer=lambda _: b"")
        with pytest.raises(errors.NotOffered, match="calling the other"):
            await channel.answered(call(None, timeout=5), "the other")
