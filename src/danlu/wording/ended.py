"""How something ended, in a few words. It loads no part of the core: every list of jobs needs it."""

from __future__ import annotations

from danlu.wording.catalogue import Language, knows, say


def describe_end(language: Language, reason: str | None, exit_code: int | None, signal: int | None) -> str:
    """`exit code 3`, `signal 9`, `time limit`; nothing of what has not ended. A reason of a newer server is
    told as it came."""
    if reason is None:
        return ""
    if reason in ("completed", "exit_code") and exit_code is not None:
        return say(language, "cli.ended.exit_code", code=exit_code)
    if reason == "signal" and signal is not None:
        return say(language, "cli.ended.signal", signal=signal)
    return say(language, f"cli.end.{reason}") if knows(f"cli.end.{reason}") else reason
