"""A whole Danlu inside a test: real jobs on simulated GPUs, an API without a socket, nothing left behind.

>>> from danlu.testing import cluster
>>> with cluster(gpus=4) as client:
...     assert client.submit(sum, [1, 2, 3], gpus=1).result() == 6
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from danlu.api.app import make_app
from danlu.launch.locations import prepare_folders, wait_until_unlocked
from danlu.launch.serve.installation import open_installation
from danlu.launch.starter import starter_name
from danlu.sdk.client import Client
from danlu.sdk.in_process import App, InProcess
from danlu.settings import Settings

URL = "http://in-process"


@contextlib.contextmanager
def cluster(*, gpus: int = 0, nodes: int = 1, data: Path | None = None) -> Iterator[Client]:
    """A client of an installation of its own with so many simulated GPUs on each of its nodes. At the end
    what still runs is stopped, and without a folder `data` of yours everything is removed."""
    with contextlib.ExitStack() as stack:
        folder = data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="danlu-")))
        settings = Settings(data=folder.absolute(), starter=starter_name(), simulate=(nodes, gpus))
        prepare_folders(settings)
        secret = ""

        @contextlib.asynccontextmanager
        async def open_app() -> AsyncIterator[App]:
            nonlocal secret
            async with open_installation(settings) as installation:
                secret = installation.access.make_local_secret()
                try:
                    yield make_app(installation.control, installation.access, lambda _stop_jobs: None)
                finally:
                    await installation.control.stop_jobs()

        transport = InProcess(open_app)
        # The keeper ends when it is not needed; only then may its folder go.
        stack.callback(wait_until_unlocked, settings.node_folder)
        yield stack.enter_context(Client(URL, secret, transport=transport))
