"""Takes the pictures of the guides: a small lab at work, in both languages.

python docs/screenshots.py [NAME…]             into docs/images: all, or the named ones
python docs/screenshots.py ./FOLDER [NAME…]    every page, in three widths
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page

from tests.support.browser import Person, Windows, chromium
from tests.support.hosts import Master, hosts
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member
from tests.web.conftest import ENTRY

IMAGES = ROOT / "docs" / "images"
WIDTHS = {390: 844, 1280: 800, 1920: 1080}
TRAINING = """\
python3 - <<'END'
import math, sys, time
print("\\x1b[1mtraining resnet50\\x1b[0m on data/pets, 400 epochs")
for epoch in range(1, 400):
    for step in range(21):
        bar = "#" * step + "." * (20 - step)
        loss = 2.3 * math.exp(-epoch / 18) + 0.02 * (20 - step)
        print(f"\\repoch {epoch:2d}/400 [{bar}] loss {loss:.3f}", end="")
        sys.stdout.flush()
        time.sleep(0.02)
    print(f"   \\x1b[32mval acc {1 - 0.7 * math.exp(-epoch / 14):.3f}\\x1b[0m")
END
"""

RANKS = """\
python3 - <<'END'
import os, time
rank, nodes = os.environ["DANLU_RANK"], os.environ["NNODES"]
print(f"rank {rank} of {nodes} on {os.environ['DANLU_NODES'].split(',')[int(rank)]}, "
      f"meeting at {os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}", flush=True)
for step in range(1, 2000):
    if rank == "0":
        print(f"step {step:4d}  loss {11 / (1 + step / 40):.3f}  8.{step % 10} k tokens/s", flush=True)
    elif step % 20 == 0:
        print(f"step {step:4d}  gradients in 0.{30 + step % 9} s", flush=True)
    time.sleep(0.4)
