"""Settings of what needs services: `SAYSO_…` variables, read where a program starts. docs/ has the tables."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated, Literal
from urllib.parse import SplitResult, urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from sayso.errors import BadSetting

# Nobody can own this name: `.invalid` is reserved and never resolves.
DEVELOPMENT_ISSUER = "https://development.sayso.invalid"


class Settings(BaseSettings):
    """One field a variable; what is unset is None or its default."""

    model_config = SettingsConfigDict(env_prefix="SAYSO_", frozen=True, extra="ignore", env_ignore_empty=True)

    env: Literal["development", "production"] = "production"
    database_url: str | None = None
    database_pool: Annotated[int, Field(ge=1, le=1000)] = 10
    database_prepare: bool = True
    jobs_database_url: str | None = None
    oidc_issuer: str | None = None
    oidc_audience: str | None = None
    oidc_jwks_url: str | None = None
    oidc_client_id: str | None = None
    oidc_client_secret: SecretStr | None = None
    session_hours: Annotated[float, Field(gt=0, le=720)] = 12
    stdio_user: str | None = None
    public_url: str | None = None
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    timezone: str = "UTC"
    state_keys: Annotated[tuple[str, ...], NoDecode] = ()
    model_base_url: str | None = None
    model: str | None = None
    model_api_key: SecretStr | None = None
    model_deadline: Annotated[float, Field(gt=0, le=120)] = 8
    redis_url: str | None = None
    mqtt_url: SecretStr | None = None
    mqtt_topics: str = "sayso/{owner}/{machine}"
    mqtt_discovery: str = "homeassistant"
    mqtt_patience: Annotated[float, Field(ge=1, le=300)] = 10
    rate_limit: str = "120/minute"
    metrics_open: bool = False
    otlp_url: str | None = None

    @field_validator("state_keys", "allowed_hosts", mode="before")
    @classmethod
    def _separate(cls, value: object) -> object:
        return tuple(part for part in value.replace(",", " ").split() if part) if isinstance(value, str) else value

    @field_validator("state_keys")
    @classmethod
    def _long_enough(cls, keys: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(key) < 32 for key in keys):
            raise ValueError("each key needs at least 32 characters; make one with `openssl rand -hex 32`")
        return keys

    @property
    def issuer(self) -> str | None:
        """Who issues the tokens that count; in development that is ourselves, unless another is named."""
        return self.oidc_issuer or (DEVELOPMENT_ISSUER if self.env == "development" else None)

    @property
    def in_development(self) -> bool:
        return self.env == "development"


def read_settings() -> Settings:
    """The settings of this process, or BadSetting with the variable's name and what to do."""
    try:
        settings = Settings()
    except ValidationError as problem:
        first = problem.errors()[0]
        name = f"SAYSO_{first['loc'][0]}".upper()
        raise BadSetting(name, first["msg"].removeprefix("Value error, ")) from None
    if settings.oidc_issuer == DEVELOPMENT_ISSUER and not settings.in_development:
        raise BadSetting(
            "SAYSO_OIDC_ISSUER",
            "the development issuer signs tokens for anybody, and production refuses it: name your identity provider",
        )
    if settings.model_base_url is not None:
        _check_endpoint(settings.model_base_url, settings.in_development)
    return settings


def _check_endpoint(url: str, in_development: bool) -> None:
    """Whether a model may be reached there, or BadSetting; a password in it is never repeated."""
    name = "SAYSO_MODEL_BASE_URL"
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise BadSetting(name, "cannot be read: write https://HOST/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise BadSetting(name, "holds more than an address: write https://HOST/v1, the key in SAYSO_MODEL_API_KEY")
    if parts.scheme == "http" and not in_development and not _is_loopback(parts):
        raise BadSetting(name, "is not encrypted, and people's words would be sent there: write https://…")


def _is_loopback(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def database_url(settings: Settings) -> str:
    """Where the database is, or BadSetting."""
    url = settings.database_url
    if url is None:
        raise BadSetting("SAYSO_DATABASE_URL", "is not set: name the database, postgresql://USER@HOST/DATABASE")
    from psycopg import ProgrammingError  # noqa: PLC0415  others have settings, too, and no database
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415

    try:
        conninfo_to_dict(url)
    except ProgrammingError:  # its own words would repeat the password
        raise BadSetting(
            "SAYSO_DATABASE_URL", "cannot be read: write postgresql://USER:PASSWORD@HOST/DATABASE, odd letters as %XX"
        ) from None
    return url
