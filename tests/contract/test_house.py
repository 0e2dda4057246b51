"""The rules of docs/house.md, read from the source: each test lists every offender."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from enum import StrEnum
from pathlib import Path

import pytest
from dbdiag.collector.v1 import collector_pb2
from dbdiag.engine.v1 import engine_pb2
from dbdiag.matcher.v1 import matcher_pb2
from dbdiag.planner.v1 import planner_pb2

from gateway.wire import is_word_of
from tests.support.house import ROOT, SERVICES, imports, mentions, sources, tracked, tree

SEVEN = {"__init__", "__main__", "app", "settings", "servicer", "wire", "model"}
# Where a service may touch gRPC and the stubs.
EDGE = {"servicer", "wire", "peers", "app", "__main__"}
WIRE = ("grpc", "grpc_health", "grpc_reflection", "dbdiag", "google.protobuf", "structlog")
# The chassis without its gRPC half.
QUIET_CHASSIS = (
    "services.chassis.errors",
    "services.chassis.llm",
    "services.chassis.settings",
    "services.chassis.logs",
)
CHASSIS = {"__init__", "server", "health", "interceptors", "channel", "errors", "settings", "logs", "llm"}
GATEWAY_EDGE = {"gateway/clients.py", "gateway/wire.py", "gateway/app.py", "gateway/embedded.py"}
# File verbs of the command line read a room's files without its service; they load it only when they run.
FILE_VERBS = {f"gateway/cli/{name}" for name in ("audit", "knowledge", "match", "understand", "evaluate", "welcome")}
FILE_VERBS.add("gateway/cli/check_sql")
FILE_VERBS |= {
    f"gateway/cli/{name}"
    for name in (
        "diagnose",
        "looking_knowledge",
        "looking_parts",
        "looking_question",
        "looking_remote",
        "looking_session",
    )
}
FILE_VERBS |= {f"gateway/cli/{path.stem}" for path in (ROOT / "gateway/cli").glob("knowledge_*.py")}
MOST_LINES = 300


def room(path: Path) -> str:
    """The name under which a file of a service stands directly in its room."""
    return path.parts[2].removesuffix(".py")


def core_files(*services: str) -> list[Path]:
    """The files of services that carry no edge of theirs."""
    return [path for name in services for path in sources(f"services/{name}") if room(path) not in EDGE]


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_has_the_same_seven_names(service: str) -> None:
    """Who knows one room knows them all: the seven names stand in each, as a module or a package."""
    assert {room(path) for path in sources(f"services/{service}")} >= SEVEN


@pytest.mark.parametrize("service", SERVICES)
def test_core_files_know_no_wire(service: str) -> None:
    """Outside its edge a service imports no gRPC, no stubs, no structlog, and none of the chassis that does."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in core_files(service)
        for item in imports(path)
        if item.within(*WIRE) or (item.within("services.chassis") and not item.within(*QUIET_CHASSIS))
    ]
    assert offenders == []


def test_only_the_gateway_s_edge_knows_the_wire() -> None:
    """In the gateway only clients and wire touch gRPC and stubs; structlog belongs to the chassis."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("gateway")
        if path.as_posix() not in GATEWAY_EDGE
        for item in imports(path)
        if item.within(*WIRE)
    ]
    assert offenders == []


def test_the_environment_is_read_where_a_process_begins() -> None:
    """Settings are read once and passed down: only entry points look at the environment."""
    files = [path for path in sources("services", "gateway") if path.name != "__main__.py"]
    entries = [path for path in files if path.parts[:2] == ("gateway", "cli") or path.name == "embedded.py"]
    offenders = [
        said for path in files if path not in entries for said in mentions(path, "os.environ", "environ", "os.getenv")
    ]
    assert [said for said in offenders if not said.startswith("services/chassis/settings.py")] == []


def test_clock_ids_and_chance_are_arguments() -> None:
    """Core files look at no clock, make no ids, and throw no dice but those of a generator they seed."""
    named = ("time.time", "time.monotonic", "time.perf_counter", "datetime.now", "datetime.datetime.now", "date.today")
    dice = tuple(
        f"random.{name}" for name in ("random", "choice", "choices", "sample", "shuffle", "randint", "uniform")
    )
    offenders = [said for path in core_files(*SERVICES) for said in mentions(path, *named, *dice, "np.random")]
    offenders += [
        f"{path}:{item.line} {item.name}"
        for path in core_files(*SERVICES)
        for item in imports(path)
        if item.within("uuid", "secrets") or (item.within("random") and item.name not in ("random", "random.Random"))
    ]
    assert offenders == []


@pytest.mark.parametrize("service", SERVICES)
def test_no_service_imports_another(service: str) -> None:
    """A service knows itself and the chassis, never another service nor the gateway."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources(f"services/{service}")
        for item in imports(path)
        if item.within("gateway")
        or (item.within("services") and not item.within(f"services.{service}", "services.chassis"))
    ]
    assert offenders == []


