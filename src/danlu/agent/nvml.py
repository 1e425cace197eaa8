"""The NVIDIA GPUs of this machine, through NVML."""

from __future__ import annotations

import logging
from typing import Any

import pynvml

from danlu.core.node import Gpu

log = logging.getLogger(__name__)


class NvmlGpus:
    """Asks the driver each time. A machine without one simply has no GPUs."""

    def __init__(self) -> None:
        self._told = ""

    def read(self) -> tuple[Gpu, ...]:
        try:
            # Started and ended for each look: a driver that is reloaded meanwhile is found again.
            pynvml.nvmlInit()
        except pynvml.NVMLError as problem:
            self._tell_once(f"no NVIDIA GPUs: {problem}")
            return ()
        try:
            gpus = [self._read_gpu(index) for index in range(pynvml.nvmlDeviceGetCount())]
        except pynvml.NVMLError as problem:
            self._tell_once(f"the NVIDIA driver does not answer: {problem}")
            return ()
        finally:
            pynvml.nvmlShutdown()
        return tuple(gpu for gpu in gpus if gpu is not None)

    def _read_gpu(self, index: int) -> Gpu | None:
        """One GPU; None when it does not answer. The others go on."""
        try:
            handle = pynvml.nvmlDeviceGetHandleByIndex(index)
            memory_mb = pynvml.nvmlDeviceGetMemoryInfo(handle).total // 2**20
            return Gpu(
                index=index,
                uuid=_text(pynvml.nvmlDeviceGetUUID(handle)),
                name=_text(pynvml.nvmlDeviceGetName(handle)),
                memory_mb=int(memory_mb),
            )
        except pynvml.NVMLError as problem:
            self._tell_once(f"GPU {index} does not answer: {problem}")
            return None

    def _tell_once(self, text: str) -> None:
        """The same news every half minute is none."""
        if text != self._told:
            self._told = text
            log.warning("%s", text)


def _text(value: Any) -> str:
    """Older bindings answer in bytes."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
