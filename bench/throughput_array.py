"""The tasks of one array of 1,000, submitted to finished, per second; and what 10,000 cost to submit."""

from __future__ import annotations

import time

from harness import CannotRun, Options, Report, Verdict, at_least, median, run, table
from hyperqueue_peer import hyperqueue_array
from installation import SLOTS, installation
from sampling import sampled
from slurm_peer import slurm_array

from danlu.sdk.errors import ApiError

JOB = {"command": "true", "gpus": 1, "directory": "/tmp", "name": "array"}


def measure_danlu(options: Options, tasks: int, rounds: int) -> dict[str, float]:
    with installation("--simulate", f"1x{SLOTS}") as server, server.client() as client:
        client.jobs.submit(JOB)
        server.wait_finished(client)

        def one_array() -> float:
            started = time.perf_counter()
            client.jobs.submit({**JOB, "array": f"0-{tasks - 1}"})
            server.wait_finished(client)
            return tasks / (time.perf_counter() - started)

        try:
            rates = [one_array() for _ in range(rounds)]
        except ApiError as refusal:
            raise CannotRun(f"this Danlu refuses an array: {refusal}") from refusal
        server.check_all_succeeded(client, rounds)
        with sampled(server.process.pid, "the server, an array", wanted=options.profile):
            if options.profile:
                one_array()
        started = time.perf_counter()
        client.jobs.submit({**JOB, "array": f"0-{10 * tasks - 1}", "hold": True})
        return {"rate": median(rates), "submit_large_s": time.perf_counter() - started}


def measure(options: Options) -> Report:
    tasks, rounds = (40, 1) if options.quick else (1_000, 3)
    report = Report("throughput of an array")
    found = {"danlu": measure_danlu(options, tasks, rounds)}
    for peer, measure_peer in (("slurm", slurm_array), ("hyperqueue", hyperqueue_array)):
        if options.peers:
            try:
                found[peer] = measure_peer(tasks, rounds)
            except CannotRun as problem:
                report.notes.append(f"{peer} was not measured: {problem}")
    rows = [(who, each["rate"], 1_000 * each["submit_large_s"]) for who, each in found.items()]
    table([("system", "tasks/s", f"ms to submit {10 * tasks}"), *rows])
    report.figures = {"tasks": tasks, "slots": SLOTS, "found": found}
    report.said = ", ".join(f"{who} {each['rate']:.0f}/s" for who, each in found.items())
    for peer, target in (("slurm", 5.0), ("hyperqueue", 0.5)):
        report.verdicts.append(
            at_least(found["danlu"]["rate"] / found[peer]["rate"], target, peer)
            if peer in found
            else Verdict(f"no {peer}", f">= {target:g} x {peer}")
        )
    large_ms = 1_000 * found["danlu"]["submit_large_s"]
    report.verdicts.append(Verdict(f"{large_ms:.0f} ms to submit {10 * tasks}"))
    return report


if __name__ == "__main__":
    run("throughput_array", measure)
