"""What holds for every cluster and every line."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from danlu.core.blockers import SchedulingPaused
from danlu.core.resources import Allocation
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.capacity import can_ever_run
from danlu.scheduling.plan import Plan
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot, from_json, to_json
from tests.scheduling import reference
from tests.scheduling.worlds import policies, snapshots

thorough = settings(max_examples=800, deadline=None)
usual = settings(max_examples=200, deadline=None)


@thorough
@given(snapshots(), policies(Ordering.FIFO))
def test_fifo_decides_as_the_slow_reference_does(snapshot: Snapshot, policy: Policy) -> None:
    assert schedule(snapshot, policy).decisions == reference.decide(snapshot, policy)


@thorough
@given(snapshots(), policies(Ordering.BALANCE))
def test_balance_decides_as_the_slow_reference_does(snapshot: Snapshot, policy: Policy) -> None:
    assert schedule(snapshot, policy).decisions == reference.decide(snapshot, policy)


@usual
@given(snapshots(), policies())
def test_nothing_is_given_twice_or_beyond_what_is_there(snapshot: Snapshot, policy: Policy) -> None:
    left = {node.name: node for node in snapshot.nodes}
    asks = {job.id: job.ask for job in snapshot.waiting}
    for decision in schedule(snapshot, policy).decisions:
        ask = asks[decision.job_id]
        for given_ in decision.allocations:
            node = left[given_.node]
            assert node.in_service
            assert len(set(given_.gpu_ids)) == len(given_.gpu_ids) == ask.gpus
            assert set(ask.gpu_ids) <= set(given_.gpu_ids) <= set(node.gpu_ids)
            assert not set(given_.gpu_ids) & (node.used_gpus | node.drained_gpus)
            assert (given_.cpus, given_.memory_mb) == (ask.cpus, ask.memory_mb)
            assert not ask.cpus or node.used_cpus + ask.cpus <= node.cpus
            assert not ask.memory_mb or node.used_memory_mb + ask.memory_mb <= node.memory_mb
            left[node.name] = hold(node, given_)


@usual
@given(snapshots(), policies())
def test_every_rank_is_where_the_job_wants_it(snapshot: Snapshot, policy: Policy) -> None:
    nodes = {node.name: node for node in snapshot.nodes}
    asks = {job.id: job.ask for job in snapshot.waiting}
    for decision in schedule(snapshot, policy).decisions:
        ask, names = asks[decision.job_id], [each.node for each in decision.allocations]
        assert ask.nodes_min <= len(names) <= ask.nodes
        assert len(set(names)) == len(names)
        assert all(reference.is_allowed(ask, nodes[name]) for name in names)
        models = {
            reference.model_of(nodes[each.node], index)
            for each in decision.allocations
            for index in each.gpu_ids
        }
        assert ask.nodes == 1 or len(models) <= 1
        assert all(ask.gpu_model.lower() in model.lower() for model in models)


@usual
@given(snapshots(), policies(paused=st.booleans()), st.data())
def test_the_order_of_the_input_makes_no_difference(
    snapshot: Snapshot, policy: Policy, data: st.DataObject
) -> None:
    shuffled = replace(
        snapshot,
        nodes=tuple(data.draw(st.permutations(snapshot.nodes))),
        waiting=tuple(data.draw(st.permutations(snapshot.waiting))),
        gpus_in_use=dict(reversed([*snapshot.gpus_in_use.items()])),
    )
    assert schedule(snapshot, policy) == schedule(snapshot, policy) == schedule(shuffled, policy)


@usual
@given(snapshots(), policies(paused=st.booleans()))
def test_every_job_is_either_started_or_told_why_not(snapshot: Snapshot, policy: Policy) -> None:
    plan = schedule(snapshot, policy)
    ids = sorted(job.id for job in snapshot.waiting)
    assert sorted([*(decision.job_id for decision in plan.decisions), *plan.blockers]) == ids
    assert sorted(plan.order) == ids
    assert all(plan.blockers.values())
    if policy.paused:
        assert not plan.decisions
        assert all(reasons[0] == SchedulingPaused() for reasons in plan.blockers.values())


@usual
@given(snapshots(), policies())
def test_urgent_jobs_go_first(snapshot: Snapshot, policy: Policy) -> None:
    plan = schedule(snapshot, policy)
    jobs = {job.id: job for job in snapshot.waiting}
    in_queue = [jobs[job_id] for job_id in plan.order if reference.may_start(jobs[job_id], snapshot, policy)]
    assert [job.urgent for job in in_queue] == sorted((job.urgent for job in in_queue), reverse=True)


@usual
@given(snapshots(), policies())
def test_nothing_with_gpus_passes_a_strict_head(snapshot: Snapshot, policy: Policy) -> None:
    plan = schedule(snapshot, policy)
    head = strict_head(snapshot, policy, plan)
    if head is not None:
        behind = set(plan.order[head:])
        assert not any(job.ask.gpus and job.id in behind for job in started(snapshot, plan))


@usual
@given(snapshots(), policies(Ordering.FIFO))
def test_fifo_goes_by_age(snapshot: Snapshot, policy: Policy) -> None:
    plan = schedule(snapshot, policy)
    jobs = {job.id: job for job in snapshot.waiting}
    in_queue = [jobs[job_id] for job_id in plan.order if reference.may_start(jobs[job_id], snapshot, policy)]
    assert in_queue == sorted(in_queue, key=lambda job: (not job.urgent, job.position, job.id))


@usual
@given(snapshots(), policies())
def test_what_was_refused_stays_refused_until_something_is_freed(snapshot: Snapshot, policy: Policy) -> None:
    plan = schedule(snapshot, policy)
    # Others of the head's owner may have started: given that, another user's job is the head by now.
    assume(policy.ordering is Ordering.FIFO or not waits_for_exact_gpus(plan))
    after = apply(snapshot, plan)
    assert schedule(after, policy).decisions == ()


@usual
@given(snapshots(), policies())
def test_jobs_that_can_never_run_are_those_refused_at_submit(snapshot: Snapshot, policy: Policy) -> None:
    plan = schedule(snapshot, policy)
    for job in snapshot.waiting:
        refusal = can_ever_run(job.ask, snapshot.nodes)
        never = ("no_such_hardware", "node_not_for_jobs")
        said = [reason for reason in plan.blockers.get(job.id, ()) if reason.code in never]
        assert said == ([] if refusal is None else [refusal])


@usual
@given(snapshots(), policies(paused=st.booleans()))
def test_a_recorded_pass_replays(snapshot: Snapshot, policy: Policy) -> None:
    assert from_json(to_json(snapshot, policy)) == (snapshot, policy)


def waits_for_exact_gpus(plan: Plan) -> bool:
    return any(reasons[0].code.startswith("exact_gpus_busy") for reasons in plan.blockers.values())


def started(snapshot: Snapshot, plan: Plan) -> list[WaitingJob]:
    ids = {decision.job_id for decision in plan.decisions}
    return [job for job in snapshot.waiting if job.id in ids]


def strict_head(snapshot: Snapshot, policy: Policy, plan: Plan) -> int | None:
    """The place in the order of the head that holds back all GPU jobs behind it; None when there is none."""
    jobs = {job.id: job for job in snapshot.waiting}
    for place, job_id in enumerate(plan.order):
        waits = jobs[job_id].ask.gpus and job_id in plan.blockers
        if waits and reference.may_start(jobs[job_id], snapshot, policy):
            return None if plan.blockers[job_id][0].code.startswith("exact_gpus_busy") else place
    return None


def hold(node: NodeView, given_: Allocation) -> NodeView:
    return replace(
        node,
        used_gpus=node.used_gpus | set(given_.gpu_ids),
        used_cpus=node.used_cpus + given_.cpus,
        used_memory_mb=node.used_memory_mb + given_.memory_mb,
    )


def apply(snapshot: Snapshot, plan: Plan) -> Snapshot:
    nodes = {node.name: node for node in snapshot.nodes}
    usage = dict(snapshot.gpus_in_use)
    users = {job.id: job.owner for job in snapshot.waiting}
    for decision in plan.decisions:
        user = users[decision.job_id]
        for given_ in decision.allocations:
            nodes[given_.node] = hold(nodes[given_.node], given_)
            usage[user] = usage.get(user, 0) + len(given_.gpu_ids)
    ids = {decision.job_id for decision in plan.decisions}
    return replace(
        snapshot,
        nodes=tuple(nodes.values()),
        waiting=tuple(job for job in snapshot.waiting if job.id not in ids),
        gpus_in_use=usage,
    )
