"""The deployment files: what Kubernetes and systemd are told, and every variable in them against the settings."""

from __future__ import annotations

import re
import subprocess
from itertools import chain

import pytest
import yaml
from standing import ROOT

from sayso.chat.serve import check_settings
from sayso.devices.link.broker import broker_of
from sayso.gateway.config import read_config
from sayso.identity.trust import trusted_tokens
from sayso.settings import SECRETS_FOLDER, Settings, check_listening, database_url, read_settings

DEPLOY = ROOT / "deploy"
KNOWN = {f"SAYSO_{name.upper()}" for name in Settings.model_fields} | {SECRETS_FOLDER}
KNOWN |= {"SAYSO_COMPOSITION", "SAYSO_COMPOSITION_THRESHOLD", "SAYSO_MAX_SUGGESTIONS"}  # sayso/composition.py
HELD = {  # a secret of the right shape, where a file hands one over
    "sayso_database_url": "postgresql://sayso_login:x@db/sayso",
    "sayso_redis_url": "redis://:x@redis:6379/0",
    "sayso_mqtt_url": "mqtts://sayso:x@broker",
    "sayso_state_keys": "0123456789abcdef0123456789abcdef",
    "sayso_oidc_client_secret": "x",
}
RESOURCES = [
    resource
    for file in sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    for resource in yaml.safe_load_all(file.read_text("utf-8"))
]


def of_kind(*kinds):
    return [resource for resource in RESOURCES if resource["kind"] in kinds]


def pods():
    return [(each["metadata"]["name"], each["spec"]["template"]["spec"]) for each in of_kind("Deployment", "Job")]


def declared():
    """The keys of each Secret that the example declares."""
    return {each["metadata"]["name"]: set(each["stringData"]) for each in of_kind("Secret")}


def kubernetes_services():
    (settings,) = (each["data"] for each in of_kind("ConfigMap") if each["metadata"]["name"] == "sayso")
    for name, pod in pods():
        (container,) = pod["containers"]
        variables = {each["name"]: each["value"] for each in container["env"]}
        (secret,) = (volume["secret"] for volume in pod["volumes"] if "secret" in volume)
        files = (
            [item["path"] for item in secret["items"]] if "items" in secret else list(declared()[secret["secretName"]])
        )
        shared = settings if "envFrom" in container else {}
        yield f"kubernetes {name}", container["args"], shared | variables, files


def compose_services():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    example = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "example.env").read_text("utf-8"), re.MULTILINE))
    for name in ("chat-1", "chat-2", "tasks", "devices", "gateway", "migrate"):
        service = services[name]
        variables = {
            key: re.sub(r"\$\{(\w+)(?::[-?][^}]*)?\}", lambda found: example[found[1]], value)
            for key, value in service["environment"].items()
        }
        files = [each if isinstance(each, str) else each["target"] for each in service["secrets"]]
        yield f"compose {name}", service.get("command", ["serve", "--host", "0.0.0.0"]), variables, files  # noqa: S104


def units():
    return sorted((DEPLOY / "systemd").glob("*.service"))


def systemd_services():
    shared = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "systemd" / "settings.env").read_text("utf-8"), re.MULTILINE))
    for unit in units():
        text = unit.read_text("utf-8")
        own = dict(pair.split("=", 1) for pair in re.search(r"^Environment=(.*)$", text, re.MULTILINE)[1].split())
        command = re.search(r"^ExecStart=\S+/sayso (.*)$", text, re.MULTILINE)[1].split()
        files = re.findall(r"^LoadCredential=(\w+):", text, re.MULTILINE)
        yield f"systemd {unit.name}", command, own | shared, files  # a file goes before what the unit itself says


SERVICES = list(chain(compose_services(), kubernetes_services(), systemd_services()))


@pytest.mark.parametrize(
    ("command", "variables", "files"), [each[1:] for each in SERVICES], ids=[e[0] for e in SERVICES]
)
def test_no_variable_is_unknown_and_none_is_missing(command, variables, files, tmp_path, monkeypatch):
    assert {name for name in variables if name.startswith("SAYSO_")} <= KNOWN
    for name in files:
        (tmp_path / name).write_text(HELD[name])
    for name, value in (variables | {SECRETS_FOLDER: str(tmp_path)}).items():
        if name in KNOWN:
            monkeypatch.setenv(name, value)
    settings = read_settings()
    assert settings.env == "production"
    database_url(settings)
    check = {"serve": check_settings, "mcp": trusted_tokens, "gateway": trusted_tokens}.get(command[0], database_url)
    check(settings)
    if "devices" in command:
        broker_of(settings)
    if "--host" in command:
        check_listening(settings, command[command.index("--host") + 1])
    if command[0] == "serve":
        assert settings.oidc_client_id
        assert settings.public_url == "https://sayso.example.org"
    if command[0] == "mcp":
        assert settings.public_url == f"https://sayso.example.org/{command[1]}/mcp"
    if command[0] in ("serve", "mcp", "gateway"):
        assert settings.state_keys, "replicas share the keys that seal questions and sessions"


