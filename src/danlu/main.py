"""The entry of the `danlu` command."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line; its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows a '?', never a traceback.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        from danlu.cli.program import run

        return run(sys.argv[1:], os.environ)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
