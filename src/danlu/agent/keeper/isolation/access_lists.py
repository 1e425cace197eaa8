"""Files of ours that one account may read, and neither change nor grow: what belongs to it, it could.

They lie on the small disk in memory that the whole machine needs.
"""

from __future__ import annotations

import errno
import os
import struct

_NAME = "system.posix_acl_access"
_VERSION = 2
_OWNER, _USER, _GROUP, _MASK, _OTHERS = 0x01, 0x02, 0x04, 0x10, 0x20
_NO_ID = 0xFFFF_FFFF


def share(file: int, uid: int, gid: int, mode: int) -> None:
    """Let an account, and no other, do with an open file or folder of ours what its `mode` lets us do."""
    rights = mode >> 6 & 7
    entries = ((_OWNER, rights), (_USER, rights), (_GROUP, 0), (_MASK, rights), (_OTHERS, 0))
    packed = [struct.pack("<HHI", tag, may, uid if tag == _USER else _NO_ID) for tag, may in entries]
    try:
        os.setxattr(file, _NAME, struct.pack("<I", _VERSION) + b"".join(packed))
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
        # A kernel without such lists. Without its file the task could not start.
        os.fchown(file, uid, gid)
