"""What was left to Danlu, and where a job stands that does not wait."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    # What was left to Danlu.
    "reasons.auto": ("{numbers}: {reason}.", "{numbers}：{reason}。"),
    "reasons.auto_only_nodes": ("{nodes} node(s)", "{nodes} 个节点"),
    "reasons.auto_said": ("all the nodes that could run it", "能运行它的节点都算上"),
    "reasons.auto_memory": (
        "the fewest that hold the {memory} it needs, {each} on each GPU",
        "能容纳所需 {memory} 显存的最少数量，每块 GPU {each}",
    ),
    "reasons.auto_free": ("that many were free when it was submitted", "提交时恰有这么多空闲"),
    "reasons.auto_free_on": (
        "that many were free on {node} when it was submitted",
        "提交时 {node} 上恰有这么多空闲",
    ),
    "reasons.auto_limit": (
        "more were free when it was submitted, but this is the most without giving a number",
        "提交时空闲的更多，但不写明数量时最多给这么多",
    ),
    "reasons.auto_none_free": (
        "none was free when it was submitted, so it gets one",
        "提交时没有空闲的 GPU，至少给一块",
    ),
    "reasons.part_stage": ("data staged to the node's disk", "数据预先复制到节点本地磁盘"),
    "reasons.part_only_nodes": ("only on {nodes}", "限于 {nodes}"),
    "reasons.part_exclude_nodes": ("not on {nodes}", "不用 {nodes}"),
    "reasons.on_each_of": ("{ask} on each of {nodes} nodes", "{nodes} 个节点，每个 {ask}"),
    "reasons.best_gpu_ids": ("with ids {ids}", "编号 {ids}"),
    "reasons.best_gpu_memory": ("up to {memory} on a GPU", "单卡显存最大 {memory}"),
    "reasons.best_removed": (
        "{removed} more removed from Danlu: danlu gpu add",
        "另有 {removed} 块已移出丹炉，可用 danlu gpu add 加回",
    ),
    "reasons.comma": (", ", "，"),
    "reasons.on_node": (" on node {node}", "（节点 {node}）"),
    # Where a job that does not wait stands.
    "reasons.starting": ("It is starting on {node}.", "正在节点 {node} 上启动。"),
    "reasons.running": ("It is running on {node}.", "正在节点 {node} 上运行。"),
    "reasons.unreachable": (
        "Its node {node} cannot be reached. It may still be running there, and Danlu takes it over when "
        "the node comes back; an administrator who knows that the node is gone can say so (danlu nodes "
        "declare-dead {node}).",
        "节点 {node} 目前失联。任务可能仍在运行，节点恢复后会自动接管；若确定节点已损坏，管理员可执行 "
        "danlu nodes declare-dead {node}。",
    ),
    "reasons.unreachable_moves": (
        "Its node {node} cannot be reached. It starts again on another node once it has certainly "
        "stopped there.",
        "节点 {node} 目前失联。确认任务在该节点上已停止后，将在其他节点上重新开始。",
    ),
    "reasons.of_task": (" That was {detail}.", "（{detail}）"),
    "reasons.quarantine": (
        "It was lost {times} times in a short time; nothing starts there until an administrator allows "
        "it (danlu undrain {node}).",
        "它在短时间内失联 {times} 次，已停止向其分配任务；确认正常后可恢复（danlu undrain {node}）。",
    ),
    "reasons.quarantine.page": (
        "It was lost {times} times in a short time; nothing starts there until an administrator allows it.",
        "它在短时间内失联 {times} 次，已停止向其分配任务；管理员确认正常后可恢复。",
    ),
    "reasons.stopping": ("It is being stopped.", "正在停止。"),
}
