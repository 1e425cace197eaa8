"""Why a job waits, and why it ended."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    # Why it waits. The facts are the fields of the blocker of the same code.
    "reasons.held": (
        "It is on hold until somebody releases it (danlu release {id}).",
        "任务已被挂起，释放后才会排队（danlu release {id}）。",
    ),
    "reasons.scheduling_paused": (
        "Scheduling is paused by an administrator.",
        "管理员已暂停调度。",
    ),
    "reasons.not_yet": (
        "Its last attempt did not go well; the next one starts in {wait}.",
        "上一次运行不顺利，将在 {wait} 后再次启动。",
    ),
    "reasons.predecessors_running": (
        "It waits for job {jobs} to end.",
        "正在等待前驱任务 {jobs} 结束。",
    ),
    "reasons.predecessors_failed": (
        "It needs job {jobs} to succeed, but that ended without success: run that one again "
        "(danlu edit), or edit this job's predecessors.",
        "它要求任务 {jobs} 成功，但该任务没有成功：请重新运行该任务（danlu edit），或修改本任务的前驱。",
    ),
    "reasons.no_such_hardware": (
        "No node has what it asks for ({ask}); it waits for such hardware to join.",
        "没有任何节点能满足它的要求（{ask}），正在等待这样的硬件加入。",
    ),
    "reasons.node_drained": (
        "Its node {node} is drained and takes no new jobs.",
        "指定的节点 {node} 正在排空，不接受新任务。",
    ),
    "reasons.node_lost": (
        "Its node {node} cannot be reached.",
        "指定的节点 {node} 已失联。",
    ),
    "reasons.nodes_unavailable": (
        "Every node that could run it ({nodes}) is drained or cannot be reached.",
        "能运行它的节点（{nodes}）都在排空或已失联。",
    ),
    "reasons.exact_gpus_busy": (
        "It wants exactly GPU {gpu_ids}{on_node}, which is in use.",
        "它指定的 GPU {gpu_ids}{on_node}正被占用。",
    ),
    "reasons.exact_gpus_drained": (
        "It wants exactly GPU {gpu_ids}{on_node}, which is drained.",
        "它指定的 GPU {gpu_ids}{on_node}正在排空。",
    ),
    "reasons.exact_gpus_faulty": (
        "It wants exactly GPU {gpu_ids}{on_node}, which is out of order (danlu gpus says why).",
        "它指定的 GPU {gpu_ids}{on_node}出现故障（原因见 danlu gpus）。",
    ),
    "reasons.gpus_busy": (
        "It is next in line and wants {wanted} free GPU(s) on one node{on_node}; "
        "the most free now is {free}.",
        "已轮到它，需要同一节点{on_node}上有 {wanted} 块空闲 GPU，目前最多只有 {free} 块。",
    ),
    "reasons.gpus_busy_foreign": (
        "It is next in line and wants {wanted} free GPU(s) on one node{on_node}; the most free now is "
        "{free}. {foreign} GPU(s) are in use by processes that Danlu did not start (danlu gpus names them).",
        "已轮到它，需要同一节点{on_node}上有 {wanted} 块空闲 GPU，目前最多只有 {free} 块。"
        "有 {foreign} 块 GPU 正被 Danlu 之外的进程占用（详见 danlu gpus）。",
    ),
    "reasons.gpu_memory_busy": (
        "It would share {gpus} GPU(s){on_node} with {wanted} free; the most that one has free now is {free}.",
        "它要共享 {gpus} 块 GPU{on_node}，需要 {wanted}空闲显存，目前单卡最多空闲 {free}。",
    ),
    "reasons.half_a_card": ("half of the card's memory", "半张卡的"),
    "reasons.array_full": (
        "At most {at_most} of its tasks run at a time, and so many do.",
        "它最多同时运行 {at_most} 个子任务，现已达到上限。",
    ),
    "reasons.array_running": (
        "Of its {total} tasks {active} run, {waiting} wait, {succeeded} succeeded, {failed} failed and "
        "{cancelled} were cancelled.",
        "共 {total} 个子任务：{active} 个运行中，{waiting} 个等待，{succeeded} 个成功，{failed} 个失败，"
        "{cancelled} 个已取消。",
    ),
    "reasons.tasks_failed": ("Tasks of it that failed: {detail}.", "失败的子任务：{detail}。"),
    "reasons.cpus_busy": (
        "It wants {wanted} free CPU(s) on one node{on_node}; the most free now is {free}.",
        "需要同一节点{on_node}上有 {wanted} 个空闲 CPU，目前最多只有 {free} 个。",
    ),
    "reasons.memory_busy": (
        "It wants {wanted} of free memory on one node{on_node}; the most free now is {free}.",
        "需要同一节点{on_node}上有 {wanted} 空闲内存，目前最多只有 {free}。",
    ),
    "reasons.behind_in_line": (
        "It is number {place} in line, behind job {head}, which goes first.",
        "排在第 {place} 位，任务 {head} 先于它启动。",
    ),
    "reasons.starting_soon": (
        "It has just been submitted; the scheduler is about to look at it.",
        "刚刚提交，调度器即将处理。",
    ),
    "reasons.part_gpus": ("{gpus} GPU", "{gpus} 块 GPU"),
    "reasons.part_gpu_ids": ("exactly GPU {ids}", "指定 GPU {ids}"),
    "reasons.part_gpu_memory": ("{memory} on each GPU", "每块 GPU {memory} 显存"),
    "reasons.part_cpus": ("{cpus} CPU", "{cpus} 个 CPU"),
    "reasons.part_memory": ("{memory} of memory", "{memory} 内存"),
    "reasons.part_node": ("node {node}", "节点 {node}"),
    "reasons.comma": (", ", "，"),
    "reasons.on_node": (" on node {node}", "（节点 {node}）"),
    # Where a job that does not wait stands.
    "reasons.starting": ("It is starting on {node}.", "正在节点 {node} 上启动。"),
    "reasons.running": ("It is running on {node}.", "正在节点 {node} 上运行。"),
    "reasons.stopping": ("It is being stopped.", "正在停止。"),
    # Why it ended.
    "reasons.completed": ("It succeeded.", "运行成功。"),
    "reasons.exit_code": ("Its command ended with exit code {exit_code}.", "命令以退出码 {exit_code} 结束。"),
    "reasons.signal": (
        "It was killed by signal {signal} ({signal_name}).",
        "被信号 {signal}（{signal_name}）终止。",
    ),
    "reasons.time_limit": ("It reached its time limit and was stopped.", "达到时间限制，已被停止。"),
    "reasons.cancelled": ("It was cancelled.", "已被取消。"),
    "reasons.requeued": (
        "It was stopped together with the service and went back to the head of the line.",
        "随服务一起停止，已回到队首。",
    ),
    "reasons.not_started": (
        "It was cut short before its command began; it starts again by itself.",
        "在命令开始之前被中断，将自动重新启动。",
    ),
    "reasons.directory_missing": (
        "Its working directory could not be entered: {detail}. "
        "Check the folder and its rights, then edit the job.",
        "无法进入工作目录：{detail}。请检查该目录及权限后修改任务。",
    ),
    "reasons.output_unwritable": (
        "Its output file could not be written: {detail}. Choose another --stdout/--stderr.",
        "无法写入输出文件：{detail}。请更换 --stdout/--stderr。",
    ),
    "reasons.environment_missing": (
        "Its environment was not found: {detail}",
        "找不到运行环境：{detail}",
    ),
    "reasons.command_unrunnable": (
        "Its command could not be run: {detail}",
        "命令无法执行：{detail}",
    ),
    "reasons.no_account": (
        "Its owner has no Unix account on the node: {detail}. Ask an administrator to map one.",
        "该用户在节点上没有系统账户：{detail}。请联系管理员设置。",
    ),
    "reasons.launch_failed": ("It could not be launched: {detail}", "无法启动：{detail}"),
    "reasons.vanished": (
        "Its processes disappeared and left no exit status (killed from outside, perhaps by the kernel).",
        "进程消失且未留下退出状态（可能被外部或内核杀死）。",
    ),
    "reasons.node_rebooted": (
        "Its node was restarted while it ran.",
        "运行期间节点重启了。",
    ),
    "reasons.gpu_fault": (
        "A GPU of it broke: {detail}. Run it again (danlu resubmit), or submit it with --retries: "
        "it gets another GPU.",
        "它使用的 GPU 发生故障：{detail}。请重新运行（danlu resubmit），"
        "或提交时加 --retries，届时会使用其他 GPU。",
    ),
    "reasons.node_lost_end": ("Its node was lost while it ran.", "运行期间节点失联。"),
}
