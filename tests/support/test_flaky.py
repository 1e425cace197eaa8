"""Which tests `make flaky` repeats for a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.flaky import ROOT, find_tests


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in {
        "tests/agent/test_agent_gangs.py": "from tests.support.drivers import FakeDriver",
        "tests/agent/small_disk.py": "",
        "tests/web/test_job.py": "from tests.support.browser import Person",
        "tests/core/test_core_settings.py": "from danlu.settings import Settings",
        "tests/support/browser.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "repeated"),
    [
        (["tests/web/test_job.py"], ["tests/web/test_job.py"]),
        (["tests/web/test_deleted.py"], []),
        (["src/danlu/agent/keeper/wrapper.py"], ["tests/agent"]),
        (["src/danlu/agent/facts.py", "tests/agent/test_agent_gangs.py"], ["tests/agent"]),
        (["tests/agent/small_disk.py"], ["tests/agent"]),
        (["tests/support/browser.py"], ["tests/web/test_job.py"]),
        (["src/danlu/settings.py"], ["tests/core/test_core_settings.py"]),
        (["web/src/lib/text.ts"], ["tests/web"]),
        (["src/danlu/static/index.html", "README.md"], []),
        (["tests/conftest.py", "web/index.html"], ["tests"]),
    ],
)
def test_a_change_is_tried_by_the_find_tests_its_rooms(
    repository: Path, changed: list[str], repeated: list[str]
) -> None:
    assert find_tests(changed, repository) == repeated


def test_every_room_of_the_sources_that_has_tests_is_found_by_its_name() -> None:
    assert find_tests(["src/danlu/scheduling/explain.py"]) == ["tests/scheduling"]
    assert (ROOT / "tests" / "scheduling").is_dir()
