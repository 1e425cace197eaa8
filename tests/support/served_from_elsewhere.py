"""The server, with a web app that lies elsewhere than in the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from danlu.api import web
from danlu.main import main

web.STATIC = Path(os.environ["DANLU_TEST_STATIC"])
main()
