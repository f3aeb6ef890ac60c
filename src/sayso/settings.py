"""Settings of the services: `SAYSO_…` variables, read at program start.

`make reference` writes docs/reference/settings.md from here: the comment beside or above a field is its description.
Secrets can be in files in the folder that SAYSO_SECRETS_DIR names. Each file has the name of a variable in lower case
(`sayso_state_keys`). An environment variable takes precedence over a file.
"""

from __future__ import annotations

import os
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from sayso.errors import BadSetting

# Nobody can own this name: `.invalid` is reserved and never resolves.
DEVELOPMENT_ISSUER = "https://development.sayso.invalid"
SECRETS_FOLDER = "SAYSO_SECRETS_DIR"


class Secret:
    """Marks a field that is or may contain a secret, such as an address with a password."""


class Settings(BaseSettings):
    """One field per variable. Unset variables have their default, which may be `None`."""

    model_config = SettingsConfigDict(env_prefix="SAYSO_", frozen=True, extra="ignore", env_ignore_empty=True)

    env: Literal["development", "production"] = "production"  # development accepts its own issuer and a superuser
    database_url: Annotated[str | None, Secret] = None  # the database, `postgresql://USER@HOST/DATABASE`
    database_pool: Annotated[int, Field(ge=1, le=1000)] = 10  # the maximum number of connections per process
    # seconds for a connection and for an answer of the database; then the call fails and the connection is closed
    database_deadline: Annotated[float, Field(ge=1, le=60)] = 5
    # seconds for each transaction of a turn or call, without the time of a model or a machine
    turn_deadline: Annotated[float, Field(ge=2, le=300)] = 15
    # `false` behind a pooler in transaction mode without prepared statements
    database_prepare: bool = True
    # the database without the pooler, for the jobs of a model; SAYSO_DATABASE_URL if not given
    jobs_database_url: Annotated[str | None, Secret] = None
    oidc_issuer: str | None = None  # the issuer of tokens; in development Sayso itself if not given
    oidc_audience: str | None = None  # the audience of tokens; in development `sayso`
    oidc_jwks_url: str | None = None  # the address of the issuer's keys, `https://…`
    # hours for which known keys are accepted if they cannot be fetched again
    oidc_jwks_hours: Annotated[float, Field(gt=0, le=720)] = 24
    oidc_client_id: str | None = None  # the client id at the identity provider, for the page
    oidc_client_secret: SecretStr | None = None  # the client secret; a public client has none
    session_hours: Annotated[float, Field(gt=0, le=720)] = 12  # hours until a session of the page ends
    stdio_user: str | None = None  # the user of a server over standard input and output
    # the public address, `https://HOST`
    public_url: str | None = None
    # host names that requests to an MCP server may use; by default any, on loopback only its own
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    timezone: str = "UTC"  # the time zone of users whose token has no `zoneinfo`
    # keys of at least 32 characters that seal questions and sessions; the first seals, all open; shared by replicas
    state_keys: Annotated[tuple[str, ...], NoDecode, Secret] = ()
    # the folder of a gateway's key, without SAYSO_STATE_KEYS; in the user's data folder if not given
    seal_dir: Path | None = None
    # an OpenAI-compatible endpoint of a language model, `https://HOST/v1`
    model_base_url: str | None = None
    model: str | None = None  # the model's name; without a name and an address Sayso uses no model
    model_api_key: SecretStr | None = None  # the bearer token for that address
    model_deadline: Annotated[float, Field(gt=0, le=120)] = 8  # seconds for a message, including the model's calls
    # Redis, `redis://HOST:6379/0`; required in production
    redis_url: Annotated[str | None, Secret] = None
    mqtt_url: SecretStr | None = None  # the broker, `mqtt://USER:PASSWORD@HOST` or `mqtts://…`
    mqtt_topics: str = "sayso/{owner}/{machine}"  # the layout of topics, with `{owner}` and `{machine}` once each
    mqtt_discovery: str = "homeassistant"  # where devices announce themselves; may contain `{owner}`
    mqtt_patience: Annotated[float, Field(ge=1, le=300)] = 10  # seconds until a command expires
    # the private key that signs web pushes, of `sayso push-key`; browsers get no push without it
    push_key: SecretStr | None = None
    push_contact: str | None = None  # the address that push services may write to, `mailto:YOU@HOST` or `https://…`
    # the kinds of addresses that users may be reminded at, as Apprise names them
    reminder_schemes: Annotated[tuple[str, ...], NoDecode] = (
        "discord",
        "gotifys",
        "jsons",
        "mailtos",
        "mmosts",
        "ntfys",
        "pover",
        "slack",
        "tgram",
    )
    # private networks that such an address may lead to, `10.1.0.0/16`
    reminder_networks: Annotated[tuple[str, ...], NoDecode] = ()
    reminder_late_hours: Annotated[float, Field(gt=0, le=720)] = 24  # a reminder that is later does not ring
    reminder_lease: Annotated[float, Field(ge=2, le=600)] = 30  # seconds until another replica takes over a reminder
    rate_limit: str = "120/minute"  # requests per user
    # cost of cases per user, for `/v1/decide` and `/v1/compose`: 1 per 16 KiB or per 100 items
    cost_limit: str = "300/minute"
    metrics_open: bool = False  # `true` lets any machine read `/metrics`
    otlp_url: str | None = None  # the address for OpenTelemetry traces, `http://HOST:4318/v1/traces`

    @field_validator("state_keys", "allowed_hosts", "reminder_schemes", "reminder_networks", mode="before")
    @classmethod
    def _separate(cls, value: object) -> object:
        return tuple(part for part in value.replace(",", " ").split() if part) if isinstance(value, str) else value

    @field_validator("state_keys")
    @classmethod
    def _long_enough(cls, keys: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(key) < 32 for key in keys):
            raise ValueError("each key needs at least 32 characters; make one with `openssl rand -hex 32`")
        return keys

    @field_validator("reminder_networks")
    @classmethod
    def _are_networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        for network in networks:
            ip_network(network, strict=False)
        return networks

    @property
    def issuer(self) -> str | None:
        """The issuer of accepted tokens. In development it is Sayso itself, unless another issuer is set."""
        return self.oidc_issuer or (DEVELOPMENT_ISSUER if self.env == "development" else None)

    @property
    def in_development(self) -> bool:
        return self.env == "development"


