"""Every route of the chat service, from its own description (`/openapi.json`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import SecretStr

from docsite.reference.markdown import code, codes, page, sentence, table
from sayso.chat.app import make_app
from sayso.chat.guards.problems import DEFAULT_LANGUAGE, STATUS, texts, type_of
from sayso.settings import Settings
from sayso.tasks.service import TOOLS

ABOUT = """The routes of [the chat service](../http.md). [openapi.json](openapi.json) describes each parameter, body and
error in full; the service returns the same at `/openapi.json`. Every route needs a bearer token or a session of the
page, unless the table says "no token"."""
PROBLEM = "application/problem+json"


class Route(NamedTuple):
    """A method of a path, and what is described of it."""

    method: str
    path: str
    described: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


def description() -> dict[str, Any]:
    """The service's own, with a broker, so that all is there; nothing depends on the environment here."""
    settings = Settings.model_construct(env="development", state_keys=("0" * 32,), mqtt_url=SecretStr("mqtt://broker"))
    return make_app(_nothing_is_opened, settings, tools=TOOLS).openapi()


def all_routes(described: Mapping[str, Any]) -> Iterator[Route]:
    """Every route, with the responses that it refers to."""
    shared = {f"#/components/responses/{name}": one for name, one in described["components"]["responses"].items()}
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            responses = {status: shared.get(one.get("$ref"), one) for status, one in route["responses"].items()}
            yield Route(method.upper(), path, {**route, "responses": responses})


def openapi() -> str:
    """The description as a file, with a line for each operation and shape."""
    return _lines(description(), 3) + "\n"


def _lines(value: Any, depth: int) -> str:
    """A value as JSON, in which the entries of objects down to this depth begin a line."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "{\n" + ",\n".join(f"{json.dumps(key)}:{_lines(each, depth - 1)}" for key, each in value.items()) + "\n}"


def markdown() -> str:
    described = description()
    routes = list(all_routes(described))
    parts = []
    for tag in described["tags"]:
        rows = (_row(route, routes) for route in routes if route.described["tags"][0] == tag["name"])
        parts += [f"## Routes: {tag['name']}", table(("route", "does", "request", "response", "errors"), rows)]
    every, sent = _listed(common(routes, body=False)), _listed(common(routes, body=True))
    parts += [
        "## Errors",
        f"""An error is a body of `application/problem+json`; its `detail` says what to do. Every route
with a token can return {every}. A route with a request body can also return {sent}.""",
    ]
    return page("HTTP", ABOUT, *parts, _problems())


def common(routes: list[Route], *, body: bool) -> dict[str, list[str]]:
    """The errors of every route with a token, or the further ones of every route with a request body."""
    each = [errors(route) for route in routes if _in_group(route, body)]
    shared = {status: kinds for status, kinds in each[0].items() if all(one.get(status) == kinds for one in each)}
    return {status: kinds for status, kinds in shared.items() if not body or status not in common(routes, body=False)}


def expected(route: Route, routes: list[Route]) -> dict[str, list[str]]:
    """The errors of a route that need no mention in its row."""
    groups = [body for body in (False, True) if _in_group(route, body)]
    return {status: kinds for body in groups for status, kinds in common(routes, body=body).items()}


def _in_group(route: Route, body: bool) -> bool:
    return bool(route.described.get("security")) and (not body or "requestBody" in route.described)


def _listed(found: Mapping[str, list[str]]) -> str:
    return ", ".join(f"{status} {codes(kinds)}" for status, kinds in found.items())


def errors(route: Route) -> dict[str, list[str]]:
    """The kinds of problem of a route, by status."""
    return {
        status: list(told["content"][PROBLEM]["examples"])
        for status, told in sorted(route.described["responses"].items())
        if PROBLEM in told.get("content", {})
    }


def _row(route: Route, routes: list[Route]) -> tuple[str, ...]:
    told, known = route.described, expected(route, routes)
    takes = [code(one["name"]) for one in told.get("parameters", ()) if one["in"] != "path"]
    takes += _shapes(told.get("requestBody", {}))
    if not told.get("security"):
        takes.append("no token")
    gives = [
        " ".join([status, *dict.fromkeys(_shapes(one))])
        for status, one in sorted(told["responses"].items())
        if PROBLEM not in one.get("content", {})
    ]
    failures = _listed({status: kinds for status, kinds in errors(route).items() if known.get(status) != kinds})
    return code(route.name), sentence(told["summary"]), ", ".join(takes), ", ".join(gives), failures or "–"


def _shapes(told: Mapping[str, Any]) -> list[str]:
    """The names of the bodies that are described."""
    bodies = (body.get("schema", {}) for body in told.get("content", {}).values())
    either = (one for body in bodies for one in body.get("anyOf", [body]))
    return [code(one["$ref"].rpartition("/")[2]) for one in either if "$ref" in one]


def _problems() -> str:
    rows = []
    for kind, status in STATUS.items():
        text = texts(DEFAULT_LANGUAGE)[kind]
        rows.append((code(type_of(kind)), str(int(status)), sentence(text.title)))
    return table(("`type`", "status", "title"), rows)


def _nothing_is_opened(_metrics: object) -> Any:
    raise NotImplementedError("the service is described, not run")
