"""Actions on many jobs at once."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.no_such_bulk_action": (
        "There is no bulk action {id}, or it is no longer kept.",
        "没有编号为 {id} 的批量操作，或已不再保留。",
    ),
    "errors.no_such_bulk_action.hint": (
        "Restarting the server ends a bulk action; what it had done stays done. Look at the list of "
        "jobs, and do the rest again.",
        "服务重启会中止批量操作，已完成的部分保留。请查看任务列表，对其余任务重新操作。",
    ),
    "errors.bulk_action_under_way": (
        "Another of your bulk actions is still running.",
        "您的另一个批量操作还在进行。",
    ),
    "errors.bulk_action_under_way.hint": (
        "Wait until it is done, or stop it first.",
        "请等它完成，或先停止它。",
    ),
    "errors.bulk_action_final": ("This action cannot be undone.", "该操作无法撤销。"),
    "errors.bulk_action_final.hint": (
        "Only hold and release can be undone, and only once the action has finished.",
        "只有挂起和释放可以撤销，并且要等操作结束。",
    ),
    "errors.bulk_action_failed": (
        "The action stopped before it was finished: {reason}.",
        "操作未能全部完成：{reason}。",
    ),
    "errors.bulk_action_failed.hint": (
        "What was done stays done. The server's log says more; do the rest again.",
        "已完成的部分保留。详情见服务日志；请对其余任务重新操作。",
    ),
    "errors.too_many_jobs_match": (
        "More than {most} jobs match: too many for one action.",
        "符合条件的任务超过 {most} 个，无法一次处理。",
    ),
    "errors.too_many_jobs_match.hint": (
        "Narrow the filter and do it in parts.",
        "请缩小筛选范围，分批处理。",
    ),
}
