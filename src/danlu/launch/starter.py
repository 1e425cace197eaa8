"""Who starts something here: the Unix account of this process, and never what its environment says."""

from __future__ import annotations

import os
import pwd


def starter_name() -> str:
    """The account's name, or `uid1234` where the machine knows no name for it, as in many containers.

    `su` to root keeps LOGNAME and USER of the user who typed it: a server of root's would take them for its
    starter, whose jobs run as the server itself.
    """
    uid = os.geteuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid{uid}"
