"""A fake NVIDIA driver: the real NVML bindings talk to a small library that the tests compile."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).with_name("fake_nvml.c")
LOST, UNKNOWN, NOT_LOADED, MISMATCH = 15, 999, 9, 18


class FakeDriver:
    """What the machine has, changed while programs look at it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "gpus.txt"
        self._hanging = folder / "hanging"
        self._gpus: list[dict[str, Any]] = []
        self._result = 0
        library = folder / "libnvidia-ml.so.1"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-Wl,-soname,libnvidia-ml.so.1", "-o", str(library), str(SOURCE)],
            check=True,
        )
        self._write()

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to see this driver instead of the machine's own."""
        return {
            "LD_LIBRARY_PATH": str(self._folder),
            "FAKE_NVML": str(self._file),
            "FAKE_NVML_HANG": str(self._hanging),
        }

    @contextmanager
    def in_charge(self) -> Iterator[None]:
        """Whatever is started meanwhile sees this driver."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.environment.items():
                patch.setenv(name, value)
            yield

    def plug(self, *names: str, memory_mb: int = 24_576, **facts: Any) -> None:
        """Put GPUs in, behind those that are there."""
        for name in names:
            number = len(self._gpus)
            self._gpus.append(
                {
                    "memory": memory_mb,
                    "used": 0,
                    "load": 0,
                    "temperature": 35,
                    "power": 60,
                    "power_limit": 300,
                    "minor": number,
                    "uuid": f"GPU-fake-{number}",
                    **facts,
                    "name": name,
                }
            )
        self._write()

    def set(self, index: int, **facts: Any) -> None:
        """Change what a GPU says; None takes a fact away."""
        changed = {**self._gpus[index], **facts}
        self._gpus[index] = {key: value for key, value in changed.items() if value is not None}
        self._write()

    def occupy(self, index: int, *users: tuple[int, int], kind: str = "compute") -> None:
        """These processes, (pid, MB), are on a GPU now; MB -1 is what the driver does not tell."""
        used_mb = sum(max(mb, 0) for _, mb in users)
        listed = ",".join(f"{pid}:{mb}" for pid, mb in users) or None
        self.set(index, used=used_mb, **{kind: listed})

    def break_gpu(self, index: int, code: int = LOST) -> None:
        """GPU is lost: it has fallen off the bus."""
        self.set(index, result=code)

    def mend_gpu(self, index: int) -> None:
        self.set(index, result=None)

    def unplug(self, index: int) -> None:
        """It is not even listed any more; those behind it move up."""
        del self._gpus[index]
        self._write()

    def unload(self, code: int = NOT_LOADED) -> None:
        self._result = code
        self._write()

    def load(self) -> None:
        self._result = 0
        self._write()

    def hang(self) -> None:
        """No call comes back any more."""
        self._hanging.touch()

    def go_on(self) -> None:
        self._hanging.unlink()

    def _write(self) -> None:
        lines = [" " + " ".join(f"{key}={value}" for key, value in gpu.items()) for gpu in self._gpus]
        fresh = self._file.with_suffix(".new")
        fresh.write_text("\n".join([str(self._result), *lines]) + "\n")
        fresh.replace(self._file)
