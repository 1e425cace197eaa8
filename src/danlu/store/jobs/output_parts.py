"""Where in a file that a user named the output of each task begins: files are appended to, run after run."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, func, insert, or_, select

from danlu.core.job import Attempt
from danlu.core.logs.output_part import OutputPart
from danlu.core.task import OutputPlace, TaskFact
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_P = schema.output_parts.c
_HAS_PART = select(_P.stream).where(
    _P.job_id == bindparam("job"), _P.attempt == bindparam("attempt"), _P.rank == bindparam("rank")
)


def note_places(tx: Transaction, fact: TaskFact, paths: dict[str, str]) -> None:
    """Write down what a node tells of the files in which the output of a task goes; `paths` by their stream.
    What was told first counts."""
    places: dict[str, OutputPlace | None] = {"stdout": fact.stdout_at, "stderr": fact.stderr_at}
    key = {"job": fact.key.job, "attempt": fact.key.attempt, "rank": fact.key.rank}
    told = {stream: place for stream, place in places.items() if place is not None and paths.get(stream)}
    if not told or tx.connection.execute(_HAS_PART, key).first() is not None:
        return
    rows = [
        {
            "job_id": fact.key.job,
            "attempt": fact.key.attempt,
            "rank": fact.key.rank,
            "stream": stream,
            "path": paths[stream],
            "inode": str(place.inode),
            "filesystem": place.filesystem,
            "begins_at": place.offset,
            "began_at": fact.started_at or tx.now,
        }
        for stream, place in told.items()
    ]
    tx.connection.execute(insert(schema.output_parts), rows)


def find_part(
    connection: Connection, job_id: int, attempt: Attempt, rank: int, path: str
) -> OutputPart | None:
    """The part of `path` that this task wrote; None where its node did not say.

    The tasks of an attempt that write into one file write into it together: their part begins where the first
    of them began. It ends where the next one begins that began after the attempt had ended.
    """
    mine = (_P.job_id == job_id, _P.attempt == attempt.number, _P.path == path)
    rows = connection.execute(select(schema.output_parts).where(*mine)).all()
    own = next((row for row in rows if row.rank == rank), None)
    if own is None:
        return None
    same = (_P.path == path, _P.inode == own.inode, _P.filesystem == own.filesystem)
    begin = min(row.begins_at for row in rows if row.inode == own.inode)
    if attempt.ended_at is None:
        return OutputPart(int(own.inode), begin)
    others = or_(_P.job_id != job_id, _P.attempt != attempt.number)
    behind = (_P.began_at >= attempt.ended_at, _P.begins_at >= begin)
    later = select(func.min(_P.begins_at)).where(*same, others, *behind)
    return OutputPart(int(own.inode), begin, connection.execute(later).scalar_one_or_none())
