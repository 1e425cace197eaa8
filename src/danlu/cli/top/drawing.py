"""Lines of text for nodes, GPUs and jobs, as wide as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import set_cell_size
from rich.text import Text

from danlu.cli.job_wording import place_of, remark_on
from danlu.cli.layout import ago, clean, elapsed, shorten
from danlu.wire.units import show_memory

if TYPE_CHECKING:
    from danlu.cli.session import Session
    from danlu.wire.jobs import JobRow
    from danlu.wire.nodes.node import GpuRow, NodeRow

WIDE = 110
"""From so many columns on there is room for more of everything."""
FAINT = "bright_black"
STATE_STYLES = {
    "waiting": "yellow",
    "held": "magenta",
    "starting": "cyan",
    "running": "cyan",
    "stopping": "magenta",
    "succeeded": "green",
    "failed": "red",
}
GPU_STYLES = {
    "free": "green",
    "used": "cyan",
    "foreign": "yellow",
    "drained": FAINT,
    "unmanaged": FAINT,
    "faulty": "bold red",
    "lost": "red",
}
_EIGHTHS = " ▏▎▍▌▋▊▉"


def bar(fraction: float | None, columns: int) -> Text:
    """A bar of so many columns, exact to an eighth of a column. Without a number it is empty."""
    whole, part = divmod(round(min(max(fraction or 0.0, 0.0), 1.0) * columns * 8), 8)
    drawn = "█" * whole + (_EIGHTHS[part] if part else "")
    return Text.assemble((drawn, _heat(fraction or 0.0)), ("─" * (columns - len(drawn)), FAINT))


def draw_node(session: Session, node: NodeRow, columns: int) -> Text:
    state = session.say(f"cli.node.{node.state}")
    if node.state == "lost":
        state = f"{state} {ago(session, node.since)}"
    marks = [session.say(f"cli.node.{mark}") for mark in ("drained", "simulated") if getattr(node, mark)]
    style = "red" if node.state == "lost" else "yellow" if node.drained else "green"
    used = sum(gpu.state == "used" for gpu in node.gpus)
    facts = session.say(
        "cli.top.node",
        gpus_used=used,
        gpus=len(node.gpus),
        cpus_used=node.cpus_used,
        cpus=node.cpus,
        memory_used=show_memory(node.memory_used_mb),
        memory=show_memory(node.memory_mb),
    )
    line = Text.assemble((_tidy(node.name), "bold"), "  ", (", ".join([state, *marks]), style), "  ", facts)
    line.truncate(columns, overflow="ellipsis")
    return line


def draw_gpu(session: Session, gpu: GpuRow, columns: int) -> Text:
    """`0 ████── 67%  ███─── 12/24 GB  65°C 250W  #12 li`"""
    long = columns >= WIDE
    length = min(max(10 + (columns - 80) // 8, 4), 24)
    load = None if gpu.load is None else gpu.load / 100
    memory = None if gpu.used_mb is None or not gpu.memory_mb else gpu.used_mb / gpu.memory_mb
    line = Text(f"  {gpu.index:<3}")
    if long:
        line.append(_fit(shorten(_tidy(gpu.name), 24), 25))
    line += bar(load, length)
    line.append(f" {_number(gpu.load, '%'):>4}  ")
    line += bar(memory, length)
    used = "-" if gpu.used_mb is None else show_memory(gpu.used_mb)
    line.append(f" {used:>7}/{show_memory(gpu.memory_mb):<7}")
    line.append(f"{_number(gpu.temperature_c, '°C'):>5}")
    line.append(f"{_number(gpu.power_w, 'W'):>6}  ")
    line.append(_owner_of(session, gpu), GPU_STYLES.get(gpu.state, ""))
    line.truncate(columns, overflow="ellipsis")
    return line


def _owner_of(session: Session, gpu: GpuRow) -> str:
    """Who has it, or why no job can."""
    if gpu.state == "used":
        jobs = ",".join(f"#{job}" for job in gpu.jobs)
        return f"{jobs} {_tidy(gpu.user or '')}".rstrip()
    said = session.say(f"cli.gpu.{gpu.state}")
    if gpu.state == "foreign":
        users = {process.user for process in gpu.processes if process.job is None and process.user}
        return f"{_tidy(', '.join(sorted(users)))} ({said})" if users else said
    return f"{said}: {_tidy(gpu.fault)}" if gpu.fault else said


def job_headings(session: Session, columns: int) -> Text:
    return _join([(session.say(f"cli.column.{name}"), "bold") for name in _COLUMNS], columns)


def draw_job(session: Session, job: JobRow, columns: int) -> Text:
    since = job.submitted_at if job.area == "waiting" else job.started_at
    state = session.say(f"cli.state.{job.state}") + ("!" if job.urgent and job.area == "waiting" else "")
    plain = "dim" if job.area == "history" else ""
    cells = [
        (job.ref, plain),
        (_tidy(job.name), plain),
        (_tidy(job.owner), plain),
        (state, f"{plain} {STATE_STYLES.get(job.state, '')}"),
        (f"{job.gpus}*" if job.share else str(job.gpus), plain),
        (place_of(job), plain),
        (elapsed(job.ended_at) if job.area == "history" else elapsed(since), plain),
        (_tidy(remark_on(session, job)), plain),
    ]
    return _join(cells, columns)


_COLUMNS = ("job", "name", "owner", "state", "gpus", "where", "time", "remark")
_NARROW = (6, 8, 9, 4, 9, 7)
_BROAD = (8, 12, 11, 5, 16, 9)


def _widths(columns: int) -> tuple[int, ...]:
    """Of all columns but the last. Names get half of what room there is more than on a small terminal."""
    job, *others = _BROAD if columns >= WIDE else _NARROW
    return (job, min(max(14 + (columns - 80) // 2, 14), 32), *others)


def _join(cells: list[tuple[str, str]], columns: int) -> Text:
    """Cells with their styles, each in its column; the last one has the rest of the line."""
    widths = _widths(columns)
    room = max(columns - sum(widths) - len(widths), 0)
    line = Text()
    for (text, style), width in zip(cells, (*widths, room), strict=True):
        line.append(_fit(shorten(text, width), width) if width else "", style.strip())
        line.append(" ")
    line.right_crop(1)
    return line


def _number(value: float | None, unit: str) -> str:
    return "-" if value is None else f"{value:.0f}{unit}"


def _heat(fraction: float) -> str:
    return "red" if fraction >= 0.9 else "yellow" if fraction >= 0.6 else "green"


def _tidy(text: str) -> str:
    """Another user's text on one line."""
    return clean(text).replace("\n", " ").replace("\t", " ")


def _fit(text: str, columns: int) -> str:
    """Exactly so many columns, as the drawing library counts them: its Unicode may be newer than Python's."""
    return set_cell_size(text, columns)
