"""Settings of what needs services: `SAYSO_…` variables, read where a program starts. docs/tasks.md has the table."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationError, field_validator
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
    oidc_issuer: str | None = None
    oidc_audience: str | None = None
    oidc_jwks_url: str | None = None
    stdio_user: str | None = None
    public_url: str | None = None
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    timezone: str = "UTC"
    state_keys: Annotated[tuple[str, ...], NoDecode] = ()

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
    return settings


def database_url(settings: Settings) -> str:
    """Where the database is, or BadSetting."""
    if settings.database_url is None:
        raise BadSetting("SAYSO_DATABASE_URL", "is not set: name the database, postgresql://USER@HOST/DATABASE")
    return settings.database_url
