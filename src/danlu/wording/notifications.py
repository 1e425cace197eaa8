"""What people are told of their jobs through channels such as mail."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "notifications.started": ("Job {job} has started", "任务 {job} 已开始运行"),
    "notifications.started.body": (
        "Job {job} is running now. `danlu logs -f {job}` follows its log.",
        "任务 {job} 正在运行。用 `danlu logs -f {job}` 跟踪它的日志。",
    ),
    "notifications.succeeded": ("Job {job} has succeeded", "任务 {job} 已成功"),
    "notifications.succeeded.body": (
        "Job {job} has ended well. `danlu show {job}` shows what it used.",
        "任务 {job} 已成功结束。用 `danlu show {job}` 查看它用了多少资源。",
    ),
    "notifications.failed": ("Job {job} has failed", "任务 {job} 已失败"),
    "notifications.failed.body": (
        "Job {job} has ended badly. `danlu show {job}` says why, `danlu logs {job}` shows its log.",
        "任务 {job} 已失败。用 `danlu show {job}` 查看原因，用 `danlu logs {job}` 查看日志。",
    ),
    "notifications.cancelled": ("Job {job} was cancelled", "任务 {job} 已取消"),
    "notifications.cancelled.body": (
        "Job {job} was cancelled. `danlu logs {job}` shows what it had written by then.",
        "任务 {job} 已被取消。用 `danlu logs {job}` 查看它此前写下的日志。",
    ),
}
