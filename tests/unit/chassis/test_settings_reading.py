"""Settings: where a value comes from, and what a wrong one is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import Field, ValidationError

from gateway.settings import GatewaySettings
from services.chassis.errors import InvalidInput
from services.chassis.settings import LlmSettings, ServerSettings, SettingsModel, load
from services.matcher.settings import MatcherSettings
from services.planner.settings import PlannerSettings


class RoomSettings(ServerSettings, LlmSettings):
    """A room as services have them."""

    room_count: int = Field(default=3, ge=1)
    room_folder: Path = Path("room")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(environ: dict[str, str], model: type[SettingsModel] = RoomSettings) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        load(model, environ)
    return refused.value


def test_without_anything_the_defaults_hold() -> None:
    """No file and no environment give the declared defaults."""
    assert load(RoomSettings, {}) == RoomSettings()


def test_the_environment_wins_over_the_file_and_the_file_over_the_defaults(folder: Path) -> None:
    """Of three sources the nearest to the process wins, key by key; an explicit override wins over all."""
    (folder / "dbdiag.yaml").write_text("room_count: 5\nroom_folder: from-file\nbind: 127.0.0.1:5\n")
    loaded = load(RoomSettings, {"DBDIAG_ROOM_COUNT": "7", "DBDIAG_BIND": "127.0.0.1:7"}, bind="127.0.0.1:9")
    assert (loaded.room_count, loaded.room_folder, loaded.bind) == (7, Path("from-file"), "127.0.0.1:9")
    assert loaded.drain_seconds == 10.0


def test_an_override_that_is_none_overrides_nothing() -> None:
    """An option that the command line was not given leaves the environment's value."""
    assert load(RoomSettings, {"DBDIAG_ROOM_COUNT": "7"}, room_count=None).room_count == 7


def test_variables_without_the_prefix_are_not_settings() -> None:
    """Other programs' variables are not looked at."""
    assert load(RoomSettings, {"ROOM_COUNT": "7", "PATH": "/bin"}) == RoomSettings()


def test_the_file_that_the_environment_names_is_read(folder: Path) -> None:
    """DBDIAG_CONFIG names the file; ./dbdiag.yaml is then not read."""
    (folder / "dbdiag.yaml").write_text("room_count: 5\n")
    (folder / "other.yaml").write_text("room_folder: other\n")
    loaded = load(RoomSettings, {"DBDIAG_CONFIG": str(folder / "other.yaml")})
    assert (loaded.room_count, loaded.room_folder) == (3, Path("other"))


def test_a_named_file_that_is_missing_is_refused(folder: Path) -> None:
    """A file that DBDIAG_CONFIG names has to exist; the message names both."""
    refused = refusal({"DBDIAG_CONFIG": "missing.yaml"})
    assert "missing.yaml" in refused.message
    assert "DBDIAG_CONFIG" in refused.message
    assert refused.reason == "invalid_setting"


@pytest.mark.parametrize(
    "content",
    ["room_count: [1\n", "- room_count\n", b"\xff\xfe\x00", "just words"],
    ids=["yaml", "list", "bytes", "text"],
)
def test_a_file_that_is_no_settings_file_is_refused(folder: Path, content: str | bytes) -> None:
    """What is not `key: value` lines is refused and the file is named."""
    path = folder / "dbdiag.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused = refusal({})
    assert "dbdiag.yaml" in refused.message
    assert refused.reason == "invalid_setting"


def test_an_empty_file_changes_nothing(folder: Path) -> None:
    """An empty dbdiag.yaml is as good as none."""
    (folder / "dbdiag.yaml").write_text("# nothing yet\n")
    assert load(RoomSettings, {}) == RoomSettings()


def test_the_agent_heading_is_flattened(folder: Path) -> None:
    """Keys under `agent:` are the same flat keys."""
    (folder / "dbdiag.yaml").write_text("room_count: 4\nagent:\n  agent_model: small\n  room_folder: under-agent\n")
    loaded = load(RoomSettings, {})
    assert (loaded.room_count, loaded.agent_model, loaded.room_folder) == (4, "small", Path("under-agent"))


def test_an_unknown_variable_names_the_nearest_key_and_its_source() -> None:
    """A misspelt variable is refused with the key that was probably meant."""
    refused = refusal({"DBDIAG_ROOM_COUNTS": "7"})
    assert refused.reason == "unknown_setting"
    assert "room_counts" in refused.message
    assert "DBDIAG_ROOM_COUNTS" in refused.message
    assert "nearest known one is room_count" in refused.message


def test_an_unknown_key_of_a_file_names_the_file(folder: Path) -> None:
    """A misspelt key is refused with the file it stands in, whatever the file is called."""
    path = folder / "site.yaml"
    path.write_text("drain_second: 3\n")
    refused = refusal({"DBDIAG_CONFIG": str(path)})
    assert str(path) in refused.message
    assert "drain_seconds" in refused.message


def test_a_key_that_is_no_word_is_refused_as_unknown(folder: Path) -> None:
    """A number as a key is an unknown setting, not a defect."""
    (folder / "dbdiag.yaml").write_text("8080: yes\nbindd: x\n")
    assert refusal({}).reason == "unknown_setting"


