"""What else is checked before a job is accepted: predecessors, variables, sizes."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.no_such_predecessor": ("There is no job {job} to wait for.", "没有可等待的任务 {job}。"),
    "errors.no_such_predecessor.hint": (
        "Check the number with danlu ps --all.",
        "请用 danlu ps --all 核对编号。",
    ),
    "errors.no_such_predecessor.hint.page": ("Choose it from the list of jobs.", "请从任务列表中选择。"),
    "errors.dependency_cycle": (
        "Job {job} would wait for itself through its predecessors.",
        "任务 {job} 的前驱关系形成了循环。",
    ),
    "errors.dependency_cycle.hint": ("Leave out one of the predecessors.", "请去掉其中一个前驱。"),
    "errors.reason_not_retryable": ("{reason} cannot be retried.", "{reason} 不能重试。"),
    "errors.reason_not_retryable.hint": ("Possible: {possible}.", "可选：{possible}。"),
    "errors.reserved_variable": ("Danlu sets the variable {name} itself.", "变量 {name} 由 Danlu 设置。"),
    "errors.reserved_variable.hint": (
        "Leave it out; ask for GPUs with {option:gpus} or {option:gpu_ids}.",
        "请去掉它；用 {option:gpus} 或 {option:gpu_ids} 申请 GPU。",
    ),
    "errors.start_too_large": (
        "The command, arguments and variables together are larger than {limit_kb} KB: no process can "
        "start like that.",
        "命令、参数和变量合计超过 {limit_kb} KB，没有进程能这样启动。",
    ),
    "errors.start_too_large.hint": (
        "Put the large part into a file and name the file.",
        "请把大的部分放进文件，再引用该文件。",
    ),
    "errors.word_too_long": (
        "One word of the command line is longer than {limit_kb} KB: Linux cannot start a program with it.",
        "命令行中有一个词超过 {limit_kb} KB，Linux 无法用它启动程序。",
    ),
    "errors.word_too_long.hint": (
        "Put it into a file and name the file, or write the command as a script of several lines.",
        "请把它放进文件再引用该文件，或把命令写成多行脚本。",
    ),
    "errors.no_such_field": ("A job has no field called {name}.", "任务没有名为 {name} 的字段。"),
    "errors.no_such_field.hint": ("Fields that can be cleared: {possible}.", "可清除的字段：{possible}。"),
}
