"""What docs/engine.md tells other systems to run, run."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import grpc.aio
from dbdiag.engine.v1 import engine_pb2, engine_pb2_grpc
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.chassis.server import Host
from services.engine.app import EngineApp
from services.engine.settings import EngineSettings
from tests.contract.test_engine_service import publish
from tests.support.engine_graphs import document

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"
SECONDS = 10.0
SERVICE = engine_pb2.DESCRIPTOR.services_by_name["EngineService"]
# The package's types say neither that stubs take asynchronous channels nor what its messages are.
STUB: Any = reflection_pb2_grpc.ServerReflectionStub
MESSAGES: Any = reflection_pb2


def library(folder: Path) -> None:
    links = {"RC-0001": {"P-0021": "always", "P-0022": "always"}, "RC-0002": {"P-0021": "usually"}}
    publish(folder, document(links, []))


async def test_the_client_example_runs(tmp_path: Path) -> None:
    """The Python client of the page, as it stands but for the address, prints a question with its belief."""
    example = next(block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S))
    library(tmp_path)
    settings = EngineSettings(engine_snapshot_dir=tmp_path, drain_seconds=1.0)
    host = Host([EngineApp(settings)], settings)
    await host.start()
    try:
        code = example.replace("localhost:50051", host.address)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        printed, errors = await asyncio.wait_for(process.communicate(), SECONDS)
    finally:
        await host.stop()
    assert (process.returncode, errors.decode()) == (0, "")
    assert printed.decode().startswith("P-0022 P-0022 ")


async def test_what_the_grpcurl_lines_send_is_answered(tmp_path: Path) -> None:
    """The JSON of every grpcurl line of the page, read as grpcurl reads it, is a request that the engine answers."""
    lines = re.findall(r"^grpcurl .*?(?: -d '([^']*)')? localhost:50051 \S+/(\w+)$", PAGE.read_text("utf-8"), re.M)
    library(tmp_path)
    settings = EngineSettings(engine_snapshot_dir=tmp_path, drain_seconds=1.0)
    host = Host([EngineApp(settings)], settings)
    await host.start()
    answered = []
    try:
        async with grpc.aio.insecure_channel(host.address) as channel:
            stub: Any = engine_pb2_grpc.EngineServiceStub(channel)
            for body, name in lines:
                kind = SERVICE.methods_by_name[name].input_type
                requests = [json_format.ParseDict(item, GetMessageClass(kind)()) for item in objects(body or "{}")]
                if name == "DiagnoseStream":
                    replies = [reply async for reply in stub.DiagnoseStream(iter(requests), timeout=SECONDS)]
                    assert [reply.WhichOneof("outcome") for reply in replies] == ["diagnosis"] * 2
                else:
                    assert (await getattr(stub, name)(requests[0], timeout=SECONDS)).ByteSize() > 0
                answered.append(name)
    finally:
        await host.stop()
    assert sorted(answered) == ["Diagnose", "DiagnoseStream", "Explain", "ListSnapshots", "WhatIf"]


def objects(text: str) -> list[Any]:
    """The JSON objects of a text, one after the other."""
    found, at = [], 0
    while at < len(text):
        item, end = json.JSONDecoder().raw_decode(text[at:])
        found.append(item)
        at += end + len(text[at + end :]) - len(text[at + end :].lstrip())
    return found


async def test_reflection_names_what_the_grpcurl_lines_call(tmp_path: Path) -> None:
    """A client without the proto file, as grpcurl is, finds the service and the methods that the page calls."""
    named = set(re.findall(r"dbdiag\.engine\.v1\.EngineService/(\w+)", PAGE.read_text("utf-8")))
    library(tmp_path)
    settings = EngineSettings(engine_snapshot_dir=tmp_path, drain_seconds=1.0)
    host = Host([EngineApp(settings)], settings)
    await host.start()
    try:
        async with grpc.aio.insecure_channel(host.address) as channel:
            stub = STUB(channel)
            asked = MESSAGES.ServerReflectionRequest(file_containing_symbol="dbdiag.engine.v1.EngineService")
            replies = [reply async for reply in stub.ServerReflectionInfo(iter([asked]), timeout=SECONDS)]
    finally:
        await host.stop()
    files = b"".join(replies[0].file_descriptor_response.file_descriptor_proto)
    assert named == {"Diagnose", "DiagnoseStream", "Explain", "WhatIf", "ListSnapshots"}
    assert all(name.encode() in files for name in named)