def test_only_the_embedded_host_and_the_file_verbs_import_services() -> None:
    """The gateway reaches services by their contracts; the file verbs of the command line load a room when they run."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("gateway")
        for item in imports(path)
        if item.within(*(f"services.{name}" for name in SERVICES))
        and path.as_posix() != "gateway/embedded.py"
        and not (path.with_suffix("").as_posix() in FILE_VERBS and item.lazy)
    ]
    assert offenders == []


def test_no_service_knows_the_lab() -> None:
    """Services import none of it, and the gateway only its command line, when a verb runs."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("services", "gateway")
        for item in imports(path)
        if item.within("faultlab") and not (path.parts[:2] == ("gateway", "cli") and item.lazy)
    ]
    assert offenders == []


def test_the_chassis_is_a_closed_list() -> None:
    """The chassis has its eight modules, imports no room, and has no word of the domain in it."""
    files = sources("services/chassis")
    assert {room(path) for path in files} == CHASSIS
    words = re.compile(r"phenomen|root.?cause|ticket|hypothes|evidence|diagnos|snapshot|symptom", re.IGNORECASE)
    offenders = [
        f"{path}: {found[0]}" for path in files if (found := words.search((ROOT / path).read_text(encoding="utf-8")))
    ]
    offenders += [
        f"{path}:{item.line} {item.name}"
        for path in files
        for item in imports(path)
        if item.within("gateway", *(f"services.{name}" for name in SERVICES))
    ]
    assert offenders == []


def test_no_module_is_a_drawer() -> None:
    """No module or package is called common, utils, helpers, base or shared."""
    drawers = {"common", "util", "utils", "helper", "helpers", "base", "shared", "misc"}
    files = sources("services", "gateway", "faultlab", "redaction", "tests")
    assert [str(path) for path in files if drawers & {*path.parts[:-1], path.stem}] == []


def test_no_file_is_long() -> None:
    """Hand-written files outside the tests have at most 300 lines."""
    files = [*sources("services", "gateway", "faultlab", "redaction"), Path("protos/generate.py")]
    lines = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in files}
    assert {str(path): count for path, count in lines.items() if count > MOST_LINES} == {}


def test_the_import_name_of_the_stubs_is_theirs() -> None:
    """Nothing hand-written goes by the import name `dbdiag`: it would hide the stubs."""
    named = [path for path in tracked() if path.suffix in (".py", ".pyi") and "dbdiag" in {*path.parts[:-1], path.stem}]
    assert [str(path) for path in named if path.parts[:3] != ("protos", "gen", "dbdiag")] == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    """No tracked file holds a path of the machine it was written on, or the address of a package index."""
    hosts = ["pypi.org", "pythonhosted.org", "registry.npmjs", "npmjs.org", "docker.io", "ghcr.io", "quay.io"]
    folders = ["work", "root", "home/[a-z]+", "Users/[A-Za-z]+"]
    wanted = re.compile("|".join([*map(re.escape, hosts), *(rf"(?<![\w./-])/{folder}/" for folder in folders)]))
    here = Path(__file__).relative_to(ROOT)
    offenders = []
    for path in tracked():
        content = (ROOT / path).read_bytes()
        if path.name == "LICENSE" or path == here or b"\0" in content:
            continue
        for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
            if found := wanted.search(line):
                offenders.append(f"{path}:{number} {found[0]}")
    assert offenders == []


def test_the_engine_is_made_of_frozen_dataclasses() -> None:
    """Inside the engine every dataclass is frozen, and pydantic stands only where text comes from outside."""
    thawed = [
        f"{path}:{node.lineno} {node.name}"
        for path in sources("services/engine")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
        for decorator in map(ast.unparse, node.decorator_list)
        if decorator.startswith("dataclass") and "frozen=True" not in decorator
    ]
    pydantic = [str(path) for path in sources("services/engine") if any(i.within("pydantic") for i in imports(path))]
    assert thawed == []
    assert set(pydantic) <= {"services/engine/settings.py", "services/engine/snapshot.py"}


def test_failures_are_statuses_and_no_fields() -> None:
    """No message of the wire carries a success flag or an error text of its own: errors are statuses."""
    fields = [
        field.full_name
        for module in (collector_pb2, engine_pb2, matcher_pb2, planner_pb2)
        for message in module.DESCRIPTOR.message_types_by_name.values()
        for field in message.fields
        if field.name in ("success", "ok", "error", "error_message")
    ]
    assert fields == []


def own_enums() -> list[type[StrEnum]]:
    """Every StrEnum that a module of the gateway itself defines."""
    modules = [importlib.import_module(f"gateway.{path.stem}") for path in sources("gateway") if len(path.parts) == 2]
    return [
        member
        for module in modules
        if module.__name__ != "gateway.__main__"
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, StrEnum) and member.__module__ == module.__name__
    ]


def test_the_gateway_s_words_are_the_wire_s() -> None:
    """Every StrEnum of the gateway that mirrors an enum of a contract has exactly its words."""
    other_names = {"MatchClarificationKind": "ClarificationKind"}
    contracts = [
        module.DESCRIPTOR.enum_types_by_name for module in (collector_pb2, engine_pb2, matcher_pb2, planner_pb2)
    ]
    seen = 0
    for kind in own_enums():
        name = other_names.get(kind.__name__, kind.__name__)
        mirrored = [enums[name] for enums in contracts if name in enums]
        seen += len(mirrored)
        assert [enum.full_name for enum in mirrored if not is_word_of(enum, kind)] == []
    assert seen >= 13
