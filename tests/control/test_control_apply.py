"""What is decided is checked once more when it is written down."""

from __future__ import annotations

import pytest

from danlu.control.identity.accounts import AccountBook
from danlu.control.running.apply import Applied, apply_plan
from danlu.control.running.orders import Orders
from danlu.core.job import JobSpec
from danlu.core.nodes.node import Gpu, NodeFacts
from danlu.core.resources import Allocation
from danlu.core.user import Role
from danlu.scheduling.plan import Decision, Plan
from danlu.settings import Settings
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.migrate import migrate
from danlu.store.jobs.job_rows import get_job
from danlu.store.nodes.node_rows import mark_lost, save_facts, set_drained, set_gpu_drained
from danlu.store.settings import change_scheduling
from danlu.store.users import add_user, change_user
from tests.store.builders import insert_job

PLAN = Plan((Decision(1, (Allocation("n1", (0,)),)),), {}, (1,))

OVERTAKEN = {
    "a pause": lambda tx: change_scheduling(tx, "me", paused=True),
    "a drained node": lambda tx: set_drained(tx, "n1", True, "me"),
    "a drained GPU": lambda tx: set_gpu_drained(tx, "n1", 0, True, "me"),
    "a locked owner": lambda tx: change_user(tx, "me", "me", locked=True),
    "a lost node": lambda tx: mark_lost(tx, "n1"),
}


@pytest.fixture
async def database(tmp_path):
    migrate(f"sqlite:///{tmp_path / 'd.db'}")
    database = Database(tmp_path / "d.db", lambda: 1000.0)
    database.start()

    def furnish(tx: Transaction) -> None:
        add_user(tx, "me", Role.ADMIN, password_hash=None)
        save_facts(tx, [NodeFacts("n1", 4, 1000, (Gpu(0, "u", "g", 1),), "boot")])
        insert_job(tx, "me", JobSpec("true", directory="/tmp", gpus=1), held=False)

    await database.write(furnish)
    yield database
    await database.close()


async def apply(database: Database, tmp_path) -> Applied:
    accounts, settings = AccountBook("me", False), Settings(tmp_path, "me")
    orders = Orders(accounts, settings, lambda order: order)
    return await database.write(lambda tx: apply_plan(tx, PLAN, {1: 1}, {"n1": "boot"}, orders, settings))


async def test_a_decision_that_still_holds_is_carried_out(database, tmp_path):
    [order] = (await apply(database, tmp_path)).orders
    assert (order.key.job, order.node, order.gpu_ids) == (1, "n1", (0,))


@pytest.mark.parametrize("change", OVERTAKEN.values(), ids=OVERTAKEN)
async def test_a_decision_that_was_overtaken_is_dropped(database, tmp_path, change):
    """Once a pause or a drain has been answered, nothing starts there any more."""
    await database.write(change)
    assert len(await apply(database, tmp_path)) == 0
    job = await database.read(lambda connection: get_job(connection, 1))
    assert job is not None
    assert job.state == "waiting"
