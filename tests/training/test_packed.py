"""A folder of texts reads the same plain and packed, and a plain file can be added to a packed folder."""

import pytest

from training.notation import batches
from training.packed import ARCHIVE, pack, texts, unpack

TEXTS = {
    "held-out.txt": b"tasks-en-1\n",
    "tasks/tasks-en-1.tsv": b"add_task\t[title milk]\n",
    "tasks/tasks-en-10.tsv": b"",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tasks").mkdir()
    for name, content in TEXTS.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_packed_texts_are_those_of_the_plain_files(folder):
    pack(folder)
    assert texts(folder) == TEXTS
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == ["held-out.txt", ARCHIVE]


def test_unpacking_writes_the_plain_files_again(folder):
    pack(folder)
    unpack(folder)
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == set(TEXTS)
    assert texts(folder) == TEXTS


def test_equal_texts_give_an_equal_archive(folder):
    pack(folder)
    before = (folder / ARCHIVE).read_bytes()
    unpack(folder)
    pack(folder)
    assert (folder / ARCHIVE).read_bytes() == before


def test_a_plain_file_is_added_to_a_packed_folder_and_replaces_its_packed_text(folder):
    pack(folder)
    (folder / "tasks" / "tasks-en-1.tsv").write_bytes(b"add_task\t[title eggs]\n")
    (folder / "tasks" / "tasks-it-1.tsv").write_bytes(b"undo\tannulla\n")
    said = {batch.name: [message.text for message in batch.messages] for batch in batches(folder)}
    assert said == {"tasks-en-1": ["eggs"], "tasks-en-10": [], "tasks-it-1": ["annulla"]}
