"""Who may join a cluster, under which name, and who leaves it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu import __version__
from danlu.cluster.keys import make_seed, public_key_of
from danlu.control.nodes.membership import JoinAsk, MeetingPoint
from danlu.core.errors import DanluError
from danlu.core.nodes.node import NodeRole, NodeState
from danlu.core.states import JobState
from danlu.core.versions import is_compatible
from danlu.launch.cluster.join import with_port
from danlu.launch.cluster.join_desk import JoinDesk
from danlu.store.nodes.members import list_members
from danlu.store.nodes.node_rows import get_node, list_nodes
from tests.control.agents import RecordingAgents, a_machine

KEY, OTHER_KEY = (public_key_of(make_seed()) for _ in range(2))
FINGERPRINT = "F" * 43


class Desk:
    """The membership of a world, at which machines ask."""

    def __init__(self, world):
        self.world = world
        self.changes = 0
        self.membership = world.control.membership
        self.membership.meeting = MeetingPoint("h:7323", ("tls://h:7323",), FINGERPRINT, "own", 7)
        self.membership.reachable = self.who_is_there
        self.membership.on_change = self.note_change
        self.reachable: set[str] = set()

    async def who_is_there(self):
        return self.reachable

    async def note_change(self):
        self.changes += 1

    async def token(self, lifetime_s=60.0, role=NodeRole.COMPUTE):
        _, text = await self.membership.make_token("ann", lifetime_s, role)
        secret, _, fingerprint = text.partition(".")
        assert fingerprint == FINGERPRINT
        return secret

    async def join(self, secret, node="n1", key=KEY, version=__version__, role=None):
        return await self.membership.join(JoinAsk(secret, node, key, version, role))

    async def refusal(self, asking):
        with pytest.raises(DanluError) as caught:
            await asking
        return caught.value.code

    async def members(self):
        found = await self.world.control.database.read(list_members)
        return {member.node: member.public_key for member in found}

    async def node(self, name):
        return await self.world.control.database.read(lambda c: get_node(c, name))


@pytest.fixture
async def desk(open_world):
    """A cluster of which `n1` is not a member yet; a machine `forge` is there, and may die."""
    return Desk(await open_world(RecordingAgents(a_machine())))


async def test_who_has_a_good_token_joins_and_is_expected(desk):
    joined = await desk.join(await desk.token(role=NodeRole.DEBUG))
    assert (joined.node, joined.servers, joined.fence) == ("n1", ("tls://h:7323",), 7)
    assert await desk.members() == {"n1": KEY}
    node = await desk.node("n1")
    assert (node.role, node.state) == (NodeRole.DEBUG, NodeState.LOST)
    assert desk.changes == 1
    [token] = await desk.membership.list_tokens()
    assert (token.uses, token.created_by) == (1, "ann")


@pytest.mark.parametrize("role", NodeRole)
async def test_the_role_of_a_token_is_a_ceiling(desk, role):
    """A machine that was let in for people to submit from is not given their jobs."""
    by_jobs = [NodeRole.LOGIN, NodeRole.TRANSFER, NodeRole.DEBUG, NodeRole.COMPUTE]
    assert set(by_jobs) == set(NodeRole)
    secret = await desk.token(role=role)
    for asked in by_jobs[by_jobs.index(role) + 1 :]:
        assert await desk.refusal(desk.join(secret, role=asked)) == "join_token_role"
    assert await desk.members() == {}
    await desk.join(secret, role=by_jobs[0])
    assert (await desk.node("n1")).role is by_jobs[0]


async def test_a_token_that_is_wrong_expired_or_revoked_lets_nobody_in(desk):
    secret = await desk.token(lifetime_s=60.0)
    assert await desk.refusal(desk.join(secret + "x")) == "join_token_unknown"
    desk.world.clock.advance(60.0)
    assert await desk.refusal(desk.join(secret)) == "join_token_expired"
    secret = await desk.token()
    tokens = await desk.membership.list_tokens()
    await desk.membership.revoke_token(tokens[-1].id, "ann")
    assert await desk.refusal(desk.join(secret)) == "join_token_revoked"
    assert await desk.refusal(desk.membership.revoke_token(99, "ann")) == "no_such_join_token"
    assert await desk.members() == {}
    assert desk.changes == 0


async def test_tokens_are_not_stored_as_they_are(desk):
    secret = await desk.token()
    stored = b"".join(path.read_bytes() for path in desk.world.path.parent.glob("danlu.db*"))
    assert secret.encode() not in stored


async def test_versions_too_far_apart_do_not_work_together(desk):
    secret = await desk.token()
    assert await desk.refusal(desk.join(secret, version="9.0.0")) == "version_too_far"


@pytest.mark.parametrize("name", ["", "a b", "a,b", "a:0", "x" * 201, "tab\t"])
async def test_a_name_that_could_not_be_written_is_refused(desk, name):
    assert await desk.refusal(desk.join(await desk.token(), node=name)) == "bad_node_name"


async def test_a_name_belongs_to_one_living_machine(desk):
    first = await desk.join(await desk.token())
    again = await desk.join(await desk.token())
    assert again.id == first.id, "the same machine asked twice"
    desk.reachable = {"n1"}
    assert await desk.refusal(desk.join(await desk.token(), key=OTHER_KEY)) == "node_name_taken"
    desk.reachable = set()
    other = await desk.join(await desk.token(), key=OTHER_KEY)
    assert other.id != first.id
    assert await desk.members() == {"n1": OTHER_KEY}


async def test_the_name_of_a_machine_with_jobs_is_not_given_away(desk):
    """What runs there would be taken for ended, and run a second time."""
    await desk.join(await desk.token(), node="forge")
    job = await desk.world.submit()
    await desk.world.until(job, JobState.STARTING)
    code = await desk.refusal(desk.join(await desk.token(), node="forge", key=OTHER_KEY))
    assert code == "node_name_busy"
    assert await desk.members() == {"forge": KEY}


async def test_a_machine_with_jobs_keeps_its_name(desk):
    """Under another one, what runs there would belong to no node."""
    await desk.join(await desk.token(), node="forge")
    job = await desk.world.submit()
    await desk.world.until(job, JobState.STARTING)
    assert await desk.refusal(desk.join(await desk.token(), node="other")) == "old_name_busy"
    assert await desk.members() == {"forge": KEY}
    assert await desk.node("other") is None


async def test_a_machine_without_jobs_changes_its_name_and_leaves_nothing_behind(desk):
    await desk.join(await desk.token(), node="n1")
    await desk.join(await desk.token(), node="other")
    assert await desk.members() == {"other": KEY}
    assert await desk.node("n1") is None
    assert (await desk.node("other")).state is NodeState.LOST


async def test_a_node_with_jobs_is_not_removed_and_one_without_is_gone(desk):
    await desk.join(await desk.token(), node="forge")
    job = await desk.world.submit()
    await desk.world.until(job, JobState.STARTING)
    assert await desk.refusal(desk.membership.remove("forge", "ann")) == "node_has_jobs"
    await desk.join(await desk.token(), node="n2", key=OTHER_KEY)
    await desk.membership.remove("n2", "ann")
    assert await desk.members() == {"forge": KEY}
    assert await desk.node("n2") is None
    assert await desk.refusal(desk.membership.remove("n2", "ann")) == "no_such_node"
    assert await desk.refusal(desk.membership.remove("own", "ann")) == "own_node_stays"


async def test_a_machine_that_leaves_by_force_ends_what_it_had(desk):
    joined = await desk.join(await desk.token(), node="forge")
    job = await desk.world.submit()
    await desk.world.until(job, JobState.STARTING)
    assert await desk.refusal(desk.membership.leave(joined.id, force=False)) == "node_has_jobs"
    desk.world.agents.machines.clear()
    await desk.membership.leave(joined.id, force=True)
    attempt = (await desk.world.attempts(job))[0]
    assert attempt.ended_at is not None
    assert await desk.members() == {}
    assert [node.name for node in await desk.world.control.database.read(list_nodes)] == []
    await desk.membership.leave(joined.id, force=False)


async def test_what_is_said_on_the_wire_is_answered_in_the_language_of_who_asks(desk):
    wire = JoinDesk(desk.membership)
    asked = {"secret": "x", "node": "n1", "public_key": KEY, "version": __version__, "language": "zh"}
    answer = await wire.let_in(asked)
    assert answer["error"]["code"] == "join_token_unknown"
    assert "danlu nodes token" in answer["error"]["hint"]
    assert "令牌" in answer["error"]["message"]
    for bad in ({"secret": 3}, {"public_key": "no key"}, {"role": "king"}, {"node": None}):
        answer = await wire.let_in({**asked, "language": "en", **bad})
        assert answer["error"]["code"] == "bad_request"
    good = await wire.let_in({**asked, "secret": await desk.token()})
    assert (good["node"], good["servers"]) == ("n1", ["tls://h:7323"])
    assert await wire.let_go(good["id"], {}) == {"left": True}
    assert await desk.members() == {}


async def test_a_single_machine_has_no_tokens(desk):
    desk.membership.meeting = None
    assert await desk.refusal(desk.membership.make_token("ann", 1.0, NodeRole.COMPUTE)) == "not_a_cluster"


version = st.builds(lambda *parts: ".".join(map(str, parts)), *[st.integers(0, 30)] * 3)


@given(version, version)
def test_versions_agree_with_each_other_or_not(one, other):
    (major, minor, _), (theirs, their_minor, _) = (map(int, each.split(".")) for each in (one, other))
    assert is_compatible(one, other) == is_compatible(other, one)
    assert is_compatible(one, one)
    assert is_compatible(one, other) == (major == theirs and abs(minor - their_minor) < 2)


def test_a_version_that_cannot_be_read_agrees_with_itself():
    assert is_compatible("devel", "devel")
    assert not is_compatible("devel", "0.1.0")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("h", "h:7323"),
        ("h:9", "h:9"),
        ("10.0.0.1", "10.0.0.1:7323"),
        ("fd00::1", "[fd00::1]:7323"),
        ("[fd00::1]:9", "[fd00::1]:9"),
        ("[fd00::1]", "[fd00::1]:7323"),
    ],
)
def test_what_people_type_for_a_server(typed, meant):
    assert with_port(typed) == meant
