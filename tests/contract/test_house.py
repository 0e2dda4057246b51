"""The rules of docs/house.md, read from the source: each test lists every offender."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from pathlib import Path

import pytest
from dbdiag.collector.v1 import collector_pb2
from dbdiag.engine.v1 import engine_pb2
from dbdiag.matcher.v1 import matcher_pb2
from dbdiag.planner.v1 import planner_pb2

from tests.support.cases import for_each
from tests.support.house import ROOT, SERVICES, Import, circles, imports, mentions, sources, tracked, tree

SEVEN = {"__init__", "__main__", "app", "settings", "servicer", "wire", "model"}
# Where a service may touch gRPC and the stubs.
EDGE = {"servicer", "wire", "knowledge_client", "app", "__main__"}
WIRE = ("grpc", "grpc_health", "grpc_reflection", "google.protobuf", "structlog")
# The chassis without its gRPC half.
QUIET_CHASSIS = (
    "services.chassis.errors",
    "services.chassis.messages",
    "services.chassis.problems",
    "services.chassis.llm",
    "services.chassis.settings",
    "services.chassis.logs",
)
CHASSIS = {"__init__", "server", "health", "interceptors", "channel", "errors", "messages", "problems"}
CHASSIS |= {"settings", "logs", "llm", "wire"}
GATEWAY_EDGE = {
    "gateway/contracts/clients.py",
    "gateway/contracts/engine_client.py",
    "gateway/contracts/trials.py",
    "gateway/app.py",
    "gateway/embedded.py",
}
# What a room offers the command line for work on files, for which no service runs; the numbers are the experts' rates.
DOORS = (
    "services.knowledge.files",
    "services.collector.evidence.session_evidence",
    "services.engine.tables.parameters",
    "services.analyst.dataset_files",
)
MOST_LINES = 300
HOUSE = ("services", "gateway", "faultlab", "lang", "redaction", "sql_admission")


def knows_wire(item: Import) -> bool:
    """Whether an import is one of gRPC, of stubs or of logs; the types of a contract are plain values."""
    stubs = item.within("dbdiag") and not item.within("dbdiag.vocabulary") and "_types." not in f"{item.name}."
    return stubs or item.within(*WIRE)


def room(path: Path) -> str:
    """The name under which a file of a service stands directly in its room."""
    return path.parts[2].removesuffix(".py")


def core_files(*services: str) -> list[Path]:
    """The files of services that carry no edge of theirs."""
    return [path for name in services for path in sources(f"services/{name}") if path.stem not in EDGE]


@for_each("service", SERVICES)
def test_every_service_has_the_same_seven_names(service: str) -> None:
    """Who knows one room knows them all: the seven names stand in each, as a module or a package."""
    assert {room(path) for path in sources(f"services/{service}")} >= SEVEN


@for_each("service", SERVICES)
def test_core_files_know_no_wire(service: str) -> None:
    """Outside its edge a service imports no gRPC, no stubs, no structlog, and none of the chassis that does."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in core_files(service)
        for item in imports(path)
        if knows_wire(item) or (item.within("services.chassis") and not item.within(*QUIET_CHASSIS))
    ]
    assert offenders == []


def test_only_the_gateway_s_edge_knows_the_wire() -> None:
    """In the gateway only clients and wire touch gRPC and stubs; structlog belongs to the chassis."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("gateway")
        if path.as_posix() not in GATEWAY_EDGE
        for item in imports(path)
        if knows_wire(item)
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


@for_each("service", SERVICES)
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


# Rooms whose modules import each other in one direction only.
WITHOUT_CIRCLES = ("services/engine",)


@pytest.mark.parametrize("folder", WITHOUT_CIRCLES)
def test_no_modules_import_each_other_in_a_circle(folder: str) -> None:
    """Within a room, imports go one way, also those inside functions and those for type checkers."""
    assert circles(folder) == []


def test_the_engine_s_core_does_not_import_the_kernel() -> None:
    """The kernel is an optional accelerator: within the engine, only app.py registers it."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("services/engine")
        for item in imports(path)
        if item.within("services.engine.kernel") and path.parts[2] not in ("kernel", "app.py")
    ]
    assert offenders == []


def test_the_engine_s_packages_are_layers() -> None:
    """Each package of the engine imports only those before it."""
    layers = ("tables", "inference", "results", "calibration", "serving")
    offenders = [
        f"{path}:{item.line} {item.name}"
        for place, layer in enumerate(layers)
        for path in sources(f"services/engine/{layer}")
        for item in imports(path)
        if item.within(*(f"services.engine.{later}" for later in layers[place + 1 :]))
    ]
    assert offenders == []