END
"""


@contextmanager
def lab() -> Iterator[tuple[LiveServer, dict[str, int]]]:
    """Three nodes with four GPUs each, and people who use them."""
    with (
        tempfile.TemporaryDirectory(prefix="danlu-pictures-") as folder,
        live_server(Path(folder) / "danlu", "--simulate", "3x4", entry=ENTRY) as server,
    ):
        # The account of every Linux that owns nothing: these jobs only print and sleep.
        vision, speech = make_member(server, "vision"), make_member(server, "speech")
        jobs: dict[str, int] = {}

        def submit(key: str, client, **fields) -> None:
            answer = client.post("/jobs", json={"directory": "/tmp", **fields})
            assert answer.status_code == 201, answer.text
            jobs[key] = answer.json()["id"]

        mine = server.http
        submit("prepared", mine, command="echo done", name="prepare-pets")
        submit(
            "broken",
            vision,
            command="echo 'ValueError: bad label' >&2; exit 1",
            name="detector-smoke",
            gpus=1,
        )
        server.wait_ended(jobs["prepared"])
        server.wait_ended(jobs["broken"])
        submit("ranks", mine, command=RANKS, name="pretrain-llm", nodes="2", gpus=2, restartable=True)
        wait_until(lambda: server.state(jobs["ranks"]) == "running", what="both ranks")
        submit("training", mine, command=TRAINING, name="train-resnet50", gpus=2, description="400 epochs")
        submit("detector", vision, command="sleep 600", name="detector-v3", gpus=3)
        submit("asr", speech, command="sleep 600", name="asr-large", gpus=1)
        submit("tuning", speech, command="sleep 600", name="lr-tuning", array="0-15%1", gpus=1)
        submit("demo", vision, command="sleep 600", name="label-demo", gpus=1, share=True, gpu_memory_mb=4000)
        submit("notebook", mine, command="sleep 600", name="notebook", gpus=1, share=True, gpu_memory_mb=2000)
        submit("big", vision, command="sleep 60", name="pretrain-vit", gpus=4)
        submit("after", mine, command="echo eval", name="evaluate", gpus=1, after_ok=[jobs["training"]])
        submit("held", mine, command="echo", name="next-week", hold=True)
        submit("urgent", speech, command="sleep 30", name="demo-friday", gpus=4, urgent=True)
        wait_until(lambda: server.state(jobs["training"]) == "running", what="the training")
        server.http.post("/nodes/sim3/gpus/3/drain")
        time.sleep(12)  # charts and a log that have something to show
        yield server, jobs


@contextmanager
def cluster() -> Iterator[tuple[LiveServer, dict[str, int]]]:
    """Five machines, one of them drained and one lost, and jobs over several of them."""
    names = ("gpu1", "gpu2", "gpu3", "gpu4", "gpu5")
    with (
        tempfile.TemporaryDirectory(prefix="danlu-pictures-") as folder,
        hosts(len(names), Path(folder), names=names) as (first, *others),
    ):
        master = Master(first, "--cluster", "--simulate", "8").start(entry=ENTRY)
        nodes = [each.join(master, "--simulate", "8") for each in others]
        jobs = {
            "ranks": master.submit(RANKS, name="pretrain-llm", nodes="2", gpus=4, restartable=True),
            "stays": master.submit("sleep 600", name="simulation", gpus=3, node="gpu5"),
            "grows": master.submit("sleep 600", name="finetune", nodes="1:2", gpus=2, restartable=True),
        }
        for job in jobs.values():
            master.wait_state(job, "running")
        master.http.post("/nodes/gpu4/drain")
        nodes[-1].kill()
        master.wait_node("gpu5", "lost")
        time.sleep(12)  # charts and a log that have something to show
        yield master, jobs


def pages_of(jobs: dict[str, int]) -> dict[str, str]:
    return {
        "overview": "/",
        "waiting": "/jobs?area=waiting",
        "search": f"/jobs/{jobs['training']}",
        "running": "/jobs?area=running",
        "history": "/jobs?area=history",
        "job": f"/jobs/{jobs['training']}",
        "waiting-job": f"/jobs/{jobs['after']}",
        "array": f"/jobs/{jobs['tuning']}",
        "new-job": f"/jobs/new?like={jobs['training']}",
        "new-ranks": f"/jobs/new?like={jobs['ranks']}",
        "edit": f"/jobs/{jobs['after']}/edit",
        "node": "/nodes/sim1",
        "examples": "/examples",
        "account": "/account",
        "server-log": "/server-log",
        "scheduling": "/admin",
        "users": "/admin/users",
        "settings": "/admin/settings",
        "backups": "/admin/backups",
        "wall": "/wall",
    }


def cluster_pages_of(jobs: dict[str, int]) -> dict[str, str]:
    return {
        "nodes": "/nodes",
        "add-node": "/nodes",
        "ranks": f"/jobs/{jobs['ranks']}?rank=1",
        "unreachable": f"/jobs/{jobs['stays']}",
        "lost-node": "/nodes/gpu5",
    }


IN_THE_GUIDES = (
    "overview",
    "search",
    "waiting",
    "job",
    "new-job",
    "node",
    "examples",
    "wall",
    "users",
    "nodes",
    "add-node",
    "ranks",
)
CANCEL = {"en": "Cancel job", "zh": "取消任务"}
ADD_NODE = {"en": ("Add a node", "Create the command"), "zh": ("添加节点", "生成命令")}


def add_node(page: Page, language: str) -> None:
    for word in ADD_NODE[language]:
        page.get_by_role("button", name=word).click()


def photograph(
    windows: Windows, server: LiveServer, pages: dict[str, str], everything: Path | None, only: set[str]
) -> None:
    folder = everything or IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    for language in ("en", "zh"):
        for width, height in WIDTHS.items() if everything else [(1280, 800)]:
            person = Person(windows, server, language=language, width=width, height=height)
            person.sign_in()
            for name, path in pages.items():
                if name not in (only or (pages if everything else IN_THE_GUIDES)):
                    continue
                page = person.go(path)
                page.wait_for_load_state("load")
                if name == "add-node":
                    add_node(page, language)
                if name == "search":
                    page.get_by_role("button", name=CANCEL[language]).wait_for()
                    page.keyboard.press("Control+k")
                    page.keyboard.type("re")
                page.wait_for_timeout(1500)
                suffix = f"-{width}" if everything else ""
                page.screenshot(path=folder / f"{name}.{language}{suffix}.png")
            # The machines of the cluster are reached over plain HTTP, of which the browser complains.
            person.forgive("Cross-Origin-Opener-Policy")
            person.leave()


def main(arguments: list[str]) -> None:
    everything = next((Path(each) for each in arguments if "/" in each), None)
    only = {each for each in arguments if "/" not in each}
    with chromium() as browser:
        windows = Windows(browser)
        for place, pages in ((lab, pages_of), (cluster, cluster_pages_of)):
            if only and not only & pages(defaultdict(int)).keys():
                continue
            with place() as (server, jobs):
                photograph(windows, server, pages(jobs), everything, only)


if __name__ == "__main__":
    main(sys.argv[1:])
