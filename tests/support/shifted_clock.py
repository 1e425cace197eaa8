"""A clock that is wrong, for the processes of one host: real programs, that read the time of day as ever."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("shifted_clock.c")


class ShiftedClock:
    """What is started with its `environment` sees the time so much later, or earlier."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._file = folder / "shift"
        self._library = folder / "shifted_clock.so"
        words = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self._library), str(SOURCE)]
        subprocess.run(words, check=True)
        self._file.write_bytes(bytes(8))

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self._library), "SHIFTED_CLOCK": str(self._file)}

    def shift(self, seconds: float) -> None:
        """Set it, at once and for all that run."""
        with self._file.open("r+b") as file:
            file.write(round(seconds * 1e9).to_bytes(8, "little", signed=True))
