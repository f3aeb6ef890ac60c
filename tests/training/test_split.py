"""The split keeps the held-out batches apart, and its examples are stored once."""

import pytest

from training.notation import CORPUS
from training.split import Split, data_of, split_of, stored


@pytest.fixture(scope="module")
def split():
    whole = split_of("tasks")
    few = [
        [batch._replace(messages=batch.messages[:20]) for batch in part if batch.name.endswith(("-2", "-39", "-47"))]
        for part in whole
    ]
    return Split(*few)


def test_no_held_out_batch_is_trained_on():
    whole = split_of("tasks")
    listed = set((CORPUS / "held-out.txt").read_text().splitlines())
    assert {batch.name for batch in whole.held_out} == {name for name in listed if name.startswith("tasks-")}
    assert not listed & {batch.name for batch in whole.train}


def test_examples_come_by_batch_and_by_language(split):
    data = data_of(split)
    assert set(data.train) == {batch.name for batch in split.train}
    assert {one.batch for one in data.held_out["it"]} == {"tasks-it-2", "tasks-it-39"}
    assert len(data.every()) >= sum(len(batch.messages) for batch in split.train)


def test_stored_examples_are_read_back_and_follow_the_messages(split, tmp_path):
    built = stored(split, tmp_path)
    assert stored(split, tmp_path) == built
    assert len(list(tmp_path.iterdir())) == 1
    stored(split._replace(train=split.train[:-1]), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
