"""The machines under /v1/machines; only where a broker is configured."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from sayso.chat.inside import Who, service_of, written
from sayso.chat.routes.described import problems
from sayso.devices.values import Outcome

router = APIRouter(prefix="/v1", tags=["machines"])

Value: TypeAlias = Annotated[
    bool | float | str | None, Field(description="A number, a text, or whether it is so; null: not known.")
]


class MachineQuery(BaseModel):
    """How much is wanted."""

    model_config = ConfigDict(extra="forbid")

    limit: Annotated[int, Field(ge=1, le=100, description="How many machines.")] = 50
    points: Annotated[int, Field(ge=0, le=100, description="How many of the last readings of each metric.")] = 30


class Point(BaseModel):
    """What was measured at a time."""

    at: Annotated[datetime, Field(description="When.")]
    value: Value


class Metric(BaseModel):
    """A metric with its latest value, and its last readings."""

    name: Annotated[str, Field(description="What is measured, as the machine calls it.", examples=["temperature"])]
    unit: Annotated[str | None, Field(description="In what, if that is known.", examples=["°C"])]
    value: Value
    at: Annotated[datetime | None, Field(description="When it was measured; null: never.")]
    history: Annotated[list[Point], Field(description="Oldest first; kept for an hour.")]


class Told(BaseModel):
    """What a machine was told last."""

    command: Annotated[str, Field(description="What the command is called.")]
    value: Annotated[float | None, Field(description="With what value, where it takes one.")]
    unit: Annotated[str | None, Field(description="The unit of the value.")]
    at: Annotated[datetime, Field(description="When.")]
    outcome: Annotated[Outcome, Field(description="What came of it; `unknown`: nobody can say.")]


class Machine(BaseModel):
    """A machine."""

    id: Annotated[str, Field(description="As the tools of the devices take it.")]
    name: Annotated[str, Field(description="What it is called.")]
    description: Annotated[str, Field(description="What its owner says of it.")]
    location: Annotated[str, Field(description="Where it stands, if that is known.")]
    connected: Annotated[bool | None, Field(description="Null: it was never heard of, or does not say.")]
    last_seen: Annotated[datetime | None, Field(description="When it was last heard of.")]
    metrics: Annotated[list[Metric], Field(description="What it measures.")]
    told: Annotated[Told | None, Field(description="What it was told last, if anything.")]


class Machines(BaseModel):
    """The person's machines, by name."""

    machines: Annotated[list[Machine], Field(description="As many as were asked for.")]
    more: Annotated[int, Field(description="How many there are beside these.")]


@router.get(
    "/machines",
    response_model=Machines,
    responses={200: {"description": "The machines."}, **problems("invalid")},
    summary="List the person's machines",
)
async def list_machines(request: Request, who: Who, wanted: Annotated[MachineQuery, Query()]) -> Response:
    """Each with where it stands, whether it is connected, what it measured last and what it was told last. There only
    where the service reaches machines (`machines` of the session)."""
    return written(await service_of(request).machines(who, wanted.limit, wanted.points))
