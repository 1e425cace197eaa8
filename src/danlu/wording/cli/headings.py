"""Headings of help."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "cli.heading.usage": ("Usage:", "用法："),
    "cli.heading.arguments": ("Arguments", "参数"),
    "cli.heading.options": ("Options", "选项"),
    "cli.heading.commands": ("Commands", "命令"),
    "cli.heading.examples": ("Examples", "示例"),
    "cli.heading.jobs": ("Jobs", "任务"),
    "cli.heading.cluster": ("Nodes and scheduling", "节点与调度"),
    "cli.heading.server": ("Server and account", "服务与账号"),
}
