"""The description of the API is true: every answer follows it, and every part of it is explained."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest

from sayso import case, decision
from sayso.assistant import values
from sayso.chat.routes import contract, shapes, task_shapes
from sayso.ledger.chain import Verified
from sayso.ledger.values import History, Spoken, StoredTurn, Thinking
from sayso.tasks.values import Task

pytestmark = pytest.mark.anyio

PAIRS = [
    (contract.Evidence, decision.Evidence), (contract.Option, decision.Option), (contract.FollowUp, decision.FollowUp),
    (contract.Call, decision.Call), (contract.Confirm, decision.Confirm), (contract.Clarify, decision.Clarify),
    (contract.Nothing, decision.Nothing), (contract.Answer, decision.Answer), (contract.Case, case.Case),
    (contract.Turn, case.Turn), (contract.Preference, case.Preference), (contract.Proposal, case.Proposal),
    (shapes.Reply, values.Reply), (shapes.Card, values.Card), (shapes.CallResult, values.Deed),
    (task_shapes.Task, Task), (shapes.History, History), (shapes.PendingMessage, Thinking),
    (shapes.ConversationSummary, Spoken), (shapes.MessageResult, StoredTurn), (shapes.Verification, Verified),
]  # fmt: skip


@pytest.fixture
async def described(client):
    answer = await client.get("/openapi.json", headers={"Authorization": ""})
    assert answer.status_code == 200
    found = answer.json()
    shared = {f"#/components/responses/{name}": one for name, one in found["components"]["responses"].items()}
    for operation in (operation for methods in found["paths"].values() for operation in methods.values()):
        responses = operation["responses"]
        operation["responses"] = {status: shared.get(one.get("$ref"), one) for status, one in responses.items()}
    return found


@pytest.mark.parametrize(("shape", "value"), PAIRS, ids=lambda each: each.__name__)
def test_the_shapes_have_the_fields_of_the_values(shape, value):
    tag = {"kind"} if value.__struct_config__.tag else set()
    assert set(shape.model_fields) == set(value.__struct_fields__) | tag
    fields = msgspec.structs.fields(value)
    needed = {field.name for field in fields if field.required} | tag
    described = {name for name, field in shape.model_fields.items() if field.is_required()}
    if shape is contract.Case:
        needed -= {"now"}
    assert described >= needed


async def test_every_operation_is_explained_with_every_error(described):
    for path, methods in described["paths"].items():
        for operation in methods.values():
            assert operation["summary"]
            assert operation["description"]
            assert operation["tags"]
            responses = operation["responses"]
            for status, response in responses.items():
                assert response["description"], (path, status)
                if status >= "400":
                    assert list(response["content"]) == ["application/problem+json"], (path, status)
            if path.startswith("/v1/") and path != "/v1/session":
                assert {"401", "429", "500", "503"} <= set(responses)
                assert operation["security"] == [{"HTTPBearer": []}]
            if "requestBody" in operation:
                assert {"400", "413", "415", "422"} <= set(responses)


async def test_every_field_and_shape_of_what_is_taken_has_a_title_and_examples_hold(described):
    schemas = described["components"]["schemas"]
    for name, schema in schemas.items():
        assert schema["description"], name
        for example in schema.get("examples", []):
            whole = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
            jsonschema.validate(example, whole, cls=jsonschema.Draft202012Validator)


async def test_the_bounds_that_hold_are_the_bounds_that_are_described(described):
    schemas = described["components"]["schemas"]
    times = schemas["Preference"]["properties"]["times"]
    assert (times["minimum"], times["maximum"]) == (0, 1_000_000)
    case = schemas["Case"]["properties"]
    assert case["entities"]["maxItems"] == 5_000
    assert case["message"]["maxLength"] == 10_000
    assert case["pack"]["enum"] == ["devices", "tasks"]
    assert schemas["NewMessage"]["additionalProperties"] is False


async def test_what_comes_out_follows_the_description(client, described):
    conversation = (await client.post("/v1/conversations")).json()["id"]
    messages = f"/v1/conversations/{conversation}/messages"
    said = [
        "add buy milk tomorrow", "aggiungi comprare il pane", "show my tasks", "delete it", "delete milk", "ciao",
        "what's the weather?", "mark milk as done and add call Bob", "update the milk task", "annulla",
    ]  # fmt: skip
    seen = []
    for number, words in enumerate(said):
        body = {"client_message_id": str(number), "content": words}
        seen.append((await client.post(messages, json=body), messages, "post"))
    card = next(reply[0].json()["confirmation"] for reply in seen if reply[0].json()["confirmation"])
    answer = {"answer": "yes", "digest": card["digest"]}
    seen.append((await client.post(f"/v1/confirmations/{card['id']}", json=answer), "/v1/confirmations/x", "post"))
    seen.append((await client.post("/v1/undo"), "/v1/undo", "post"))
    paths = (messages, "/v1/tasks", "/v1/tasks?limit=1", "/v1/trail", "/v1/trail/verify", "/v1/tasks?limit=0")
    seen += [(await client.get(path), path, "get") for path in paths]
    kinds = {decision["kind"] for each, *_ in seen for decision in each.json().get("decisions", ())}
    assert kinds == {"call", "confirm", "clarify", "none"}
    for each, path, method in seen:
        template = path.partition("?")[0].replace(conversation, "{conversation}").replace("/x", "/{confirmation}")
        response = described["paths"][template][method]["responses"][str(each.status_code)]
        schema = response["content"][each.headers["content-type"]]["schema"] | {"components": described["components"]}
        jsonschema.validate(json.loads(each.text), schema, cls=jsonschema.Draft202012Validator)
