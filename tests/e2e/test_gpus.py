"""A whole server on a machine whose NVIDIA driver is a fake, and whose GPUs come, go and break."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.drivers import FakeDriver
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> FakeDriver:
    driver = FakeDriver(tmp_path_factory.mktemp("driver"))
    driver.plug("NVIDIA H200", "NVIDIA H200", "NVIDIA H200", memory_mb=143_771)
    return driver


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, driver: FakeDriver) -> Iterator[LiveServer]:
    with driver.in_charge(), live_server(tmp_path_factory.mktemp("furnace") / "danlu") as server:
        yield server


def gpus(server: LiveServer) -> list[dict]:
    (node,) = server.http.get("/nodes").json()
    return node["gpus"]


def states(server: LiveServer) -> list[str]:
    return [gpu["state"] for gpu in gpus(server)]


def wait_states(server: LiveServer, *wanted: str) -> list[dict]:
    wait_until(lambda: states(server) == list(wanted), what=f"{wanted} (they are {states(server)})")
    return gpus(server)


def place(server: LiveServer, index: int) -> str:
    return f"{gpus(server)[0]['node']}:{index}"


@pytest.fixture
def foreigner() -> Iterator[subprocess.Popen[bytes]]:
    """A process that Danlu did not start."""
    as_nobody = {"user": "nobody"} if os.geteuid() == 0 else {}
    process = subprocess.Popen(["sleep", "300"], **as_nobody)
    wait_until(lambda: Path(f"/proc/{process.pid}/comm").read_text() == "sleep\n")
    yield process
    process.kill()
    process.wait()


def test_a_foreign_process_keeps_a_gpu_busy_and_is_listed_with_its_owner(server, driver, foreigner):
    assert states(server) == ["free", "free", "free"]
    driver.occupy(1, (foreigner.pid, 900))
    gpu = wait_states(server, "free", "foreign", "free")[1]
    owner = "nobody" if os.geteuid() == 0 else gpu["processes"][0]["user"]
    (process,) = gpu["processes"]
    assert process == {
        "pid": foreigner.pid,
        "user": owner,
        "command": "sleep",
        "memory_mb": 900,
        "job": None,
        "graphics": False,
    }
    assert (gpu["used_mb"], gpu["temperature_c"], gpu["power_w"]) == (900, 35, 60.0)
    shown = server.cli("gpus").stdout
    assert "in use by others" in shown
    assert f"{owner} sleep {foreigner.pid} (900 MB)" in shown
    job_id = server.submit("true", gpus=3)
    assert server.http.get(f"/jobs/{job_id}/why").json()["message"]
    assert server.state(job_id) == "waiting"
    driver.occupy(1)
    assert server.wait_ended(job_id)["job"]["state"] == "succeeded"


def test_what_a_job_does_on_its_gpu_is_known_as_its_own(server, driver, tmp_path):
    pidfile = tmp_path / "pid"
    job_id = server.submit(f"echo $$ > {pidfile}; echo $CUDA_VISIBLE_DEVICES; sleep 300", gpu_ids=[2])
    server.wait_state(job_id, "running")
    wait_until(lambda: pidfile.exists() and pidfile.read_text().endswith("\n"))
    driver.occupy(2, (int(pidfile.read_text()), 70_000))
    driver.set(2, load=99)

    def its_process() -> dict | None:
        return next((each for each in gpus(server)[2]["processes"] if each["job"] == job_id), None)

    assert wait_until(its_process)["memory_mb"] == 70_000
    gpu = gpus(server)[2]
    assert (gpu["state"], gpu["jobs"], gpu["load"]) == ("used", [job_id], 99)
    server.http.post(f"/jobs/{job_id}/cancel")
    server.wait_ended(job_id)
    driver.occupy(2)
    wait_states(server, "free", "free", "free")


def test_a_gpu_that_breaks_ends_its_job_and_the_other_one_goes_on(server, driver):
    doomed = server.submit("sleep 300", gpu_ids=[0], grace_s=1)
    spared = server.submit("sleep 300", gpu_ids=[1], grace_s=1)
    server.wait_state(doomed, "running")
    server.wait_state(spared, "running")
    driver.break_gpu(0)
    detail = server.wait_ended(doomed)
    assert (detail["job"]["state"], detail["job"]["end_reason"]) == ("failed", "gpu_fault")
    assert "NVML error 15: GPU is lost" in detail["message"]
    assert states(server) == ["faulty", "used", "free"]
    assert "NVML error 15: GPU is lost" in server.cli("gpus").stdout
    assert server.state(spared) == "running"
    driver.mend_gpu(0)
    wait_states(server, "free", "used", "free")
    driver.unload()
    wait_states(server, "faulty", "faulty", "faulty")
    assert server.state(spared) == "running", "a driver that does not answer ends nothing"
    driver.load()
    wait_states(server, "free", "used", "free")
    server.http.post(f"/jobs/{spared}/cancel")
    assert server.wait_ended(spared)["job"]["state"] == "cancelled"


def test_a_gpu_that_vanishes_is_missed_over_a_restart_until_it_is_removed(server, driver):
    driver.unplug(1)
    wait_states(server, "free", "faulty", "free")
    server.stop()
    server.start()
    missing, last = wait_states(server, "free", "faulty", "free")[1:]
    assert "does not list it any more" in missing["fault"]
    assert last["uuid"] == "GPU-fake-2"
    job_id = server.submit("echo $CUDA_VISIBLE_DEVICES", gpu_ids=[2])
    log = server.wait_ended(job_id)
    assert log["job"]["state"] == "succeeded"
    path = Path(log["attempts"][0]["tasks"][0]["stdout_path"])
    assert path.read_text() == "GPU-fake-2\n", "CUDA would take 2 for another one now, or for none"
    assert "gone for good" in server.cli("gpu", "remove", place(server, 1)).stdout
    assert [gpu["index"] for gpu in gpus(server)] == [0, 2]
    driver.plug("NVIDIA H200", memory_mb=143_771, uuid="GPU-fake-1")
    server.stop()
    server.start()
    assert [gpu["uuid"] for gpu in gpus(server)] == ["GPU-fake-0", "GPU-fake-1", "GPU-fake-2"]


def test_administrators_decide_about_gpus_and_nobody_else(server):
    first = place(server, 0)
    assert "no longer managed" in server.cli("gpu", "remove", first).stdout
    assert "2 job(s)" in server.cli("gpu", "slots", place(server, 1), "2").stdout
    server.cli("gpu", "drain", place(server, 2))
    cards = wait_states(server, "unmanaged", "free", "drained")
    assert [gpu["slots"] for gpu in cards] == [1, 2, 1]
    node = cards[0]["node"]
    member = make_member(server, "mei", account=os.geteuid() == 0)
    assert member.patch(f"/nodes/{node}/gpus/0", json={"managed": True}).status_code == 403
    assert member.get(f"/nodes/{node}").json()["gpus"][0]["state"] == "unmanaged"
    for bad in ({"slots": 0}, {"slots": 17}, {"slot": 2}, {"managed": "perhaps"}):
        assert server.http.patch(f"/nodes/{node}/gpus/0", json=bad).status_code == 422
    assert server.http.patch(f"/nodes/{node}/gpus/7", json={"slots": 2}).json()["code"] == "no_such_gpu"
    restored = {"managed": True, "slots": 1, "drained": False}
    for index in range(3):
        assert server.http.patch(f"/nodes/{node}/gpus/{index}", json=restored).status_code == 200
    assert states(server) == ["free", "free", "free"]
