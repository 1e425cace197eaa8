"""What attempts have used, together."""

from __future__ import annotations

from danlu.core.resources import Used, add_up


def test_times_are_added_peaks_compared_and_means_weighed() -> None:
    short = Used(10.0, 300, 100.0, 90.0, 100, 1000, 2000)
    long = Used(5.0, 500, 300.0, 10.0, 20, 5000, 6000)
    assert add_up([short, long]) == Used(15.0, 500, 400.0, 30.0, 100, 4000, 6000)


def test_what_was_not_counted_stays_unknown() -> None:
    assert add_up([]) == add_up([Used(), Used()]) == Used()
    assert not add_up([Used()]).is_known
    assert add_up([Used(), Used(cpu_s=2.0), Used(gpu_load=50.0)]) == Used(cpu_s=2.0)
