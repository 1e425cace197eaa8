"""A real server that waits a second, not half a minute, for the headers of a request."""

from __future__ import annotations

import sys

from danlu.launch.door import http_protocol
from danlu.main import main

http_protocol.HEADERS_S = 1.0

if __name__ == "__main__":
    sys.exit(main())
