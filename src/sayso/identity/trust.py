"""The token issuers that the settings of this process trust."""

from __future__ import annotations

from sayso.errors import BadSetting
from sayso.identity.development import DEFAULT_AUDIENCE, DevelopmentKeys
from sayso.identity.tokens import PublishedKeys, Tokens
from sayso.settings import DEVELOPMENT_ISSUER, Settings


def trusted_tokens(settings: Settings) -> Tokens:
    """A verifier for tokens of the issuer in the settings, or BadSetting with the missing variable."""
    issuer = settings.issuer
    if issuer is None:
        raise BadSetting("SAYSO_OIDC_ISSUER", "is not set: name your identity provider, or set SAYSO_ENV=development")
    if issuer == DEVELOPMENT_ISSUER:
        keys = DevelopmentKeys(settings)
        return Tokens(issuer=issuer, audience=settings.oidc_audience or DEFAULT_AUDIENCE, keys=keys)
    if settings.oidc_audience is None:
        raise BadSetting(
            "SAYSO_OIDC_AUDIENCE",
            "is not set, so tokens for other services would be accepted: set it to the audience of your tokens",
        )
    if settings.oidc_jwks_url is None:
        raise BadSetting("SAYSO_OIDC_JWKS_URL", "is not set: name the address of your identity provider's keys (JWKS)")
    if not settings.oidc_jwks_url.startswith("https://") and not settings.in_development:
        raise BadSetting(
            "SAYSO_OIDC_JWKS_URL",
            "must begin with https://, because keys that are not encrypted can be replaced on the way",
        )
    return Tokens(issuer=issuer, audience=settings.oidc_audience, keys=_keys(settings, settings.oidc_jwks_url))


def id_tokens(settings: Settings) -> Tokens:
    """A verifier for the ID tokens that the issuer creates for Sayso as its client."""
    if settings.issuer is None or settings.oidc_client_id is None or settings.oidc_jwks_url is None:
        raise BadSetting("SAYSO_OIDC_CLIENT_ID", "needs SAYSO_OIDC_ISSUER and SAYSO_OIDC_JWKS_URL beside it")
    keys = _keys(settings, settings.oidc_jwks_url)
    return Tokens(issuer=settings.issuer, audience=settings.oidc_client_id, keys=keys)


def _keys(settings: Settings, url: str) -> PublishedKeys:
    return PublishedKeys(url, stale=settings.oidc_jwks_hours * 3600)
