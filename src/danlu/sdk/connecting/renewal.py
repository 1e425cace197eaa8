"""A token that is not taken any more: perhaps there is another one by now.

A server makes a new token for its data folder whenever it starts, and writes it a moment after it begins to
answer; a user may have logged in again. A connected client goes on with the new one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from danlu.sdk.connecting.patience import Patience

if TYPE_CHECKING:
    from danlu.sdk.connecting.connection import Server

KNOWN_WAIT_S = 15.0
STRANGER_WAIT_S = 3.0


def wait_for_another_token(refused: Server, find: Callable[[], Server], *, known: bool) -> bool:
    """Whether there is another token than the refused one, which is waited for where a server writes it;
    `known`: a token of ours was taken before, so that the server must have been started again."""
    patience = Patience(KNOWN_WAIT_S if known else STRANGER_WAIT_S)
    while (token := find().token) is None or token == refused.token:
        may_come = refused.folder is not None and refused.token is not None
        if not may_come or not patience.pause():
            return False
    return True
