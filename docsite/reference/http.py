"""Every route of the chat service, from its own description (`/openapi.json`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import SecretStr

from docsite.reference import decisions
from docsite.reference.markdown import code, codes, link, page, sentence, table
from docsite.reference.shapes import Schema, fields, takes
from sayso.chat.app import make_app
from sayso.chat.guards.problems import DEFAULT_LANGUAGE, STATUS, texts, type_of
from sayso.settings import Settings
from sayso.tasks.service import TOOLS

ABOUT = """What the chat service (`sayso serve`) takes and gives. The service itself gives the same as OpenAPI at
`/openapi.json`. To begin, see [the chat service](../http.md)."""
PROBLEM = "application/problem+json"
# The same as on the page of decisions, where they are explained.
DECISION = frozenset(decisions.all_shapes())


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
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            yield Route(method.upper(), path, route)


def markdown() -> str:
    described = description()
    routes = list(all_routes(described))
    shapes = {name: shape for name, shape in described["components"]["schemas"].items() if name not in DECISION}
    parts = [described["info"]["description"], "## Routes", _summary(routes)]
    for tag in described["tags"]:
        parts += [f"## Routes: {tag['name']}", sentence(tag["description"])]
        parts += [_section(route) for route in routes if route.described["tags"][0] == tag["name"]]
    parts += ["## Errors", "A body of `application/problem+json`; `type` names the kind.", _problems()]
    parts += ["## Bodies", *(f"### {name}\n\n{_about(shape)}\n\n{_fields(shape)}" for name, shape in shapes.items())]
    return page("HTTP", ABOUT, *parts)


def _summary(routes: list[Route]) -> str:
    return table(
        ("route", "does"), ((link(one.name, code(one.name)), sentence(one.described["summary"])) for one in routes)
    )


def _section(route: Route) -> str:
    told = route.described
    parts = [f"### {route.name}", told["description"]]
    given = told.get("parameters", ())
    if given:
        heads = ("parameter", "in", "takes", "default", "meaning")
        parts.append(table(heads, map(_parameter, given)))
    if "requestBody" in told:
        bodies = [f"{_takes(body['schema'])} as {code(kind)}" for kind, body in told["requestBody"]["content"].items()]
        needed = "" if told["requestBody"].get("required") else ", or none"
        parts.append(f"Body: {' or '.join(bodies)}{needed}.")
    if not told.get("security"):
        parts.append("No token is needed.")
    answers = sorted(told["responses"].items())
    parts.append(
        table(("answer", "body", "when"), (_response(*one) for one in answers if PROBLEM not in _bodies(one[1])))
    )
    problems = [
        f"{status} {codes(_bodies(one)[PROBLEM]['examples'])}" for status, one in answers if PROBLEM in _bodies(one)
    ]
    if problems:
        parts.append(f"Errors ({link('Problem')}): {'; '.join(problems)}.")
    return "\n\n".join(parts)


def _parameter(one: Mapping[str, Any]) -> tuple[str, ...]:
    schema = one["schema"]
    preset = "**needed**" if one.get("required") else code(schema["default"]) if schema.get("default") else "none"
    return code(one["name"]), one["in"], _takes(schema), preset, sentence(one.get("description", ""))


def _bodies(told: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = told.get("content", {})
    return found


def _response(status: str, told: Mapping[str, Any]) -> tuple[str, ...]:
    shown = [f"{_takes(body.get('schema', {}))} ({code(kind)})" for kind, body in _bodies(told).items()]
    headers = f" With {codes(told['headers'])}." if told.get("headers") else ""
    return status, " or ".join(shown) or "none", sentence(told["description"]) + headers


def _problems() -> str:
    rows = []
    for kind, status in STATUS.items():
        text = texts(DEFAULT_LANGUAGE)[kind]
        rows.append((code(type_of(kind)), str(int(status)), sentence(text.title), sentence(text.detail)))
    return table(("`type`", "status", "title", "what to do"), rows)


def _about(shape: Schema) -> str:
    return sentence(shape.get("description", ""))


def _fields(shape: Schema) -> str:
    return fields(shape, _linked)


def _takes(schema: Schema) -> str:
    return takes(schema, _linked)


def _linked(name: str) -> str:
    return link(name, page="decisions.md" if name in DECISION else "")


def _nothing_is_opened(_metrics: object) -> Any:
    raise NotImplementedError("the service is described, not run")
