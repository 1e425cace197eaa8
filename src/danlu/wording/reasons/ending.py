"""Why it ended."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    # Why it ended.
    "reasons.completed": ("It succeeded.", "运行成功。"),
    "reasons.exit_code": ("Its command ended with exit code {exit_code}.", "命令以退出码 {exit_code} 结束。"),
    "reasons.signal": (
        "It was killed by signal {signal} ({signal_name}).",
        "被信号 {signal}（{signal_name}）终止。",
    ),
    "reasons.out_of_memory": (
        "It ran out of memory and was killed (peak / asked for: {detail}). Ask for more with "
        "{option:memory_mb}, or make it use less.",
        "内存不足，已被终止（峰值 / 申请：{detail}）。请用 {option:memory_mb} 申请更多内存，或减少内存用量。",
    ),
    "reasons.time_limit": ("It reached its time limit and was stopped.", "达到时间限制，已被停止。"),
    "reasons.cancelled": ("It was cancelled.", "已被取消。"),
    "reasons.requeued": (
        "It was stopped together with the server and went back to the front of the queue.",
        "随服务一起停止，已回到队首。",
    ),
    "reasons.resized": (
        "It was stopped to continue with a different number of nodes.",
        "为调整节点数而停止，随即继续运行。",
    ),
    "reasons.not_started": (
        "It was interrupted before its command began; it starts again by itself.",
        "在命令开始之前被中断，将自动重新启动。",
    ),
    "reasons.directory_missing": (
        "Its working folder could not be entered: {detail}. Check the folder and its permissions, then "
        "edit the job.",
        "无法进入工作目录：{detail}。请检查该目录及权限后修改任务。",
    ),
    "reasons.output_unwritable": (
        "Its output file could not be written: {detail}. Choose another file with {option:stdout} or "
        "{option:stderr}.",
        "无法写入输出文件：{detail}。请用 {option:stdout} 或 {option:stderr} 更换文件。",
    ),
    "reasons.environment_missing": (
        "Its environment was not found: {detail}",
        "找不到运行环境：{detail}",
    ),
    "reasons.stage_missing": (
        "The data it wanted staged is not on its node: {detail}. Check the path, and that the node can "
        "see it.",
        "节点上没有要预复制的数据：{detail}。请检查路径，以及该节点能否看到它。",
    ),
    "reasons.stage_forbidden": (
        "Its account may not read the data it wanted staged: {detail}. Check the permissions.",
        "任务的账号无权读取要预复制的数据：{detail}。请检查权限。",
    ),
    "reasons.stage_full": (
        "Its node's disk has no room for the data it wanted staged: {detail}. Stage less, run it on "
        "another node, or ask an administrator.",
        "节点本地磁盘没有足够的空间预复制数据：{detail}。请减少预复制的数据、换一个节点，或联系管理员。",
    ),
    "reasons.stage_failed": (
        "The data it wanted staged could not be copied to its node: {detail}",
        "数据未能复制到节点本地磁盘：{detail}",
    ),
    "reasons.command_unrunnable": (
        "Its command could not be run: {detail}",
        "命令无法执行：{detail}",
    ),
    "reasons.no_account": (
        "Its node has no Unix account that it may run as: {detail}. Ask an administrator: users are "
        "mapped to accounts, which must be the same on all nodes.",
        "节点上没有可用来运行它的系统账号：{detail}。请联系管理员：用户对应的系统账号在所有节点上必须相同。",
    ),
    "reasons.launch_failed": ("It could not be started: {detail}", "无法启动：{detail}"),
    "reasons.vanished": (
        "Its processes disappeared and left no exit status (killed from outside, perhaps by the kernel).",
        "进程消失且未留下退出状态（可能被外部或内核杀死）。",
    ),
    "reasons.node_rebooted": ("Its node restarted while it was running.", "运行期间节点重启了。"),
    "reasons.gpu_fault": (
        "One of its GPUs failed: {detail}. Run it again (danlu resubmit), or submit it with "
        "{option:retries}: then it gets another GPU.",
        "它使用的 GPU 发生故障：{detail}。请重新运行（danlu resubmit），或提交时设置 {option:retries}，届"
        "时会使用其他 GPU。",
    ),
    "reasons.gpu_fault.page": (
        "One of its GPUs failed: {detail}. Run it again, or submit it with {option:retries}: then it "
        "gets another GPU.",
        "它使用的 GPU 发生故障：{detail}。请重新运行，或提交时设置 {option:retries}，届时会使用其他 GPU。",
    ),
    "reasons.node_lost_end": ("Its node was lost while it was running.", "运行期间节点失联。"),
}
