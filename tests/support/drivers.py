"""A fake NVIDIA driver: the real NVML bindings talk to a small library that the tests compile."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("fake_nvml.c")


class FakeDriver:
    """`plug` and `break_gpu` change what the machine has, while programs look at it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "gpus.txt"
        self._gpus: list[str] = []
        self._init = 0
        library = folder / "libnvidia-ml.so.1"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-Wl,-soname,libnvidia-ml.so.1", "-o", str(library), str(SOURCE)],
            check=True,
        )
        self._write()

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to see this driver instead of the machine's own."""
        return {"LD_LIBRARY_PATH": str(self._folder), "FAKE_NVML": str(self._file)}

    def plug(self, *names: str, memory_mb: int = 24_576) -> None:
        start = len(self._gpus)
        self._gpus += [f"0 {memory_mb} GPU-fake-{start + n} {name}" for n, name in enumerate(names)]
        self._write()

    def break_gpu(self, index: int) -> None:
        """GPU is lost: it has fallen off the bus."""
        self._gpus[index] = f"15 {self._gpus[index].partition(' ')[2]}"
        self._write()

    def unload(self) -> None:
        self._init = 9
        self._write()

    def _write(self) -> None:
        self._file.write_text("\n".join([str(self._init), *self._gpus]) + "\n")
