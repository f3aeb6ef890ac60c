"""Parts of the API description that several routes share: errors with their texts and headers."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from sayso.chat.guards.problems import DEFAULT_LANGUAGE, MEDIA_TYPE, STATUS, Kind, texts, type_of
from sayso.chat.routes import shapes

Responses = dict[int | str, dict[str, Any]]

_RETRY: dict[str, Any] = {
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
}
_HEADERS: dict[Kind, dict[str, Any]] = {
    "unauthorised": {"WWW-Authenticate": {"description": "How to sign in.", "schema": {"type": "string"}}},
    "method_not_allowed": {"Allow": {"description": "The methods it takes.", "schema": {"type": "string"}}},
    "turn_in_progress": _RETRY,
    "rate_limited": _RETRY,
    "unavailable": _RETRY,
}
_FAULT = {"where": "body", "pointer": "/content", "detail": "String should have at least 1 character"}
_PROBLEM = {"$ref": "#/components/schemas/Problem"}
EVERYWHERE: tuple[Kind, ...] = ("unauthorised", "rate_limited", "failed", "unavailable")
OF_A_BODY: tuple[Kind, ...] = ("malformed", "too_large", "unsupported_media_type", "invalid")


def problems(*kinds: Kind) -> Responses:
    """The error responses of a route that needs a token."""
    return shown_problems(*kinds, *EVERYWHERE)


def problems_of_change(*kinds: Kind) -> Responses:
    """The error responses of a route that changes something. With a session, the request must come from the page."""
    return problems(*kinds, "forbidden")


def shown_problems(*kinds: Kind) -> Responses:
    """Error responses, one for each status, with an example of every kind."""
    described: Responses = {}
    for kind in kinds:
        text = texts(DEFAULT_LANGUAGE)[kind]
        status = int(STATUS[kind])
        example: dict[str, Any] = {"type": type_of(kind), "title": text.title, "status": status, "detail": text.detail}
        if kind == "invalid":
            example["errors"] = [_FAULT]
        response = described.setdefault(
            status, {"content": {MEDIA_TYPE: {"schema": _PROBLEM, "examples": {}}}, "headers": {}}
        )
        response["description"] = " / ".join(filter(None, (response.get("description"), text.title)))
        response["content"][MEDIA_TYPE]["examples"][kind] = {"summary": text.title, "value": example}
        response["headers"] |= _HEADERS.get(kind, {})
    return described


class DescribedApp(FastAPI):
    """An app whose OpenAPI description includes the schema of problems."""

    def openapi(self) -> dict[str, Any]:
        described: dict[str, Any] = super().openapi()
        schemas = described["components"]["schemas"]
        if "Problem" not in schemas:
            problem = shapes.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
            schemas |= problem.pop("$defs") | {"Problem": problem}
            described["components"]["responses"] = _shared_problems(described["paths"])
        return described


def _shared_problems(paths: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Replace the error responses of the routes by references, and return the responses by name."""
    shared: dict[str, Any] = {}
    for operation in (operation for methods in paths.values() for operation in methods.values()):
        for status, response in operation["responses"].items():
            examples = response.get("content", {}).get(MEDIA_TYPE, {}).get("examples")
            if examples:
                name = "-or-".join(examples)
                if shared.setdefault(name, response) == response:
                    operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}
    return shared
