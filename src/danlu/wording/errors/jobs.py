"""What cannot be done with a job, its attempts, its log or its result."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.viewers_only_look": ("Your account can only look.", "您的账号只能查看。"),
    "errors.viewers_only_look.hint": ("Ask an administrator to make you a member.", "请联系管理员改为成员。"),
    "errors.wrong_state": (
        "Job {job} is {state}; this works only while it is {allowed}.",
        "任务 {job} 目前是 {state} 状态，只有在 {allowed} 状态下才能这样做。",
    ),
    "errors.wrong_state.hint": ("danlu show {job} says more.", "可用 danlu show {job} 查看详情。"),
    "errors.wrong_state.hint.page": ("The page of job {job} says more.", "详见任务 {job} 的页面。"),
    "errors.successors_running": (
        "Successors of job {job} are running: {jobs}.",
        "任务 {job} 的后继任务正在运行：{jobs}。",
    ),
    "errors.successors_running.hint": (
        "Say what to do with them: running=leave or running=cancel (danlu delete --with-successors "
        "--running leave|cancel).",
        "请说明如何处理它们：running=leave（保留）或 running=cancel（取消）（danlu delete "
        "--with-successors --running leave|cancel）。",
    ),
    "errors.successors_running.hint.page": (
        "Choose what to do with them: leave them running, or cancel them.",
        "请说明如何处理它们：保留或取消。",
    ),
    "errors.changed_meanwhile": ("Job {job} changed in the meantime.", "任务 {job} 刚刚发生了变化。"),
    "errors.changed_meanwhile.hint": ("Look at it again, then repeat.", "请查看后重试。"),
    "errors.no_such_attempt": ("Job {job} has no attempt {attempt}.", "任务 {job} 没有第 {attempt} 次运行。"),
    "errors.no_such_attempt.hint": ("danlu show {job} lists its attempts.", "可用 danlu show {job} 查看。"),
    "errors.no_such_attempt.hint.page": (
        "The page of job {job} lists its attempts.",
        "任务 {job} 的页面列出了各次运行。",
    ),
    "errors.no_such_rank": (
        "Job {job} has no rank {rank}: the last one is {last}.",
        "任务 {job} 没有 rank {rank}：最后一个是 {last}。",
    ),
    "errors.no_such_rank.hint": (
        "danlu show {job} lists the ranks of each attempt.",
        "可用 danlu show {job} 查看每次运行的各个 rank。",
    ),
    "errors.no_such_rank.hint.page": (
        "The page of job {job} lists the ranks of each attempt.",
        "任务 {job} 的页面列出了每次运行的各个 rank。",
    ),
    "errors.log_out_of_reach": (
        "The log is on node {node}, which does not answer: {path}",
        "日志位于节点 {node}，而该节点没有响应：{path}",
    ),
    "errors.log_out_of_reach.hint": (
        "It can be read again when the node is back; danlu nodes shows how long it has been lost.",
        "节点恢复后即可读取；danlu nodes 可查看它何时失联。",
    ),
    "errors.log_out_of_reach.hint.page": (
        "It can be read again when the node is back; the node's page shows how long it has been lost.",
        "节点恢复后即可读取；节点页面会显示它何时失联。",
    ),
    "errors.no_such_call": (
        "There is no function stored as {digest}, or not any more.",
        "没有存储为 {digest} 的函数（可能已被清理）。",
    ),
    "errors.no_such_call.hint": (
        "Submit it again with client.submit(…); functions are kept for 30 days after their job has ended.",
        "请用 client.submit(…) 重新提交；任务结束 30 天后其函数会被清理。",
    ),
    "errors.too_many_calls": (
        "You have reached the limit for stored functions that no job uses: {most} of them, or {size_mb} MiB.",
        "您已存储而没有任务使用的函数已达上限：{most} 个，或共 {size_mb} MiB。",
    ),
    "errors.too_many_calls.hint": (
        "Submit jobs that use them, or wait: a function that no job uses is removed after a day or two.",
        "请提交使用这些函数的任务，或稍后再试：没有任务使用的函数一两天后会被清理。",
    ),
    "errors.no_result": ("Job {job} has no result.", "任务 {job} 没有返回值。"),
    "errors.no_result.hint": (
        "Only Python functions that ran to the end have one; the log says more: danlu logs {job}",
        "只有运行到结束的 Python 函数才有返回值；详情见日志：danlu logs {job}",
    ),
    "errors.result_not_yet": ("Job {job} has not ended yet.", "任务 {job} 尚未结束。"),
    "errors.result_not_yet.hint": ("Wait for it: danlu logs -f {job}", "请等它结束：danlu logs -f {job}"),
    "errors.result_unreadable": (
        "The result {path} cannot be read: {reason}.",
        "无法读取结果 {path}：{reason}。",
    ),
    "errors.result_unreadable.hint": (
        "Tell an administrator; submit the function again if you need it now.",
        "请告知管理员；如急需，请重新提交该函数。",
    ),
    "errors.log_without_account": (
        "The log {path} cannot be read: the account it belongs to no longer exists.",
        "无法读取日志 {path}：它所属的账号已不存在。",
    ),
    "errors.log_without_account.hint": ("Tell an administrator.", "请告知管理员。"),
    "errors.log_unreadable": ("The log {path} cannot be read: {reason}.", "无法读取日志 {path}：{reason}。"),
    "errors.log_unreadable.hint": (
        "The file must be a plain file that belongs to the job's account.",
        "该文件必须是属于任务账号的普通文件。",
    ),
    "errors.no_search_text": ("There is nothing to search for.", "没有要搜索的内容。"),
    "errors.no_search_text.hint": (
        "Give a text, or kind=error to find the first sign of trouble.",
        "请给出文本，或用 kind=error 查找第一处出错的迹象。",
    ),
}
