"""Why it waits. The facts are the fields of the blocker of the same code."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    # Why it waits. The facts are the fields of the blocker of the same code.
    "reasons.held": (
        "It is on hold until a user releases it (danlu release {id}).",
        "任务已被挂起，释放后才会排队（danlu release {id}）。",
    ),
    "reasons.held.page": ("It is on hold until a user releases it.", "任务已被挂起，释放后才会排队。"),
    "reasons.owner_locked": (
        "An administrator has locked its owner's account; it waits until the account is unlocked.",
        "任务主人的账号已被管理员锁定，解除锁定后才会排队。",
    ),
    "reasons.disk_full": (
        "The server's disk is full: nothing starts until there is room. Ask an administrator.",
        "服务器的磁盘已满：在腾出空间之前不会启动任何任务。请联系管理员。",
    ),
    "reasons.scheduling_paused": ("An administrator has paused scheduling.", "管理员已暂停调度。"),
    "reasons.not_yet": (
        "Its last attempt failed; the next one starts in {wait}.",
        "上一次运行不顺利，将在 {wait} 后再次启动。",
    ),
    "reasons.predecessors_running": (
        "It is waiting for job {jobs} to end.",
        "正在等待前驱任务 {jobs} 结束。",
    ),
    "reasons.predecessors_failed": (
        "It needs job {jobs} to succeed, but that job did not: run that job again (danlu edit), or edit "
        "this job's predecessors.",
        "它要求任务 {jobs} 成功，但该任务没有成功：请重新运行该任务（danlu edit），或修改本任务的前驱。",
    ),
    "reasons.predecessors_failed.page": (
        "It needs job {jobs} to succeed, but that job did not: run that job again, or edit this job's "
        "predecessors.",
        "它要求任务 {jobs} 成功，但该任务没有成功：请重新运行该任务，或修改本任务的前驱。",
    ),
    "reasons.no_such_hardware": (
        "No node has what it asks for ({ask}); it is waiting for such hardware to join.{remark}",
        "没有任何节点能满足它的要求（{ask}），正在等待这样的硬件加入。{remark}",
    ),
    "reasons.removed": (
        " GPUs of {nodes} were removed from Danlu: with them it might start (danlu gpu add).",
        "{nodes} 上有 GPU 已移出丹炉，加回后或可启动（danlu gpu add）。",
    ),
    "reasons.too_few_such_nodes": (
        "It asks for {wanted_nodes} nodes that each have {ask}; there are only {able}. It is waiting for "
        "such hardware to join.",
        "没有 {wanted_nodes} 个各自都满足要求（{ask}）的节点，只有 {able} 个，正在等待这样的硬件加入。",
    ),
    "reasons.only_mixed_nodes": (
        "{mixed} nodes have what it asks for ({ask}), but their GPU models differ, and no model is on "
        "{wanted_nodes} of them: all tasks of a job use the same model. It is waiting for such hardware "
        "to join.",
        "有 {mixed} 个节点满足要求（{ask}），但它们的 GPU 型号不同，没有一种型号遍及 {wanted_nodes} 个节"
        "点：一个任务的所有节点任务使用同一型号的 GPU。正在等待这样的硬件加入。",
    ),
    "reasons.node_not_for_jobs": (
        "Its node {node} does not take such jobs: it has another purpose ({role}).",
        "指定的节点 {node} 另有用途（{role}），不接受这类任务。",
    ),
    "reasons.node_login": (
        "Its node {node} is a login node and takes no jobs; name another node, or none.",
        "指定的节点 {node} 是登录节点，不运行任务；请改用其他节点，或不指定节点。",
    ),
    "reasons.node_transfer": (
        "Its node {node} is a transfer node and takes only jobs without GPUs.",
        "指定的节点 {node} 是传输节点，只接受不使用 GPU 的任务。",
    ),
    "reasons.node_drained": (
        "Its node {node} is drained and takes no new jobs.",
        "指定的节点 {node} 正在排空，不接受新任务。",
    ),
    "reasons.node_lost": (
        "Its node {node} cannot be reached.",
        "指定的节点 {node} 已失联。",
    ),
    "reasons.node_quarantined": (
        "Its node {node} keeps losing its connection, so it is quarantined and takes no new jobs until "
        "an administrator allows it (danlu undrain {node}).",
        "指定的节点 {node} 时断时续，已被隔离，在管理员解除之前（danlu undrain {node}）不接受新任务。",
    ),
    "reasons.node_quarantined.page": (
        "Its node {node} keeps losing its connection, so it is quarantined and takes no new jobs until "
        "an administrator allows it.",
        "指定的节点 {node} 时断时续，已被隔离，在管理员解除之前不接受新任务。",
    ),
    "reasons.node_closed": (
        "Its node {node} has just come back; it takes new jobs once leftover tasks there have stopped.",
        "指定的节点 {node} 刚刚恢复，待其上已作废的节点任务停止后即接受新任务。",
    ),
    "reasons.node_unfit": (
        "Its node {node} is out of service until this is fixed: {why} (danlu nodes {node} says more).",
        "指定的节点 {node} 暂停服务，待以下问题排除后恢复：{why}（详见 danlu nodes {node}）。",
    ),
    "reasons.node_unfit.page": (
        "Its node {node} is out of service until this is fixed: {why} (the node's page says more).",
        "指定的节点 {node} 暂停服务，待以下问题排除后恢复：{why}（详见节点页面）。",
    ),
    "reasons.nodes_unavailable": (
        "Every node that could run it is out of service: {nodes}.{remark}",
        "能运行它的节点都不可用：{nodes}。{remark}",
    ),
    "reasons.node_in_state": ("{node} ({state})", "{node}（{state}）"),
    "reasons.state_lost": ("cannot be reached", "失联"),
    "reasons.state_drained": ("drained", "排空"),
    "reasons.state_quarantined": ("quarantined", "被隔离"),
    "reasons.some_unfit": (
        " Such a node returns to service by itself once the problem is fixed (danlu nodes says more).",
        "自动检查发现的问题排除后会自行恢复（详见 danlu nodes）。",
    ),
    "reasons.some_unfit.page": (
        " Such a node returns to service by itself once the problem is fixed (the node's page says more).",
        "自动检查发现的问题排除后会自行恢复（详见节点页面）。",
    ),
    "reasons.state_closed": ("has just come back", "刚刚恢复"),
    "reasons.too_few_gpus": (
        "It needs {wanted} GPU(s) on one node; {node} has {usable} in service ({out}).{remark}",
        "需要同一节点上有 {wanted} 块 GPU；{node} 目前只有 {usable} 块可用（{out}）。{remark}",
    ),
    "reasons.gpus_drained": ("drained: GPU {ids}", "排空：GPU {ids}"),
    "reasons.gpus_faulty": ("faulty: GPU {ids}", "故障：GPU {ids}"),
    "reasons.others_unavailable": (
        " Other nodes that could run it are out of service: {nodes}.",
        "其他能运行它的节点不可用：{nodes}。",
    ),
    "reasons.avoids_nodes": (
        "It could not be set up on {nodes} because of a problem there, and no other node can run it now; "
        "it will be tried there again in {wait}.",
        "它在 {nodes} 上因节点自身的问题未能启动，目前没有其他节点能运行它；{wait} 后会再次尝试。",
    ),
    "reasons.unfit.disk": ("its disk is full or cannot be written", "磁盘已满或无法写入"),
    "reasons.unfit.folder": ("a shared folder is missing there", "缺少共享目录"),
    "reasons.unfit.clock": ("its clock is wrong", "时钟不准"),
    "reasons.unfit.driver": ("its GPU driver does not work", "GPU 驱动无法工作"),
    "reasons.unfit.setup": ("several jobs in a row could not be set up there", "任务接连无法启动"),
    "reasons.unfit_on": ("{node}: {why}", "{node}：{why}"),
    "reasons.out_of_service": (
        "Out of service: nothing starts there until this is fixed, which Danlu checks by itself: {why}.",
        "暂停服务：以下问题排除前不启动新任务，系统会自动复查：{why}。",
    ),
    "reasons.too_few_nodes": (
        "It needs {wanted} nodes, but only {in_service} of those that could run it are in service; the "
        "others are drained, quarantined, out of service, unreachable or have too few working GPUs: "
        "{nodes}.",
        "它需要 {wanted} 个节点，但能运行它的节点中只有 {in_service} 个可用；以下节点在排空、被隔离、暂停"
        "服务、失联，或可用 GPU 不足：{nodes}。",
    ),
    "reasons.exact_gpus_busy": (
        "It needs exactly GPU {gpu_ids}{on_node}, which is in use.",
        "它指定的 GPU {gpu_ids}{on_node}正被占用。",
    ),
    "reasons.exact_gpus_drained": (
        "It needs exactly GPU {gpu_ids}{on_node}, which is drained.",
        "它指定的 GPU {gpu_ids}{on_node}正在排空。",
    ),
    "reasons.exact_gpus_faulty": (
        "It needs exactly GPU {gpu_ids}{on_node}, which is faulty (danlu gpus says why).",
        "它指定的 GPU {gpu_ids}{on_node}出现故障（原因见 danlu gpus）。",
    ),
    "reasons.exact_gpus_faulty.page": (
        "It needs exactly GPU {gpu_ids}{on_node}, which is faulty (the node's page says why).",
        "它指定的 GPU {gpu_ids}{on_node}出现故障（原因见节点页面）。",
    ),
    "reasons.gpus_busy": (
        "{wants} {gpus} on one node{on_node}; the most free now is {free}.{remark}",
        "{wants}同一节点{on_node}上有 {gpus}，目前最多只有 {free} 块。{remark}",
    ),
    "reasons.next_and_wants": ("It is next in the queue and needs", "已轮到它，需要"),
    "reasons.wants": ("It needs", "需要"),
    "reasons.free_gpus": ("{wanted} free GPU(s)", "{wanted} 块空闲 GPU"),
    "reasons.free_gpus_of_model": ("{wanted} free {gpu_model} GPU(s)", "{wanted} 块空闲的 {gpu_model} GPU"),
    "reasons.with_memory": (" with {memory} each", "（每块 {memory} 显存）"),
    "reasons.whole": (" to itself", "（无人共用）"),
    "reasons.foreign": (
        " {foreign} GPU(s) are in use by processes that Danlu did not start (danlu gpus lists them).",
        "有 {foreign} 块 GPU 正被 Danlu 之外的进程占用（详见 danlu gpus）。",
    ),
    "reasons.foreign.page": (
        " {foreign} GPU(s) are in use by processes that Danlu did not start (the nodes' pages list them).",
        "有 {foreign} 块 GPU 正被 Danlu 之外的进程占用（详见节点页面）。",
    ),
    "reasons.gpus_kept": (
        "It would fit on GPU {gpu_ids} of {nodes}, but that is kept for job {head}, which is first "
        "in the queue and needs exactly that.",
        "用上 {nodes} 的 GPU {gpu_ids} 就放得下它，但这已为任务 {head} 保留：后者排在队首，指定要用它。",
    ),
    "reasons.nodes_busy": (
        "It needs {wanted} nodes with this free on each: {ask}; nodes ready now: {ready}.",
        "它需要 {wanted} 个节点，各自空闲：{ask}；目前有 {ready} 个节点满足。",
    ),
    "reasons.nodes_busy_one_model": (
        "It needs {wanted} nodes with this free on each: {ask}, all with the same GPU model; nodes ready "
        "now: {ready}.",
        "它需要 {wanted} 个 GPU 型号相同的节点，各自空闲：{ask}；目前有 {ready} 个节点满足。",
    ),
    "reasons.nodes_busy_mixed": (
        "It needs {wanted} nodes with this free on each: {ask}, all with the same GPU model; nodes ready "
        "now: {mixed}, but their models differ: at most {ready} have the same.",
        "它需要 {wanted} 个 GPU 型号相同的节点，各自空闲：{ask}；目前有 {mixed} 个节点空闲，但型号不同，"
        "同一型号的最多 {ready} 个。",
    ),
    "reasons.exact_gpus_busy_on_nodes": (
        "It needs exactly GPU {gpu_ids} on each of {wanted} nodes; nodes where that is free now: {ready}.",
        "它指定在 {wanted} 个节点上都使用 GPU {gpu_ids}，目前有 {ready} 个节点空闲。",
    ),
    "reasons.gpu_memory_busy": (
        "It wants to share {gpus} GPU(s){on_node} with {wanted} free; the most free on any GPU now is "
        "{free}.{remark}",
        "它要共享 {gpus} 块 GPU{on_node}，需要 {wanted}空闲显存，目前单卡最多空闲 {free}。{remark}",
    ),
    "reasons.gpu_memory_busy_several": (
        "It wants to share {gpus} GPU(s) of one node{on_node} with {wanted} free on each; the most free "
        "on that many now is {free}.{remark}",
        "它要共享同一节点{on_node}的 {gpus} 块 GPU，每块需要 {wanted}空闲显存，目前最多各空闲 {free}。"
        "{remark}",
    ),
    "reasons.gpus_not_shared": (
        "It wants to share {gpus} GPU(s){on_node}, but too few can be shared: {closed} GPU(s) are held "
        "by jobs that do not share ({option:no_sharing}).",
        "它要共享 {gpus} 块 GPU{on_node}，但可共享的不够：{closed} 块由不愿共享（{option:no_sharing}）的"
        "任务占用。",
    ),
    "reasons.some_not_shared": (
        " {closed} more GPU(s) are held by jobs that do not share ({option:no_sharing}).",
        "另有 {closed} 块由不愿共享（{option:no_sharing}）的任务占用。",
    ),
    "reasons.half_a_card": ("half of the GPU's memory", "半张卡的"),
    "reasons.array_full": (
        "At most {at_most} of its elements may run at a time, and that many are running.",
        "它最多同时运行 {at_most} 个子任务，现已达到上限。",
    ),
    "reasons.array_running": (
        "Of its {total} elements, {active} are running, {waiting} are waiting, {succeeded} succeeded, "
        "{failed} failed and {cancelled} were cancelled.",
        "共 {total} 个子任务：{active} 个运行中，{waiting} 个等待，{succeeded} 个成功，{failed} 个失败，"
        "{cancelled} 个已取消。",
    ),
    "reasons.tasks_failed": ("Failed elements: {detail}.", "失败的子任务：{detail}。"),
    "reasons.cpus_busy": (
        "It needs {wanted} free CPU(s){beside} on one node{on_node}; the most free now is {free}.",
        "需要同一节点{on_node}上{beside}有 {wanted} 个空闲 CPU，目前最多只有 {free} 个。",
    ),
    "reasons.beside": (" in addition to its {gpus} GPU(s)", "除 {gpus} 块 GPU 外还"),
    "reasons.memory_busy": (
        "It needs {wanted} of free memory{beside} on one node{on_node}; the most free now is {free}.",
        "需要同一节点{on_node}上{beside}有 {wanted} 空闲内存，目前最多只有 {free}。",
    ),
    "reasons.behind_in_queue": (
        "It is number {place} in the queue, behind job {head}, which goes first.",
        "排在第 {place} 位，任务 {head} 先于它启动。",
    ),
    "reasons.starting_soon": (
        "It was just submitted; the scheduler will look at it in a moment.",
        "刚刚提交，调度器即将处理。",
    ),
    "reasons.part_gpus": ("{gpus} GPU", "{gpus} 块 GPU"),
    "reasons.part_gpu_ids": ("exactly GPU {ids}", "指定 GPU {ids}"),
    "reasons.part_gpu_memory": ("{memory} on each GPU", "每块 GPU {memory} 显存"),
    "reasons.part_cpus": ("{cpus} CPU", "{cpus} 个 CPU"),
    "reasons.part_memory": ("{memory} of memory", "{memory} 内存"),
    "reasons.part_node": ("node {node}", "节点 {node}"),
    "reasons.part_gpus_of_model": ("{gpus} {model} GPU", "{gpus} 块 {model} GPU"),
}
