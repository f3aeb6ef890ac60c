"""Ways to make a gateway forward a write by a grant that the user did not give, or that no longer counts."""

from __future__ import annotations

import secrets
from datetime import timedelta

import msgspec

from benchmarks.attacks.forged_worlds import DELETE, NOTE, World, yes
from sayso.gateway.grants.store import PURPOSE, sealed
from sayso.gateway.seals.key import Key


async def unsealed_grant(world: World) -> None:
    """A grant in plain JSON, or with a seal that is none."""
    grant, file = await world.grant()
    plain = msgspec.json.encode(grant)
    seals = (b"", b"\n", b"0" * 64 + b"\n", secrets.token_hex(32).encode() + b"\n")
    file.write_bytes(world.rng.choice(seals) + plain)
    await world.call(NOTE)


async def other_keys_grant(world: World) -> None:
    """A grant that is sealed with another key, or for another purpose."""
    grant, file = await world.grant()
    other = Key([secrets.token_bytes(32)])
    purpose = world.rng.choice(["page", "pins", "paired browser", f"{PURPOSE} "])
    file.write_bytes(world.rng.choice([sealed(other, grant), other.wrap(purpose, msgspec.json.encode(grant))]))
    await world.call(NOTE)


async def changed_grant(world: World) -> None:
    """A grant with one byte changed, or a part cut off."""
    _, file = await world.grant()
    content = bytearray(file.read_bytes())
    place = world.rng.randrange(len(content))
    if world.rng.random() < 0.8:
        content[place] ^= 1 << world.rng.randrange(8)
    else:
        del content[place:]
    file.write_bytes(content)
    await world.call(NOTE)


async def widened_grant(world: World) -> None:
    """A grant whose text is changed to cover more, under its old seal."""
    grant, file = await world.grant("value:name")
    seal = file.read_bytes().partition(b"\n")[0]
    wider = world.rng.choice(
        [{"same": {}}, {"scope": "hour"}, {"until": None}, {"tool": DELETE}, {"user": "bob"}, {"names": ("name", "x")}]
    )
    file.write_bytes(seal + b"\n" + msgspec.json.encode(msgspec.structs.replace(grant, **wider), order="sorted"))
    await world.call(world.note() | {"text": "x"})


async def revoked_grant(world: World) -> None:
    """A grant that was revoked, and put back."""
    grant, file = await world.grant()
    content = file.read_bytes()
    await world.revoke(grant)
    file.write_bytes(content)
    if world.rng.random() < 0.5:
        file.with_suffix(".revoked").unlink()
    await world.call(NOTE)


async def renamed_grant(world: World) -> None:
    """A grant under another id, so that it can be used after its own was revoked."""
    grant, file = await world.grant()
    content = file.read_bytes()
    await world.revoke(grant)
    file.with_name(f"{secrets.token_hex(6)}.grant").write_bytes(content)
    await world.call(NOTE)


async def other_users_grant(world: World) -> None:
    """A grant of another user."""
    await world.grant(user="bob")
    await world.call(NOTE)


async def other_tools_grant(world: World) -> None:
    """A grant for a write, and a call that destroys."""
    await world.grant(world.rng.choice(["task", "hour", "value:name"]))
    await world.call({"name": "note"}, DELETE)


async def other_values_grant(world: World) -> None:
    """A grant for one value, and a call with another, or with one argument more."""
    await world.grant("value:name")
    others = (
        {"name": "other"},
        {"name": ["note"]},
        {"name": "note "},
        {"name": "Note"},
        {"name": None},
        {"extra": "x"},
    )
    await world.call(NOTE | world.rng.choice(others))


async def other_folders_grant(world: World) -> None:
    """A grant for a folder, and a path that is not plainly in it."""
    await world.grant("folder", arguments={"name": "/srv/notes/a", "text": "x"})
    ways = ("/srv/notes/../a", "/srv/notesx/a", "/srv/notes", "/srv/notes/./a", "/srv/notes//a", "/srv/notes/.git/a")
    ways += ("srv/notes/a", "/srv/notes/a\n", "/srv/notes/a\u200b", "/SRV/notes/a", "~/a", "/srv/notes/..", "/etc/a")
    await world.call({"name": world.rng.choice(ways), "text": "x"})


async def late_grant(world: World) -> None:
    """A grant that has ended, or has not begun."""
    await world.grant(world.rng.choice(["task", "hour"]))
    world.late = timedelta(seconds=world.rng.choice([-60, 3601, 86_400]))
    await world.call(NOTE)


async def grant_of_a_changed_tool(world: World) -> None:
    """A grant for a tool whose definition has changed since: such a tool does not run at all."""
    await world.grant()
    world.upstream.description = "changed"
    world.forget_tools()
    await world.call(NOTE)
    world.upstream.description = ""
    world.forget_tools()


async def unoffered_scope(world: World) -> None:
    """An answer with a scope that the question did not offer: for a destructive call none is."""
    note = world.note()
    scopes = ("hour", "task", "folder", "value:name", "always", "*", "value:text", "")
    await world.answer(await world.ask(note), note, yes(world.rng.choice(scopes)))
    world.upstream.ran.pop()
    await world.call(note, DELETE)


GRANTS = (
    unsealed_grant,
    other_keys_grant,
    changed_grant,
    widened_grant,
    revoked_grant,
    renamed_grant,
    other_users_grant,
    other_tools_grant,
    other_values_grant,
    other_folders_grant,
    late_grant,
    grant_of_a_changed_tool,
    unoffered_scope,
)
