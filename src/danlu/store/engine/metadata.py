"""What all tables share: where they are known, and how their indexes are named."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, MetaData

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

BigId = BigInteger().with_variant(Integer, "sqlite")
"""Ids of jobs and events: 64 bits. SQLite counts up by itself only in a column that is plainly INTEGER."""
