"""Rules against a plain evaluator: over 2,000 made-up files and calls, the gateway decides what the rules say.

The evaluator below knows nothing of CEL: it computes each condition in Python with a third value for "no answer", and
each effect from the conditions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.gateway.config import ServerSettings, ToolSettings, read_config
from sayso.gateway.library.guard import make_judge
from sayso.gateway.rules.rulebook import Call, make_rulebook
from sayso.gateway.values import Ask, Forward, Refuse, Wanted, Words

NO_ANSWER = object()
RISKS = {"look": "read", "send": "write", "wipe": "destructive"}
NAMES = ("path", "to", "amount", "tags")
PATHS = (
    "/srv/notes",
    "/srv/notes/a",
    "/srv/notes2",
    "/SRV/notes/a",
    "/srv/notes/../x",
    "a",
    "",
    "/etc/passwd",
    "\u202e",
)
NUMBERS = (-1, 0, 1, 49.5, 50, 51, 2**53, float("1e300"))
VALUES = st.one_of(
    st.sampled_from(PATHS),
    st.sampled_from(("ada@example.org", "ada@example.org.evil", "@example.org")),
    st.sampled_from(NUMBERS),
    st.booleans(),
    st.none(),
    st.lists(st.sampled_from(PATHS), max_size=2),
    st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NUMBERS), max_size=1),
    st.text(max_size=5),
)
ARGUMENTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4)
NAMED = st.sampled_from(NAMES)
CONDITIONS = st.recursive(
    st.one_of(
        st.tuples(st.just("equal"), NAMED, st.sampled_from(("/srv/notes/a", 50, 0, True, None))),
        st.tuples(st.just("most"), NAMED, st.sampled_from((0, 50, 49.5))),
        st.tuples(st.just("starts"), NAMED, st.sampled_from(("/srv", "", "ada"))),
        st.tuples(st.just("ends"), NAMED, st.sampled_from(("@example.org", ""))),
        st.tuples(st.just("among"), NAMED, st.just(("/srv/notes", "a"))),
        st.tuples(st.just("under"), NAMED, st.sampled_from(("/srv/notes", "/", "/etc"))),
        st.tuples(st.just("has"), NAMED),
        st.tuples(st.just("risk"), st.sampled_from(tuple(RISKS.values()))),
        st.tuples(st.just("tool"), st.sampled_from(tuple(RISKS))),
        st.tuples(st.just("user"), st.sampled_from(("ada", "bob"))),
        st.tuples(st.just("every"), NAMED, st.just("/srv/notes")),
    ),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.just("and"), inner, inner),
        st.tuples(st.just("or"), inner, inner),
    ),
    max_leaves=4,
)
RULES = st.lists(st.tuples(st.sampled_from(("allow", "allow", "ask", "deny")), CONDITIONS), max_size=2)
FILES = st.tuples(RULES, RULES, RULES)  # for all servers, for this one, for the tool
CALLS = st.tuples(st.sampled_from(tuple(RISKS)), st.sampled_from(("ada", "bob")), ARGUMENTS, st.booleans())


def written(condition) -> str:
    """A condition in CEL."""
    kind, *rest = condition
    match kind:
        case "not":
            return f"!({written(rest[0])})"
        case "and" | "or":
            return f"({written(rest[0])}) {'&&' if kind == 'and' else '||'} ({written(rest[1])})"
        case "has":
            return f"has(args.{rest[0]})"
        case "risk" | "tool" | "user":
            return f"{kind} == {json.dumps(rest[0])}"
        case "under":
            return f"under(args.{rest[0]}, {json.dumps(rest[1])})"
        case "every":
            return f"args.{rest[0]}.all(each, each == {json.dumps(rest[1])})"
    value = json.dumps(rest[1])
    forms = {"equal": f" == {value}", "most": f" <= {value}", "among": f" in {value}"}
    forms |= {"starts": f".startsWith({value})", "ends": f".endsWith({value})"}
    return f"args.{rest[0]}{forms[kind]}"


def is_number(value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(left, right) -> bool:
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def held(condition, call) -> Any:
    """A condition in plain Python: true, false, or no answer."""
    kind, *rest = condition
    if kind == "not":
        inner = held(rest[0], call)
        return inner if inner is NO_ANSWER else not inner
    if kind in ("and", "or"):
        ends = kind == "or"
        parts = [held(part, call) for part in rest]
        if any(part is ends for part in parts):
            return ends
        return NO_ANSWER if NO_ANSWER in parts else not ends
    if kind in ("risk", "tool", "user"):
        return call[kind] == rest[0]
    if kind == "has":
        return rest[0] in call["args"]
    return of_argument(kind, call["args"][rest[0]], rest[1]) if rest[0] in call["args"] else NO_ANSWER


def of_argument(kind, value, other) -> Any:
    if kind == "equal":
        return same(value, other)
    if kind == "among":
        return any(same(value, each) for each in other)
    if kind == "most":
        return value <= other if is_number(value) else NO_ANSWER
    if kind == "every":
        return all(each == other for each in value) if isinstance(value, list | dict) else NO_ANSWER
    if not isinstance(value, str):
        return NO_ANSWER
    return lies_under(value, other) if kind == "under" else getattr(value, f"{kind}with")(other)


def lies_under(path, folder) -> Any:
    parts, outer = path.split("/"), [part for part in folder.split("/") if part]
    if (
        not path.startswith("/")
        or ".." in parts
        or "\\" in path
        or any(ord(each) < 32 or ord(each) == 127 for each in path)
    ):
        return NO_ANSWER
    inner = [part for part in parts if part not in ("", ".")][: len(outer)]
    if inner != outer and [part.lower() for part in inner] == outer:
        return NO_ANSWER
    return inner == outer


def expected(rules, call, *, forwarded: bool) -> str:
    """What becomes of a call that words alone would forward, or that would be asked about."""
    results = [(effect, held(condition, call)) for effect, condition in rules]
    if any(effect == "deny" and result is not False for effect, result in results):
        return "denied"
    if any(effect == "ask" and result is not False for effect, result in results):
        return "asked"
    if any(effect == "allow" and result is True for effect, result in results) and call["risk"] != "destructive":
        return "forwarded"
    return "forwarded" if forwarded else "asked"


def outcome(verdict) -> str:
    match verdict:
        case Forward():
            return "forwarded"
        case Ask():
            return "asked"
        case Refuse("denied"):
            return "denied"
    raise AssertionError(verdict)


@pytest.fixture(scope="module")
def judge():
    told = ServerSettings(tools={name: ToolSettings(risk=risk) for name, risk in RISKS.items()})
    schema = {"type": "object", "properties": {name: {} for name in NAMES}}
    return make_judge([{"name": name, "inputSchema": schema} for name in RISKS], told, name="one")


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("fuzzed") / "sayso.json"


COUNT = {"files": 0, "denied": 0, "asked": 0, "forwarded": 0}


@pytest.mark.slow
@settings(max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None)
@given(rules=FILES, called=CALLS)
def test_the_gateway_decides_what_the_rules_say(judge, file, rules, called):
    tool, user, arguments, forwarded = called
    everywhere, of_server, of_tool = (
        [{"effect": effect, "when": written(each)} for effect, each in part] for part in rules
    )
    server = {"command": "x", "sayso": {"rules": of_server, "tools": {tool: {"rules": of_tool}}}}
    file.write_text(json.dumps({"mcpServers": {"one": server}, "sayso": {"rules": everywhere}}))
    rulebook = make_rulebook(read_config(file), file)
    wanted = Wanted(server="one", tool=tool, arguments=arguments, words=Words())
    before = Forward(arguments) if forwarded else judge.confirm(wanted, arguments, "")
    call = {"args": arguments, "tool": tool, "user": user, "risk": RISKS[tool]}
    meant = expected([each for part in rules for each in part], call, forwarded=forwarded)
    ruled = rulebook.apply(judge, Call(user, wanted, ""), before)
    assert outcome(ruled.verdict) == meant
    if isinstance(ruled.verdict, Forward):
        assert ruled.verdict.arguments == arguments
    if meant == "denied":  # not even a person's yes lifts it
        assert outcome(rulebook.denies(judge, Call(user, wanted, ""), Forward(arguments)).verdict) == "denied"
    COUNT["files"] += 1
    COUNT[meant] += 1


def test_all_three_outcomes_were_met_often():
    assert COUNT["files"] >= 2_000
    assert min(COUNT.values()) >= 100