def test_a_key_of_another_room_is_passed_over(folder: Path) -> None:
    """One file and one environment serve every process: a key that another room declares is no error."""
    (folder / "dbdiag.yaml").write_text("stuck_detection_rounds: 4\nroom_count: 2\n")
    loaded = load(RoomSettings, {"DBDIAG_SESSION_TIMEOUT_MINUTES": "5"})
    assert loaded.room_count == 2


def test_a_room_passes_over_the_keys_of_the_services() -> None:
    """The gateway accepts an environment that sets what only a service declares."""
    assert load(GatewaySettings, {"DBDIAG_KNOWLEDGE_STORE": "elsewhere"}) == GatewaySettings()


@pytest.mark.parametrize(("value", "why"), [("many", "integer"), ("0", "greater than or equal to 1")])
def test_a_wrong_value_names_its_key_and_source(value: str, why: str) -> None:
    """A value of the wrong type or range is refused with its key, its variable and what was expected."""
    refused = refusal({"DBDIAG_ROOM_COUNT": value})
    assert refused.reason == "invalid_setting"
    assert "room_count" in refused.message
    assert "DBDIAG_ROOM_COUNT" in refused.message
    assert why in refused.message


def test_a_wrong_value_of_a_file_names_the_file(folder: Path) -> None:
    """A value that came from a file is told with that file."""
    path = folder / "site.yaml"
    path.write_text("room_count: many\n")
    refused = refusal({"DBDIAG_CONFIG": str(path)})
    assert "room_count" in refused.message
    assert str(path) in refused.message


def test_a_wrong_override_names_the_command_line() -> None:
    """A value that came from an option is told as such, also when the environment has the key as well."""
    with pytest.raises(InvalidInput, match=r"room_count \(from the command line\)"):
        load(RoomSettings, {"DBDIAG_ROOM_COUNT": "2"}, room_count=0)


def test_a_needed_value_that_is_set_nowhere_is_named() -> None:
    """A setting without a default that no source gives is refused by its name."""

    class Needy(SettingsModel):
        needed_address: str

    assert "setting needed_address (set nowhere)" in refusal({}, Needy).message


def test_an_override_that_the_room_does_not_know_is_refused() -> None:
    """A caller's misspelt override is no silent nothing."""
    with pytest.raises(InvalidInput, match="room_size"):
        load(RoomSettings, {}, room_size=3)


def test_a_key_is_nowhere_to_be_read() -> None:
    """The API key stands neither in the settings' text nor in the message about a wrong value."""
    loaded = load(RoomSettings, {"DBDIAG_LLM_API_KEY": "sk-secret"})
    assert loaded.llm_api_key == "sk-secret"
    assert "sk-secret" not in f"{loaded!r} {loaded}"
    refused = refusal({"DBDIAG_LLM_API_KEY": "sk-secret", "DBDIAG_LLM_MAX_RETRIES": "sk-secret"})
    assert "sk-secret" not in refused.message
    assert refused.__cause__ is None


def test_a_broken_file_does_not_spill_its_content(folder: Path) -> None:
    """The message about a file that cannot be read says where it breaks, not what stands there: it may be a key."""
    (folder / "dbdiag.yaml").write_text("room_count: 1\nllm_api_key: 'sk-secret\n")
    refused = refusal({})
    assert "line" in refused.message
    assert "sk-secret" not in refused.message


def test_settings_do_not_change() -> None:
    """Loaded settings are frozen, and refuse keys that are not declared."""
    loaded = load(RoomSettings, {})
    with pytest.raises(ValidationError):
        loaded.room_count = 9
    with pytest.raises(ValidationError):
        RoomSettings.model_validate({"room_size": 1})


@pytest.mark.parametrize(
    "bind", ["127.0.0.1:0", "[::1]:50051", "0.0.0.0:50051", "localhost:1", "unix:/run/dbdiag.sock"]
)
def test_every_form_of_address_is_taken(bind: str) -> None:
    """Hosts by number and by name, IPv6 in brackets and unix sockets are addresses to listen on."""
    assert load(ServerSettings, {"DBDIAG_BIND": bind}).bind == bind


def test_any_of_the_models_goes_with_an_address() -> None:
    """An address without any model is refused by every service that asks models; one name, whose ever, is enough."""
    address = {"DBDIAG_LLM_BASE_URL": "http://127.0.0.1:11434"}
    for model in (PlannerSettings, MatcherSettings):
        with pytest.raises(InvalidInput, match="llm_base_url is set and no model is named"):
            load(model, address)
        for name in ("AGENT", "RESPONSE", "UNDERSTAND", "RERANK"):
            assert load(model, address | {f"DBDIAG_{name}_MODEL": "small"}).llm_base_url


def test_a_key_in_the_wrong_place_is_not_shown() -> None:
    """A value that is no URL is not repeated: it may be the key."""
    with pytest.raises(InvalidInput, match="llm_base_url") as caught:
        load(PlannerSettings, {"DBDIAG_LLM_BASE_URL": "sk-private", "DBDIAG_AGENT_MODEL": "small"})
    assert "sk-private" not in caught.value.message
