"""Keeps the certificate of a running server fresh: renewed files are served without a restart."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from collections.abc import Callable

from danlu.launch.door.certificate import WARN_S, BadCertificate, Certificate, load_into, show_date
from danlu.launch.door.reachability import Encryption

log = logging.getLogger(__name__)

LOOK_EVERY_S = 5.0
"""Looking at two files costs nothing. A watch would miss links that change far away, and network disks."""


async def keep_fresh(
    encryption: Encryption, context: ssl.SSLContext, on_change: Callable[[Certificate], None]
) -> None:
    """Look for a new certificate for ever. One that cannot be used is told once; the old one serves on."""
    serving = encryption.certificate
    warned = told = ""
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        now = time.time()
        if await asyncio.to_thread(encryption.source.has_changed, now):
            try:
                fresh = await asyncio.to_thread(encryption.source.read, now)
                load_into(context, fresh)
            except (BadCertificate, OSError, ssl.SSLError) as fault:
                if told != (told := str(fault)):
                    log.error("the new certificate cannot be used, the old one serves on: %s", fault)
            else:
                serving, told = fresh, ""
                log.info("a new certificate is served, good until %s", show_date(fresh.expires_at))
                on_change(fresh)
        date = show_date(serving.expires_at)
        if serving.expires_at - now < WARN_S and warned != date:
            warned = date
            log.warning("the certificate ends on %s", date)
