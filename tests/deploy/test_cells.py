"""Users move from one database to another, and each of them lives in one (docs/scale.md, "Cells")."""

from __future__ import annotations

import subprocess

import psycopg
import pytest
from living import assistant, holding, live, person, rows_of
from standing import SAYSO, plain_environment

from sayso.chat.guards.problems import CELL, problem_of
from sayso.chat.turns.service import ChatService
from sayso.database import moving
from sayso.database.migrate import migrate
from sayso.database.moving import move
from sayso.database.pool import Database, Elsewhere
from sayso.errors import NotReady
from sayso.ledger.trail import verify
from sayso.serving.epochs import Epochs

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def cells(make_database):
    """Two databases; the second one refuses users that it does not know."""
    urls = make_database(), make_database()
    for url in urls:
        migrate(url)
    with psycopg.connect(urls[1], autocommit=True) as on:
        name = on.info.dbname
        on.execute(f"ALTER DATABASE {name} SET sayso.home = 'a'")
    return urls


@pytest.fixture
async def settled(cells):
    """A person who lives in the first cell, with rows in every table, and nothing under way."""
    ada = person("ada")
    conversation = await live(cells[0], ada, "canary yellow")
    _end_jobs(cells[0], ada)
    return ada, conversation


def _end_jobs(url, who):
    with psycopg.connect(url) as on:
        on.execute("SET search_path = sayso_jobs")  # triggers find their tables by it
        on.execute("DELETE FROM sayso_jobs.procrastinate_jobs WHERE args ->> 'user_id' = %s", (who.id,))


async def _elsewhere(url, user_id):
    async with Database(url, connections=1) as database:
        try:
            async with database.transaction(user_id) as on:
                await on.rows(b"SELECT 1")
        except Elsewhere as problem:
            return problem.cell
    return None


async def test_every_row_of_a_person_moves_and_the_conversation_continues(cells, settled):
    ada, conversation = settled
    a, b = cells
    before = rows_of(a, ada.id)
    moved = move(a, b, ada.id, "b")
    assert moved == sum(map(len, before.values()))
    assert rows_of(b, ada.id) == before
    assert holding(a, ada.id) == ['sayso."users"']
    assert (await _elsewhere(a, ada.id), await _elsewhere(b, ada.id)) == ("b", None)
    async with Database(b, connections=2) as database:
        chat = ChatService(database, assistant())
        again = await chat.message(ada, conversation, "m1", 'add a task "buy milk"')  # sent before the move, too
        later = await chat.message(ada, conversation, "later", 'add a task "buy bread"')
        assert [deed.result["task"]["title"] for deed in (*again.results, *later.results)] == ["buy milk", "buy bread"]
        async with database.transaction(ada.id) as on:
            assert await on.rows(b"SELECT count(*) FROM tasks WHERE title = 'buy milk'") == [(1,)]
            assert (await verify(on, ada.id)).intact


@pytest.mark.long
async def test_a_person_moves_back(cells, settled):
    ada, _ = settled
    a, b = cells
    before = rows_of(a, ada.id)
    move(a, b, ada.id, "b")
    move(b, a, ada.id, "a")
    assert rows_of(a, ada.id) == before
    assert (await _elsewhere(a, ada.id), await _elsewhere(b, ada.id)) == (None, "a")


async def test_a_move_that_stops_half_way_is_completed_by_running_it_again(cells, settled, monkeypatch):
    ada, _ = settled
    a, b = cells
    before = rows_of(a, ada.id)

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(moving, "_leave", killed)  # the rows are copied, and the person has not left
        with pytest.raises(KeyboardInterrupt):
            move(a, b, ada.id, "b")
    assert (await _elsewhere(a, ada.id), await _elsewhere(b, ada.id)) == (None, "")
    with pytest.raises(NotReady, match="is not complete"):
        move(b, a, ada.id, "a")
    with monkeypatch.context() as patched:
        patched.setattr(moving, "_arrive", killed)  # the person has left, and has not arrived
        with pytest.raises(KeyboardInterrupt):
            move(a, b, ada.id, "b")
    assert (await _elsewhere(a, ada.id), await _elsewhere(b, ada.id)) == ("b", "")
    move(a, b, ada.id, "b")
    assert rows_of(b, ada.id) == before
    assert (await _elsewhere(a, ada.id), await _elsewhere(b, ada.id)) == ("b", None)
    with pytest.raises(NotReady, match="is in b, not in this database"):
        move(a, b, ada.id, "c")


async def test_nobody_moves_while_a_turn_is_under_way(cells):
    ada = person("ada")
    await live(cells[0], ada, "canary blue")
    before = rows_of(cells[0], ada.id)
    with pytest.raises(NotReady, match="under way"):
        move(*cells, ada.id, "b")
    assert rows_of(cells[0], ada.id) == before
    assert not holding(cells[1], ada.id)


@pytest.mark.long
async def test_a_life_in_the_other_cell_is_never_overwritten(make_database, settled, cells):
    ada, _ = settled
    other = make_database()
    migrate(other)
    await live(other, ada, "canary red")
    before = rows_of(other, ada.id)
    with pytest.raises(NotReady, match="target database already has"):
        move(cells[0], other, ada.id, "c")
    assert rows_of(other, ada.id) == before
    assert await _elsewhere(cells[0], ada.id) is None


async def test_a_transaction_of_the_person_holds_the_move_up(cells, settled, monkeypatch):
    ada, _ = settled
    monkeypatch.setattr(moving, "_PATIENCE", "200ms")
    async with Database(cells[0], connections=1) as database, database.transaction(ada.id) as on:
        await on.rows(b"SELECT 1")
        with pytest.raises(NotReady, match="takes too long"):
            move(*cells, ada.id, "b")
    assert await _elsewhere(cells[0], ada.id) is None


async def test_a_stranger_begins_at_home_only(cells):
    stranger = person("eve")
    assert (await _elsewhere(cells[0], stranger.id), await _elsewhere(cells[1], stranger.id)) == (None, "a")
    assert await _elsewhere(cells[1], "sayso:erasures") is None


@pytest.mark.long
async def test_who_moved_can_sign_in_at_the_old_cell_but_do_nothing_there(cells, settled):
    ada, _ = settled
    move(*cells, ada.id, "b")
    async with Database(cells[0], connections=1) as database:
        assert await Epochs(database).read(ada.id) == 0
        with pytest.raises(Elsewhere):
            await Epochs(database).current(ada.id)


def test_the_answer_names_the_cell_for_nginx_and_for_programs():
    headers = problem_of(Elsewhere("b")).headers
    assert (headers[CELL], headers["X-Accel-Redirect"]) == ("b", "@cell_b")
    assert problem_of(Elsewhere("")).headers == {"Retry-After": "1"}


def _run(command, environment):
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)


@pytest.mark.long
async def test_the_command_moves_a_person_and_says_so(cells, settled):
    ada, _ = settled
    environment = plain_environment() | {"SAYSO_DATABASE_URL": cells[0]}
    command = [SAYSO, "db", "move", ada.id, "--to", "b", "--database", cells[1]]
    for said in (f"{ada.id} lives in b now; ", f"{ada.id} lives in b now."):
        done = _run(command, environment)
        assert done.stdout.startswith(said)