def test_every_secret_that_a_pod_names_is_declared_and_none_has_a_value():
    for _name, pod in pods():
        for volume in pod["volumes"]:
            if "secret" in volume:
                keys = declared()[volume["secret"]["secretName"]]
                assert {item["key"] for item in volume["secret"].get("items", ())} <= keys
    assert all(value == "" for each in of_kind("Secret") for value in each["stringData"].values())
    (kustomization,) = of_kind("Kustomization")
    assert "secrets.example.yaml" not in kustomization["resources"]


def test_no_pod_has_any_privilege():
    for name, pod in pods():
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["runAsUser"] == 65532
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)
        for container in pod["containers"]:
            held = {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert container["securityContext"] == held
            assert container["resources"]["requests"]
            assert container["resources"]["limits"]["memory"]
            assert "/tmp" in {mount["mountPath"] for mount in container["volumeMounts"]}  # noqa: S108  the image's own


def test_every_service_is_probed_where_it_answers_and_outlives_an_eviction():
    budgets = {each["metadata"]["name"] for each in of_kind("PodDisruptionBudget")}
    scaled = {each["spec"]["scaleTargetRef"]["name"]: each["spec"] for each in of_kind("HorizontalPodAutoscaler")}
    for each in of_kind("Deployment"):
        name, (container,) = each["metadata"]["name"], each["spec"]["template"]["spec"]["containers"]
        assert container["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "http"}
        assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "http"}
        assert container["args"][-1] == str(container["ports"][0]["containerPort"])
        assert name in budgets
        assert each["spec"].get("replicas", scaled.get(name, {}).get("minReplicas")) >= 2
        labels = each["spec"]["template"]["metadata"]["labels"]
        (service,) = (s for s in of_kind("Service") if s["metadata"]["name"] == name)
        assert service["spec"]["selector"] == labels == each["spec"]["selector"]["matchLabels"]
        assert each["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_every_way_in_leads_to_a_service_and_events_are_not_held_back():
    services = {each["metadata"]["name"] for each in of_kind("Service")}
    for ingress in of_kind("Ingress"):
        assert ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-buffering"] == "off"
        assert ingress["spec"]["tls"]
        for rule in ingress["spec"]["rules"]:
            assert {path["backend"]["service"]["name"] for path in rule["http"]["paths"]} <= services


def test_the_gateway_has_a_file_that_it_takes_and_a_folder_that_replicas_share(tmp_path):
    (file,) = (each["data"] for each in of_kind("ConfigMap") if each["metadata"]["name"] == "gateway")
    (claim,) = of_kind("PersistentVolumeClaim")
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    pod = dict(pods())["gateway"]
    mounts = {each["name"]: each["mountPath"] for each in pod["containers"][0]["volumeMounts"]}
    for text in (file["gateway.json"], (DEPLOY / "gateway.example.json").read_text("utf-8")):
        (tmp_path / "gateway.json").write_text(text)
        assert read_config(tmp_path / "gateway.json", {}).sayso.state == mounts["state"] == "/var/lib/sayso"
    unit = (DEPLOY / "systemd" / "sayso-gateway.service").read_text("utf-8")
    assert "\nStateDirectory=sayso\n" in unit  # /var/lib/sayso


def test_nobody_speaks_with_the_pods_unless_they_are_named():
    policies = {each["metadata"]["name"]: each["spec"] for each in of_kind("NetworkPolicy")}
    assert policies["nobody"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.name)
def test_systemd_takes_the_unit_and_finds_little_exposed(unit, needs, tmp_path):
    analyze = needs("systemd-analyze")
    program = tmp_path / "sayso"
    program.write_text("")
    program.chmod(0o755)
    copy = tmp_path / unit.name.replace("@", "@8081")
    copy.write_text(unit.read_text("utf-8").replace("/opt/sayso/bin/sayso", str(program)))
    done = subprocess.run([analyze, "verify", "--man=no", copy], capture_output=True, encoding="utf-8", check=False)
    assert unit.name.partition(".")[0] not in done.stderr, done.stderr
    secure = [analyze, "security", "--offline=true", "--threshold=20", "--no-pager", copy]  # 2.0 of 10
    done = subprocess.run(secure, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
