"""How something ended is said in one way, in lists, attempts and pages."""

from __future__ import annotations

import pytest

from danlu.wording.ended import describe_end


@pytest.mark.parametrize(
    ("end", "english", "chinese"),
    [
        ((None, None, None), "", ""),
        (("completed", 0, None), "exit code 0", "退出码 0"),
        (("exit_code", 3, None), "exit code 3", "退出码 3"),
        (("signal", None, 9), "signal 9", "信号 9"),
        (("time_limit", None, 15), "time limit", "超时"),
        (("completed", None, None), "succeeded", "成功"),
        (("of_a_newer_server", 1, None), "of_a_newer_server", "of_a_newer_server"),
    ],
    ids=str,
)
def test_an_end_in_a_few_words(end, english, chinese):
    assert describe_end("en", *end) == english
    assert describe_end("zh", *end) == chinese
