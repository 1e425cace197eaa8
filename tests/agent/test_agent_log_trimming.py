"""All logs of a node within a limit: the largest give way, and those that are short are left alone."""

from __future__ import annotations

from pathlib import Path

from danlu.agent.logs.log_trimming import trim_logs

MB = 1 << 20


def write(logs: Path, **sizes_mb: float) -> dict[str, Path]:
    made = {}
    for name, size in sizes_mb.items():
        path = made[name] = logs / name / "1.log"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"some words of a log\n" * int(size * MB / 20))
    return made


def held_mb(path: Path) -> float:
    return path.stat().st_blocks * 512 / MB


def test_without_a_limit_nothing_is_touched(tmp_path: Path) -> None:
    logs = write(tmp_path / "logs", a=3, b=2)
    assert trim_logs(tmp_path / "logs", 0, 0) >= 5 * MB - 100
    assert [held_mb(path) for path in logs.values()] >= [3.0, 2.0]
    assert trim_logs(tmp_path / "none", MB, MB) == 0


def test_each_is_cut_to_its_limit(tmp_path: Path) -> None:
    logs = write(tmp_path / "logs", a=5, b=3, c=1.5)
    trim_logs(tmp_path / "logs", 2 * MB, 0)
    assert held_mb(logs["a"]) < 2 > held_mb(logs["b"])
    assert held_mb(logs["c"]) > 1.4


def test_together_the_largest_give_way(tmp_path: Path) -> None:
    logs = write(tmp_path / "logs", a=12, b=3, c=3)
    assert trim_logs(tmp_path / "logs", 0, 10 * MB) <= 10 * MB
    assert held_mb(logs["b"]) >= 2.9 <= held_mb(logs["c"])
    assert held_mb(logs["a"]) < 5


def test_what_is_short_stays_whatever_the_limit(tmp_path: Path) -> None:
    logs = write(tmp_path / "logs", **{f"job{n}": 0.5 for n in range(8)})
    assert trim_logs(tmp_path / "logs", 0, MB) > 3 * MB
    assert all(held_mb(path) >= 0.49 for path in logs.values())


def test_no_link_is_followed(tmp_path: Path) -> None:
    elsewhere = write(tmp_path / "elsewhere", a=3)["a"]
    logs = tmp_path / "logs"
    (logs / "1").mkdir(parents=True)
    (logs / "1" / "1.log").symlink_to(elsewhere)
    (logs / "2").symlink_to(elsewhere.parent)
    trim_logs(logs, MB, MB)
    assert held_mb(elsewhere) > 2.9
