"""The words by which the two halves of a cluster refuse each other."""

from __future__ import annotations

REMOVED = "removed"
TOO_OLD = "too_old"
TWIN = "twin"
"""Why the server refuses the beat of an agent: its machine was removed, its version is another, or another
agent has the same identity."""
OLD_RETRY_S = 60.0
"""An agent of another version waits so long before it asks again; either may be upgraded meanwhile."""

ORDER_REFUSED = "order_refused"
FILE_REFUSED = "file_refused"
UNAVAILABLE = "unavailable"
STALE_SERVER = "stale_server"
OVERTAKEN = "overtaken"
FAILED = "failed"
"""Why an agent does not do what a server asks."""
