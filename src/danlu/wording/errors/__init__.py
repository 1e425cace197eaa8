"""What went wrong with a request, and the remedy, by error code: `errors.CODE` and `errors.CODE.hint`."""

from __future__ import annotations

from danlu.wording.errors import (
    accounts,
    bulk_actions,
    connections,
    groups,
    installations,
    job_checks,
    job_fields,
    job_placing,
    jobs,
    members,
    notices,
    requests,
    rights,
    server,
    sharing,
    values,
)

MESSAGES: dict[str, tuple[str, str]] = {
    **requests.MESSAGES,
    **members.MESSAGES,
    **bulk_actions.MESSAGES,
    **installations.MESSAGES,
    **job_fields.MESSAGES,
    **job_placing.MESSAGES,
    **job_checks.MESSAGES,
    **rights.MESSAGES,
    **sharing.MESSAGES,
    **notices.MESSAGES,
    **jobs.MESSAGES,
    **accounts.MESSAGES,
    **groups.MESSAGES,
    **connections.MESSAGES,
    **server.MESSAGES,
    **values.MESSAGES,
}
