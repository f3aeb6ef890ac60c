"""The measures of how far a reader can be believed."""

import pytest

from training.trust import Judged, calibration, report, upper_bound


@pytest.mark.parametrize(
    ("wrong", "count", "bound"), [(0, 1_500, 0.002), (7, 390, 0.0334), (0, 1, 0.95), (3, 3, 1.0), (0, 0, 1.0)]
)
def test_the_bound_of_a_share_is_exact(wrong, count, bound):
    assert upper_bound(wrong, count) == pytest.approx(bound, abs=1e-4)


def test_calibration_is_the_distance_between_probability_and_share():
    assert calibration([(0.75, True), (0.75, True), (0.75, True), (0.75, False)]) == 0
    assert calibration([(0.95, False), (0.05, False)]) == pytest.approx(0.5)


def test_a_threshold_counts_the_calls_that_are_at_least_as_likely():
    found = [
        Judged("add_task", 0.99, 0.95, "add_task", act_right=True, right=True),
        Judged("add_task", 0.9, 0.85, "add_task", act_right=True, right=False),
        Judged("none", 0.99, 0.99, "add_task", act_right=False, right=False),
    ]
    lines = list(report(found, (0.8, 0.9)))
    assert lines[2].startswith("| add_task | 2, 1, ")
    assert "| 1, 0, 95.0 % |" in lines[2]
    assert [line.split(" | ")[0] for line in lines[2:4]] == ["| add_task", "| all"]
    assert lines[-1] == "3 examples: act right 66.7 %, act and values 33.3 %"
