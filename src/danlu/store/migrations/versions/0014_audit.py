"""Who did what, kept where nothing changes it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SQLITE = (
    """
    CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'entries of the audit log stay as they are'); END
    """,
    """
    CREATE TRIGGER audit_kept BEFORE DELETE ON audit WHEN OLD.at >=
      COALESCE((SELECT CAST(value AS REAL) FROM settings WHERE key = 'audit_kept_from'), -1e308)
    BEGIN SELECT RAISE(ABORT, 'entries of the audit log stay as they are'); END
    """,
)
POSTGRESQL = (
    """
    CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        IF OLD.at < (SELECT CAST(value #>> '{}' AS double precision) FROM settings
                     WHERE key = 'audit_kept_from') THEN
          RETURN OLD;
        END IF;
      END IF;
      RAISE EXCEPTION 'entries of the audit log stay as they are';
    END $$
    """,
    """
    CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()
    """,
    """
    CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
    """,
)


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("actor", sa.String(200)),
        sa.Column("via", sa.String(16), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("target_kind", sa.String(32), nullable=False),
        sa.Column("target", sa.String(200), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True)),
        sa.Column("after", sa.JSON(none_as_null=True)),
        sa.Column("details", sa.JSON(none_as_null=True)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_actor_id", "audit", ["actor", "id"])
    op.create_index("ix_audit_target_kind_target_id", "audit", ["target_kind", "target", "id"])
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)
