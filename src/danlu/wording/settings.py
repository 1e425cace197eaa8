"""What each setting of the lab is, for the page that changes it. The command words its own options."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "settings.server_log_for_members": ("Members may read the server log", "允许成员查看服务器日志"),
    "settings.server_log_for_members.text": (
        "It contains no secrets, but it does contain the names of jobs, nodes and users. Administrators "
        "can always read it.",
        "日志中不会出现密码等机密，但会有任务、节点和用户的名称。管理员始终可以查看。",
    ),
    "settings.default_gpus": ("GPUs for a new job", "新任务使用的 GPU 数"),
    "settings.default_gpus.text": (
        "How many GPUs a job gets on each node when neither the job nor its owner's defaults say. If no "
        "node it may run on has that many, it gets as many as there are. 0 runs it on the CPU.",
        "任务和任务主人的默认值都没有指定 GPU 时，在每个节点上使用几块。可用节点没有这么多时，有多少用多"
        "少。0 表示在 CPU 上运行。",
    ),
    "settings.auto_gpus": ('Most GPUs for "auto"', "“自动”最多使用的 GPU 数"),
    "settings.auto_gpus.text": (
        "The most GPUs of a node that a job gets when it leaves the number to Danlu.",
        "任务把 GPU 数交给丹炉决定时，在一个节点上最多得到多少块。",
    ),
    "settings.auto_nodes": ('Most nodes for "auto"', "“自动”最多使用的节点数"),
    "settings.auto_nodes.text": (
        "The most nodes that a job gets when it leaves the number to Danlu.",
        "任务把节点数交给丹炉决定时，最多得到多少个。",
    ),
    "settings.stage_folder": ("Folder for staged data", "预复制数据的目录"),
    "settings.stage_folder.text": (
        "Where each node keeps the data it copies for jobs. Empty means /var/tmp.",
        "各节点存放为任务预复制的数据的位置。留空表示 /var/tmp。",
    ),
    "settings.stage_disk_percent": ("Disk use before staged data is removed", "清除预复制数据的磁盘占用"),
    "settings.stage_disk_percent.text": (
        "When the disk with staged data is fuller than this, data that no job uses is removed.",
        "存放预复制数据的磁盘超过这个占用时，清除没有任务使用的数据。",
    ),
    "settings.events_days": ("Days to keep events", "事件保留天数"),
    "settings.events_days.text": (
        "Counted from the end of the job. Jobs, attempts and logs stay. 0 keeps events forever.",
        "任务的事件从任务结束算起。任务、运行记录和日志不受影响。0 表示一直保留。",
    ),
    "settings.audit_days": ("Days to keep the audit log", "审计日志保留天数"),
    "settings.audit_days.text": (
        "How long it is kept who did what. Removing old entries leaves an entry. 0 keeps them forever.",
        "谁做了什么的记录保留多久。清除旧记录本身也会留下记录。0 表示一直保留。",
    ),
    "settings.job_log_limit_mb": ("Largest log of a job", "单个任务的日志上限"),
    "settings.job_log_limit_mb.text": (
        "A log that grows larger loses its middle; the job goes on. 0 keeps everything.",
        "日志超出后会截去中间部分，任务继续运行。0 表示全部保留。",
    ),
    "settings.all_logs_limit_mb": ("All logs on a node together", "一个节点上所有日志的上限"),
    "settings.all_logs_limit_mb.text": (
        "When the logs on a node take more than this, the largest are cut first. 0 means no limit.",
        "节点上的日志总量超出后，先截短最大的。0 表示不限。",
    ),
    "settings.limit_cpus": ("Hold jobs to the CPUs they ask for", "按申请限制任务的 CPU"),
    "settings.limit_cpus.text": (
        "A job that asks for CPUs is slowed down when it uses more. A job that asks for none is not "
        "limited. Running jobs keep what they started with.",
        "申请了 CPU 的任务超出时会被限速；没有申请的任务不受限制。对正在运行的任务不生效。",
    ),
    "settings.limit_memory": ("Hold jobs to the memory they ask for", "按申请限制任务的内存"),
    "settings.limit_memory.text": (
        "A job that asks for memory is killed when it uses more, and ends as out of memory. A job that "
        "asks for none is not limited. Running jobs keep what they started with.",
        "申请了内存的任务超出时会被终止，以内存不足结束；没有申请的任务不受限制。对正在运行的任务不生效。",
    ),
    "settings.unit.gpus": ("GPUs", "块"),
    "settings.unit.nodes": ("nodes", "个"),
    "settings.unit.percent": ("%", "%"),
    "settings.unit.days": ("days", "天"),
    "settings.unit.mb": ("MB", "MB"),
}