def read_settings() -> Settings:
    """The settings of this process, or BadSetting with the variable's name and what to do."""
    try:
        settings = Settings(_secrets_dir=_secrets_folder())  # type: ignore[call-arg]  # known when it runs
    except ValidationError as problem:
        first = problem.errors()[0]
        name = f"SAYSO_{first['loc'][0]}".upper()
        raise BadSetting(name, first["msg"].removeprefix("Value error, ")) from None
    if settings.oidc_issuer == DEVELOPMENT_ISSUER and not settings.in_development:
        raise BadSetting(
            "SAYSO_OIDC_ISSUER",
            "is the development issuer, which production refuses because it signs tokens for anyone: set it to your "
            "identity provider",
        )
    if settings.model_base_url is not None:
        _check_endpoint(settings.model_base_url, settings.in_development)
    return settings


def _secrets_folder() -> Path | None:
    """The folder with the secret files. Raises BadSetting if the folder or the setting of a file does not exist;
    otherwise a setting would silently keep its default."""
    named = os.environ.get(SECRETS_FOLDER)
    if not named:
        return None
    folder, prefix = Path(named), "sayso_"
    try:
        files = sorted(path.name.lower() for path in folder.iterdir())
    except OSError as problem:
        raise BadSetting(SECRETS_FOLDER, f"{named} cannot be read ({problem.strerror}): name a folder") from None
    for name in files:
        if name.startswith(prefix) and name.removeprefix(prefix) not in Settings.model_fields:
            raise BadSetting(
                SECRETS_FOLDER, f"no setting matches {folder / name}: name the file like its variable, in lower case"
            )
    return folder


def is_loopback(host: str) -> bool:
    """Whether an address is a loopback address, which other machines cannot reach."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_listening(settings: Settings, host: str) -> None:
    """Raises BadSetting if other machines could reach a server that accepts any name."""
    if settings.issuer == DEVELOPMENT_ISSUER and not is_loopback(host):
        raise BadSetting(
            "SAYSO_ENV",
            f"in development anyone can sign in under any name, and other machines can reach {host}: listen on "
            "127.0.0.1, or set SAYSO_OIDC_ISSUER to your identity provider",
        )


def _check_endpoint(url: str, in_development: bool) -> None:
    """Raise BadSetting if this cannot be a model's address. The message never repeats a password."""
    name = "SAYSO_MODEL_BASE_URL"
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise BadSetting(name, "cannot be read: write https://HOST/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise BadSetting(name, "has more than an address: write https://HOST/v1, and the key in SAYSO_MODEL_API_KEY")
    if parts.scheme == "http" and not in_development and not is_loopback(parts.hostname or ""):
        raise BadSetting(name, "is not encrypted, and users' messages would be sent there: write https://…")


def database_url(settings: Settings) -> str:
    """The address of the database, or BadSetting."""
    url = settings.database_url
    if url is None:
        raise BadSetting("SAYSO_DATABASE_URL", "is not set: name the database, postgresql://USER@HOST/DATABASE")
    from psycopg import ProgrammingError  # noqa: PLC0415  some processes need settings and no database
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415

    try:
        conninfo_to_dict(url)
    except ProgrammingError:  # its message would repeat the password
        raise BadSetting(
            "SAYSO_DATABASE_URL",
            "cannot be read: write postgresql://USER:PASSWORD@HOST/DATABASE, and special characters as %XX",
        ) from None
    return url
