"""A network learns from its teachers what it has no labels for. Needs torch: see training/README.md."""

import itertools
import random

import pytest

torch = pytest.importorskip("torch")

from training.fit import Lesson, augmented, fit, shape_of, taught  # noqa: E402
from training.measure import predict  # noqa: E402
from training.network import Network, Shape  # noqa: E402
from training.split import Split, data_of, split_of  # noqa: E402

SLOTS = 2


@pytest.fixture(scope="module")
def data():
    train = [one for one in split_of("tasks").train if one.name in ("tasks-en-2", "tasks-it-5")]
    return data_of(Split([one._replace(messages=one.messages[::4]) for one in train], []))


@pytest.fixture(scope="module")
def teacher(data):
    return fit(data.every(), shape_of(data.every(), data.classes, width=96), epochs=120, seed=2)


def taggings(count):
    """Every tagging of so many words in which a value goes on only where it began."""
    for path in itertools.product(range(1 + 2 * SLOTS), repeat=count):
        before = (0, *path[:-1])
        if all(tag <= SLOTS or last in (tag, tag - SLOTS) for last, tag in zip(before, path, strict=True)):
            yield path


def test_the_shares_of_the_tags_are_those_of_all_taggings_that_are_possible():
    torch.manual_seed(1)
    network = Network(Shape(("add_task",), ("due", "title"), (), rows=8))
    scores = torch.randn(1, 4, 1 + 2 * SLOTS)
    weights = {path: sum(scores[0, at, tag] for at, tag in enumerate(path)).exp() for path in taggings(4)}
    total = sum(weights.values())
    wanted = torch.zeros(4, 1 + 2 * SLOTS)
    for path, weight in weights.items():
        for at, tag in enumerate(path):
            wanted[at, tag] += weight / total
    mask = torch.ones(1, 4, dtype=torch.bool)
    found = network.tag_shares(scores, mask)
    assert torch.allclose(found[0], wanted, atol=1e-5)
    path, weight = max(weights.items(), key=lambda pair: pair[1])
    shares = torch.nn.functional.one_hot(torch.tensor([path]), 1 + 2 * SLOTS).float()
    assert torch.allclose(network.sequence_loss(scores, shares, mask), -(weight / total).log(), atol=1e-5)


def test_a_network_learns_from_teachers_alone_what_they_would_say(data, teacher):
    bare = [one._replace(act=None, tags=None, breaks=None) for one in data.every()]
    student = fit(bare, teacher.shape._replace(width=64), epochs=200, seed=1, teachers=[teacher])
    pairs = list(zip(list(predict(student, bare)), list(predict(teacher, bare)), strict=True))
    acts = [max(one.acts, key=one.acts.get) == max(two.acts, key=two.acts.get) for one, two in pairs]
    assert sum(acts) / len(acts) > 0.9
    assert sum(one.tags == two.tags for one, two in pairs) / len(pairs) > 0.8


def test_what_teachers_say_stays_with_its_words_when_marks_are_left_out(data, teacher):
    dice = random.Random(1)
    shorter = 0
    for one, said in zip(data.every(), taught([teacher], data.every()), strict=True):
        example, kept = augmented(Lesson(one, said), dice)
        shorter += len(example.features.words) < len(one.features.words)
        assert len(kept.tags) == len(kept.breaks) == len(example.features.words)
        assert torch.allclose(kept.tags.sum(1), torch.ones(len(kept.tags)), atol=1e-4)
        slots = len(teacher.shape.slots)
        assert float(kept.tags[0, slots + 1 :].sum()) < 1e-4
    assert shorter


def test_a_network_is_the_same_every_time(data, teacher):
    shape = shape_of(data.every(), data.classes)
    one, two = (fit(data.every(), shape, epochs=1, seed=1, teachers=[teacher]) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))
