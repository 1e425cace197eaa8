"""What is not there, or not for the user who asks."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.key_reused": (
        "This idempotency key was already used for another job ({job}) with different values.",
        "该幂等键已用于内容不同的任务（{job}）。",
    ),
    "errors.key_reused.hint": ("Use a new key for a new job.", "新任务请使用新的键。"),
    "errors.no_such_job": ("There is no job {job}.", "没有任务 {job}。"),
    "errors.no_such_job.hint": ("danlu ps --all lists jobs.", "可用 danlu ps --all 查看任务。"),
    "errors.no_such_job.hint.page": ("Look for it in the list of jobs.", "请在任务列表中查找。"),
    "errors.not_yours": (
        "Job {job} belongs to {owner}; only its owner, their mentor or an administrator may do this.",
        "任务 {job} 属于 {owner}，只有其本人、其导师或管理员可以操作。",
    ),
    "errors.not_yours.hint": ("Ask {owner} or an administrator.", "请联系 {owner} 或管理员。"),
    "errors.mentors_only_stop": (
        "Job {job} belongs to {owner}: as their mentor you may look at it, cancel, hold and release it, "
        "but only its owner or an administrator may change it.",
        "任务 {job} 属于 {owner}：作为其导师，您可以查看、取消、暂停和恢复该任务，"
        "但只有其本人或管理员可以修改。",
    ),
    "errors.mentors_only_stop.hint": ("Ask {owner} to do it.", "请让 {owner} 自行操作。"),
    "errors.not_your_group": (
        "You neither lead the group {group} nor are in it.",
        "您既不负责分组 {group}，也不在其中。",
    ),
    "errors.not_your_group.hint": ("Ask an administrator.", "请联系管理员。"),
    "errors.admin_only": ("Only an administrator may do this.", "只有管理员可以这样做。"),
    "errors.admin_only.hint": ("Ask an administrator.", "请联系管理员。"),
    "errors.server_log_closed": (
        "The server's log is for administrators.",
        "服务器日志仅供管理员查看。",
    ),
    "errors.server_log_closed.hint": (
        "An administrator can open it to members: danlu settings --server-log-for-members on.",
        "管理员可以对成员开放：danlu settings --server-log-for-members on。",
    ),
    "errors.server_log_closed.hint.page": (
        "An administrator can open it to members in the settings.",
        "管理员可以在设置中对成员开放。",
    ),
}
