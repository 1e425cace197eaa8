"""Why a database cannot be used, in words. None of them shows a password."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import SQLAlchemyError

from danlu.core.errors import Unavailable
from danlu.store.archive.copying import CopyDiffers, NotEmpty
from danlu.store.engine.engines import DriverMissing, Location, is_disk_full, reason_of, show_location
from danlu.store.engine.migrate import UnknownSchema, WrongEncoding
from danlu.wording.catalogue import Language, say

FAULTS = (
    SQLAlchemyError,
    sqlite3.Error,
    UnknownSchema,
    DriverMissing,
    WrongEncoding,
    NotEmpty,
    CopyDiffers,
    Unavailable,
)


class DatabaseFault(Exception):
    """One of FAULTS, and where it happened."""

    def __init__(self, location: Location, fault: Exception) -> None:
        super().__init__(type(fault).__name__)
        self.location = location
        self.fault = fault

    def describe(self, language: Language) -> str:
        key, facts = _word(self.fault)
        return say(language, f"launch.database.{key}", place=show_location(self.location), **facts)


def _word(fault: Exception) -> tuple[str, dict[str, str]]:
    if is_disk_full(fault) or (isinstance(fault, Unavailable) and fault.code == "disk_full"):
        return "full", {}
    match fault:
        case DriverMissing():
            return "no_driver", {}
        case WrongEncoding():
            return "wrong_encoding", {"encoding": str(fault)}
        case UnknownSchema():
            return "newer", {"revision": str(fault)}
        case NotEmpty():
            return "not_empty", {"table": str(fault)}
        case CopyDiffers():
            return "differs", {"table": str(fault)}
        case Unavailable(code="database_taken"):
            return "taken", {"holder": fault.fact("holder")}
        case Unavailable(code="database_moved"):
            return "moved_away", {"to": fault.fact("to")}
        case Unavailable(code="database_unfinished"):
            return "unfinished", {"origin": fault.fact("origin")}
        case Unavailable(code="database_superseded"):
            return "superseded", {"fence": fault.fact("fence")}
        case Unavailable():
            return "unusable", {"reason": fault.fact("reason") or fault.code}
        case _:
            return "unusable", {"reason": reason_of(fault)}