def test_only_the_embedded_host_imports_services() -> None:
    """The gateway reaches services by their contracts; file verbs use the modules of DOORS alone."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("gateway")
        for item in imports(path)
        if item.within(*(f"services.{name}" for name in SERVICES))
        and path.as_posix() != "gateway/embedded.py"
        and not (path.parts[:2] == ("gateway", "cli") and item.within(*DOORS))
    ]
    assert offenders == []


def test_what_the_command_line_takes_from_a_room_is_there() -> None:
    """Every name that the command line imports from one of these modules is found when its verb runs."""
    taken = {item.name for path in sources("gateway/cli") for item in imports(path) if item.within(*DOORS)}
    assert {door for door in DOORS if any(name.startswith(door) for name in taken)} == set(DOORS)
    parts = [name.rpartition(".") for name in sorted(taken - set(DOORS))]
    assert [name for door, _, name in parts if not hasattr(importlib.import_module(door), name)] == []


def test_no_service_knows_the_lab() -> None:
    """Services import none of it, and the gateway only its command line, when a verb runs."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("services", "gateway")
        for item in imports(path)
        if item.within("faultlab") and not (path.parts[:2] == ("gateway", "cli") and item.lazy)
    ]
    assert offenders == []


def test_the_room_free_packages_import_no_room() -> None:
    """Rooms import `lang`, `redaction` and `sql_admission`; of the rooms these import nothing but the messages."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("lang", "redaction", "sql_admission")
        for item in imports(path)
        if item.within("services", "gateway", "faultlab") and not item.within("services.chassis.messages")
    ]
    assert offenders == []


def test_the_chassis_is_a_closed_list() -> None:
    """The chassis has its modules, imports no room, and has no word of the domain in it."""
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
    files = sources(*HOUSE, "tests")
    assert [str(path) for path in files if drawers & {*path.parts[:-1], path.stem}] == []


def test_no_file_is_long() -> None:
    """Hand-written files outside the tests have at most 300 lines."""
    files = [
        *sources(*HOUSE),
        *map(Path, ("protos/generate.py", "protos/contract_types.py")),
    ]
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
    # Few files hold any of these, and looking for them takes a tenth of the time.
    begins = [*map(str.encode, hosts), *(f"/{folder.split('/')[0]}/".encode() for folder in folders)]
    here = Path(__file__).relative_to(ROOT)
    offenders = []
    for path in tracked():
        content = (ROOT / path).read_bytes()
        if path.name == "LICENSE" or path == here or b"\0" in content or not any(each in content for each in begins):
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
    assert set(pydantic) <= {"services/engine/settings.py", "services/engine/tables/snapshot.py"}


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


# What changes a turn or its session, and what changes one of their lists.
_CHANGES = {"note", "take_back", "ask", "ask_back", "record", "retract", "start_case", "ask_next"}
_GROWS = {"append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "add"}


def changed_by(path: Path) -> list[str]:
    """Where a file assigns to a turn or its session, or calls what changes them, as `path:line code`."""
    found: list[ast.expr] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found += [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Attribute)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value)
            grows = owner.startswith(("turn.", "session.")) and node.func.attr in _GROWS
            if grows or (owner in ("turn", "session", "turn.session") and node.func.attr in _CHANGES):
                found.append(node.func)
    held = ("turn.", "session.")
    return [f"{path}:{part.lineno} {ast.unparse(part)}" for part in found if ast.unparse(part).startswith(held)]


def test_tools_change_nothing() -> None:
    """A tool reads the turn and returns a result; the loop's fold is what puts it into the turn and the session."""
    assert [said for path in sources("gateway/turn/tools") for said in changed_by(path)] == []
    assert changed_by(Path("gateway/turn/loop.py"))


MOST_MODULES = 18
# One role each, the same in every room: they do not compete for a meaning.
ROLES = {
    "__init__",
    "__main__",
    "app",
    "settings",
    "servicer",
    "wire",
    "model",
    "schema",
    "texts",
    "executor",
    "knowledge_client",
}


def test_no_folder_is_crowded() -> None:
    """A folder holds one idea: at most 18 modules of its own."""
    folders = Counter(path.parent for path in sources(*HOUSE) if path.stem != "__init__")
    assert {str(folder): count for folder, count in folders.items() if count > MOST_MODULES} == {}


def test_a_module_name_means_one_thing() -> None:
    """No module name but those of a fixed role stands in three folders."""
    places: dict[str, set[Path]] = {}
    for path in sources(*HOUSE):
        places.setdefault(path.stem, set()).add(path.parent)
    crowded = {name: sorted(map(str, found)) for name, found in places.items() if len(found) > 2}
    assert {name: found for name, found in crowded.items() if name not in ROLES} == {}
