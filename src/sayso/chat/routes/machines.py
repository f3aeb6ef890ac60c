"""The machines under /v1/machines. The routes exist only if a broker is configured."""

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
    bool | float | str | None, Field(description="A number, a text or a boolean; null if unknown.")
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
    unit: Annotated[str | None, Field(description="The unit, if known.", examples=["°C"])]
    value: Value
    at: Annotated[datetime | None, Field(description="When it was measured; null if never.")]
    history: Annotated[list[Point], Field(description="The last readings, oldest first. They are stored for one hour.")]


class LastCommand(BaseModel):
    """The last command that was sent to a machine."""

    command: Annotated[str, Field(description="The name of the command.")]
    value: Annotated[float | None, Field(description="Its value, if it takes one.")]
    unit: Annotated[str | None, Field(description="The unit of the value.")]
    at: Annotated[datetime, Field(description="When.")]
    outcome: Annotated[Outcome, Field(description="Its result; `unknown` if it is not known whether it ran.")]


class Machine(BaseModel):
    """A machine."""

    id: Annotated[str, Field(description="The id, as the device tools take it.")]
    name: Annotated[str, Field(description="The name.")]
    description: Annotated[str, Field(description="The owner's description.")]
    location: Annotated[str, Field(description="The location, if known.")]
    connected: Annotated[bool | None, Field(description="Whether it is connected; null if unknown.")]
    last_seen: Annotated[datetime | None, Field(description="When it last sent a message.")]
    metrics: Annotated[list[Metric], Field(description="What it measures.")]
    told: Annotated[LastCommand | None, Field(description="The last command, if any.")]


class Machines(BaseModel):
    """The user's machines, by name."""

    machines: Annotated[list[Machine], Field(description="As many as were asked for.")]
    more: Annotated[int, Field(description="How many more machines there are.")]


@router.get(
    "/machines",
    response_model=Machines,
    responses={200: {"description": "The machines."}, **problems("invalid")},
    summary="List the user's machines",
)
async def list_machines(request: Request, who: Who, wanted: Annotated[MachineQuery, Query()]) -> Response:
    """The user's machines with location, connection, latest readings and last command. Available only if `machines` of
    the session is true."""
    return written(await service_of(request).machines(who, wanted.limit, wanted.points))
