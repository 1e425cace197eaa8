"""Users as the wire shows them."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.core.user import User
from danlu.wire.accounts import UserRow


def show_user(user: User, jobs: Mapping[str, int], last_seen_at: float | None) -> UserRow:
    """`jobs`: how many of theirs are in each area."""
    return UserRow(
        name=user.name,
        role=user.role.value,
        priority=user.priority,
        locked=user.locked,
        unix_account=user.unix_account,
        created_at=user.created_at,
        group=user.group,
        full_name=user.full_name,
        student_id=user.student_id,
        email=user.email,
        language=user.language,  # type: ignore[arg-type]
        waiting=jobs.get("waiting", 0),
        running=jobs.get("running", 0),
        last_seen_at=last_seen_at,
    )
