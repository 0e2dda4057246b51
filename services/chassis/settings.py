"""Settings: read once from `DBDIAG_*` and an optional `dbdiag.yaml` into a frozen model.

The environment overrides the file, the file overrides the defaults. All services share one flat namespace, so that
one file can serve all of them: a key of another service is ignored, an unknown key is an error that
names the nearest one.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar
from urllib.parse import urlsplit

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from services.chassis.errors import InvalidInput
from services.chassis.logs import LogLevel
from services.chassis.problems import Misfit, field_problem

PREFIX = "DBDIAG_"
CONFIG_VARIABLE = "DBDIAG_CONFIG"
DEFAULT_FILE = Path("dbdiag.yaml")


_ADDRESS = re.compile(r"unix(?:-abstract)?:.+|(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(?P<port>\d{1,5})")


def _address(bind: str) -> str:
    found = _ADDRESS.fullmatch(bind)
    if found is None or int(found["port"] or 0) > 65535:
        raise Misfit("invalid_setting.no_address", bind=repr(bind))
    return bind


def _url(url: str) -> str:
    try:
        parts = urlsplit(url.strip())
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        # Without the value: people paste keys into the wrong variable.
        raise Misfit("invalid_setting.no_url")
    return url


class SettingsModel(BaseModel):
    """The base of every service's settings: frozen, with declared keys only."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    log_level: LogLevel = "info"


class ServerSettings(SettingsModel):
    """How a service listens. Seconds and counts."""

    bind: Annotated[str, AfterValidator(_address)] = "127.0.0.1:0"
    max_concurrent_rpcs: int = Field(default=200, ge=1)
    drain_seconds: float = Field(default=10.0, ge=0)


class LlmSettings(BaseModel):
    """The language model; without `llm_base_url` and `llm_api_key` there is none, and the rules answer.

    `llm_timeout_seconds` limits one question with its retries; a turn asks at most three.
    `llm_api_version` selects an Azure endpoint, whose models are named by their deployments.
    """

    llm_base_url: Annotated[str, AfterValidator(_url)] | None = None
    llm_api_key: str | None = Field(default=None, repr=False)
    llm_api_version: str | None = None
    llm_timeout_seconds: float = Field(default=15.0, gt=0)
    llm_max_retries: int = Field(default=1, ge=0)
    agent_model: str | None = None
    response_model: str | None = None


class LlmServerSettings(ServerSettings, LlmSettings):
    """A server that can ask a language model.

    `understand_model` helps to understand, `rerank_model` reads for the matcher; both default to `agent_model`.
    """

    understand_model: str | None = None
    rerank_model: str | None = None

    @model_validator(mode="after")
    def _named(self) -> Self:
        models = (self.agent_model, self.response_model, self.understand_model, self.rerank_model)
        if self.llm_base_url and not any(models):
            raise Misfit("invalid_setting.no_model")
        return self


Model = TypeVar("Model", bound=SettingsModel)


def load(model: type[Model], environ: Mapping[str, str], **overrides: object) -> Model:
    """Settings of `model` from `environ`, from the file it names (else ./dbdiag.yaml), and from explicit overrides.

    Raises InvalidInput naming the key and where it came from.
    """
    found: dict[str, tuple[object, str]] = {}
    path = _file(environ)
    for key, value in _from_file(path).items():
        found[key] = (value, str(path))
    for key, value in _from_environ(environ).items():
        found[key] = (value, PREFIX + key.upper())
    _refuse_unknown(model, found)
    found = {key: entry for key, entry in found.items() if key in model.model_fields}
    found |= {key: (value, "the command line") for key, value in overrides.items() if value is not None}
    try:
        return model.model_validate({key: value for key, (value, _) in found.items()})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        problem = field_problem(first)
        if not first["loc"]:
            raise InvalidInput("invalid_setting.whole", problem=problem) from None
        key = str(first["loc"][0])
        if key not in found:
            raise InvalidInput("invalid_setting.missing", key=key, problem=problem) from None
        raise InvalidInput("invalid_setting.value", key=key, source=found[key][1], problem=problem) from None


def _file(environ: Mapping[str, str]) -> Path | None:
    named = environ.get(CONFIG_VARIABLE)
    path = Path(named) if named else DEFAULT_FILE
    if path.exists():
        return path
    if named:
        raise InvalidInput("invalid_setting.no_file", path=str(path), variable=CONFIG_VARIABLE)
    return None


def _from_file(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except yaml.MarkedYAMLError as error:
        # The library's own message quotes the line, which may contain a key.
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InvalidInput("invalid_setting.line", path=str(path), line=line, problem=str(error.problem)) from None
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidInput("invalid_setting.file", path=str(path), problem=str(error)) from error
    if not isinstance(content, dict):
        raise InvalidInput("invalid_setting.not_a_mapping", path=str(path))
    # `agent:` is accepted as a heading over the same flat keys.
    group = content.pop("agent", None)
    return {str(key): value for key, value in (content | (group if isinstance(group, dict) else {})).items()}


def _from_environ(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environ.items()
        if name.startswith(PREFIX) and name != CONFIG_VARIABLE
    }


def _refuse_unknown(model: type[BaseModel], found: Mapping[str, tuple[object, str]]) -> None:
    unknown = sorted(key for key in found if key not in model.model_fields)
    if not unknown:
        return
    known = set(model.model_fields).union(*(sibling.model_fields for sibling in _all_models()))
    for key in unknown:
        if key not in known:
            nearest = difflib.get_close_matches(key, sorted(known), n=1, cutoff=0.0)[0]
            raise InvalidInput("unknown_setting", key=key, source=found[key][1], nearest=nearest)


def _all_models() -> Iterable[type[SettingsModel]]:
    """The settings models of all rooms; loaded only for a key that the caller does not know."""
    import services

    rooms = [f"services.{module.name}.settings" for module in pkgutil.iter_modules(services.__path__)]
    for name in [*(room for room in rooms if not room.startswith("services.chassis")), "gateway.settings"]:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            continue
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, SettingsModel):
                yield value
