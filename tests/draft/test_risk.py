"""Tools of a trusted server without annotations: which of them read, by their names."""

from __future__ import annotations

import json

import pytest

from sayso.packs.bare import bare_pack
from sayso.packs.draft.catalogue import read_catalogue


def listed(name, *, description="", params=(), **hints):
    schema = {"type": "object", "properties": {param: {"type": "string"} for param in params}}
    tool = {"name": name, "description": description, "inputSchema": schema, "annotations": hints}
    return read_catalogue(json.dumps({"tools": [tool]}), "server")


def tool_of(found, *, trusted=True, risks=None):
    return bare_pack("server", found, risks or {}, trusted=trusted).pack.tools[found[0].name]


@pytest.mark.parametrize("name", ["get_entity", "list_tables", "search_entities_tool", "db_info", "system_overview"])
def test_a_name_that_only_reads_is_a_read_on_a_trusted_server(name):
    assert tool_of(listed(name)).risk == "read"
    assert tool_of(listed(name), trusted=False).risk == "destructive"
    assert tool_of(listed(name), risks={name: "write"}).risk == "write"


@pytest.mark.parametrize(
    "found",
    [
        listed("get_or_create_label"),
        listed("usergroups_me"),
        listed("entity_action"),
        listed("get_entity", readOnlyHint=False),
        listed("get_entity", destructiveHint=True),
        listed("get_page", params=["url"]),
        listed("query", params=["sql"]),
        listed("fetch_queue", description="Deletes the messages and returns them."),
        listed("open_door"),
    ],
    ids=lambda found: found[0].name,
)
def test_everything_else_stays_destructive(found):
    assert tool_of(found).risk == "destructive"


def test_a_trusted_annotation_counts_beside_a_verb_that_may_read():
    hints = {"readOnlyHint": True, "destructiveHint": False}
    assert tool_of(listed("open_nodes", **hints)).risk == "read"
    assert tool_of(listed("open_nodes", **hints), trusted=False).risk == "destructive"


def test_a_statement_is_looked_at_only_if_the_server_is_trusted_and_nobody_says_what_the_tool_costs():
    found = listed("execute_sql", params=["sql"])
    assert tool_of(found).statement == "sql"
    assert tool_of(found).risk_of({"sql": "select 1"}) == "read"
    assert tool_of(found).risk_of({"sql": "delete from t"}) == "destructive"
    assert tool_of(found, trusted=False).risk_of({"sql": "select 1"}) == "destructive"
    assert tool_of(found, risks={"execute_sql": "destructive"}).risk_of({"sql": "select 1"}) == "destructive"
    assert not tool_of(listed("delete_where", params=["sql"])).statement
