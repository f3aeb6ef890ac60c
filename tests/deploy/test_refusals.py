"""What a service refuses to start with: a missing secret, a folder of secrets that is not as it should be, people whom
nobody checks on an address that others reach."""

from __future__ import annotations

import pytest

from sayso.chat.serve import check_settings
from sayso.errors import BadSetting
from sayso.settings import Settings, check_listening, read_settings

DEVELOPMENT = {"SAYSO_ENV": "development", "SAYSO_STATE_KEYS": "0123456789abcdef" * 2}


@pytest.fixture
def secrets(tmp_path, monkeypatch):
    monkeypatch.setenv("SAYSO_SECRETS_DIR", str(tmp_path))
    return tmp_path


def test_secrets_are_read_from_files(secrets):
    (secrets / "sayso_database_url").write_text("postgresql://sayso_login:quite%20secret@db/sayso\n")
    (secrets / "sayso_state_keys").write_text(f"{'a' * 32},{'b' * 32}\n")
    (secrets / "sayso_mqtt_url").write_text("mqtt://sayso:hush@broker\n")
    settings = read_settings()
    assert settings.database_url == "postgresql://sayso_login:quite%20secret@db/sayso"
    assert settings.state_keys == ("a" * 32, "b" * 32)
    assert "hush" not in repr(settings)


def test_a_variable_goes_before_a_file(secrets, monkeypatch):
    (secrets / "sayso_database_url").write_text("postgresql://one/sayso")
    monkeypatch.setenv("SAYSO_DATABASE_URL", "postgresql://two/sayso")
    assert read_settings().database_url == "postgresql://two/sayso"


def test_a_short_key_in_a_file_is_refused(secrets):
    (secrets / "sayso_state_keys").write_text("short")
    with pytest.raises(BadSetting, match="SAYSO_STATE_KEYS"):
        read_settings()


def test_a_secret_that_is_no_setting_is_refused(secrets):
    (secrets / "sayso_state_key").write_text("a" * 32)
    with pytest.raises(BadSetting, match=r"no setting matches .*sayso_state_key"):
        read_settings()


def test_a_folder_of_secrets_that_is_not_there_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("SAYSO_SECRETS_DIR", str(tmp_path / "missing"))
    with pytest.raises(BadSetting, match="SAYSO_SECRETS_DIR"):
        read_settings()


def test_files_of_others_in_the_folder_are_left_alone(secrets):
    (secrets / "postgres_password").write_text("not ours")
    (secrets / "..data").mkdir()  # as Kubernetes has it
    assert read_settings().database_url is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "sayso.example.org"])  # noqa: S104  it is refused
def test_in_development_nobody_listens_to_others(host):
    with pytest.raises(BadSetting, match="SAYSO_ENV"):
        check_listening(Settings(env="development"), host)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_in_development_this_machine_is_listened_to(host):
    check_listening(Settings(env="development"), host)


def test_a_provider_that_checks_people_lets_others_in():
    check_listening(Settings(env="development", oidc_issuer="https://id.example.org"), "0.0.0.0")  # noqa: S104
    check_listening(Settings(oidc_issuer="https://id.example.org"), "0.0.0.0")  # noqa: S104


COMMANDS = {
    "chat": ["serve"],
    "tasks": ["mcp", "tasks", "--transport", "http"],
    "devices": ["mcp", "devices", "--transport", "http"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_service_starts_for_everybody_in_development(refused, url, redis_url, command):
    variables = DEVELOPMENT | {"SAYSO_DATABASE_URL": url, "SAYSO_REDIS_URL": redis_url, "SAYSO_MQTT_URL": "mqtt://x"}
    assert "SAYSO_ENV: in development" in refused(*command, "--host", "0.0.0.0", **variables)  # noqa: S104


def test_the_gateway_does_not_either(refused, tmp_path):
    file = tmp_path / "gateway.json"
    file.write_text('{"mcpServers": {"one": {"command": "true"}}}')
    said = refused("gateway", "--config", str(file), "--transport", "http", "--host", "0.0.0.0", **DEVELOPMENT)  # noqa: S104
    assert "SAYSO_ENV: in development" in said


NEEDED = ["DATABASE_URL", "OIDC_ISSUER", "OIDC_AUDIENCE", "OIDC_JWKS_URL", "REDIS_URL"]


@pytest.fixture
def set_up(monkeypatch, production):
    """Sets the variables of production, changed as is said; what the service says of them when it starts."""

    def check(**changed):
        for name, value in (production | changed).items():
            monkeypatch.setenv(name, value)
        check_settings(read_settings())

    return check


def test_in_production_the_chat_service_starts_with_what_it_needs(set_up):
    set_up()


@pytest.mark.parametrize("name", NEEDED)
def test_in_production_the_chat_service_does_not_start_without(set_up, name):
    with pytest.raises(BadSetting, match=f"SAYSO_{name}"):
        set_up(**{f"SAYSO_{name}": ""})


def test_people_do_not_sign_in_on_a_page_whose_sessions_cannot_be_sealed(set_up):
    page = {"SAYSO_OIDC_CLIENT_ID": "page", "SAYSO_PUBLIC_URL": "https://sayso.example.org", "SAYSO_STATE_KEYS": ""}
    with pytest.raises(BadSetting, match="SAYSO_STATE_KEYS"):
        set_up(**page)


def test_nothing_starts_on_a_database_whose_role_steps_around_row_security(refused, production, url):
    assert "superuser" in refused("serve", **production | {"SAYSO_DATABASE_URL": url})
