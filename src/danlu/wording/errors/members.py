"""Machines that join a cluster, and nodes that are removed from it."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.not_a_cluster": (
        "This is a single machine: other machines cannot join it.",
        "这是单机安装，其他机器无法加入。",
    ),
    "errors.not_a_cluster.hint": (
        "Stop it and start it as a cluster: danlu up --cluster. Jobs and history stay.",
        "请停止后以集群方式启动：danlu up --cluster。任务和历史会保留。",
    ),
    "errors.join_token_unknown": (
        "This cluster does not know the join token.",
        "本集群不认识该加入令牌。",
    ),
    "errors.join_token_unknown.hint": (
        "Copy the whole token, or ask an administrator for a new one: danlu nodes token",
        "请完整复制令牌，或请管理员新建一个：danlu nodes token",
    ),
    "errors.join_token_role": (
        "The token is for {role} nodes, and {asked} is more than that.",
        "该令牌用于 {role} 节点，{asked} 超出了它的范围。",
    ),
    "errors.join_token_role.hint": (
        "Run danlu join without --role, or have an administrator make a token with danlu nodes token "
        "--role {asked}.",
        "请在 danlu join 时去掉 --role，或请管理员用 danlu nodes token --role {asked} 新建令牌。",
    ),
    "errors.join_token_expired": ("The join token has expired.", "加入令牌已过期。"),
    "errors.join_token_expired.hint": (
        "Ask an administrator for a new one: danlu nodes token",
        "请管理员新建一个：danlu nodes token",
    ),
    "errors.join_token_revoked": ("The join token was revoked.", "加入令牌已被撤销。"),
    "errors.join_token_revoked.hint": (
        "Ask an administrator for a new one: danlu nodes token",
        "请管理员新建一个：danlu nodes token",
    ),
    "errors.no_such_join_token": ("There is no join token {token}.", "没有编号为 {token} 的加入令牌。"),
    "errors.no_such_join_token.hint": ("danlu nodes tokens lists them.", "可用 danlu nodes tokens 查看。"),
    "errors.version_too_far": (
        "This machine has Danlu {theirs}, the cluster has {ours}: too far apart to work together.",
        "本机的丹炉版本是 {theirs}，集群是 {ours}，相差太大，无法协作。",
    ),
    "errors.version_too_far.hint": (
        "Install Danlu {ours} here (at most one minor version apart), then join again.",
        "请在本机安装丹炉 {ours}（次版本号最多相差一），再重新加入。",
    ),
    "errors.bad_node_name": ("'{name}' is not a valid node name.", "“{name}”不能作为节点名。"),
    "errors.bad_node_name.hint": (
        "Use one word without spaces, commas or colons: danlu join … --name NAME",
        "请用一个不含空格、逗号和冒号的词：danlu join … --name 名称",
    ),
    "errors.node_name_taken": (
        "Another machine in this cluster is called {node}, and it is up.",
        "集群中已有名为 {node} 的机器在线。",
    ),
    "errors.node_name_taken.hint": (
        "Join under another name: danlu join … --name NAME",
        "请换一个名称加入：danlu join … --name 名称",
    ),
    "errors.node_name_busy": (
        "Another machine was called {node}, and jobs may still run on it: {jobs}.",
        "曾有另一台名为 {node} 的机器，其上可能仍有任务在运行：{jobs}。",
    ),
    "errors.node_name_busy.hint": (
        "Join under another name (danlu join --name NAME), or, if that machine is gone for good: danlu "
        "nodes declare-dead {node}",
        "请换一个名称加入（danlu join --name 名称）；若那台机器确已不在，请先执行：danlu nodes "
        "declare-dead {node}",
    ),
    "errors.old_name_busy": (
        "This machine is node {old}, and it has unfinished jobs: {jobs}.",
        "本机目前是节点 {old}，其上还有任务未结束：{jobs}。",
    ),
    "errors.old_name_busy.hint": (
        "Drain it (danlu drain {old}) and wait, or cancel them; then join as {node}. Or keep the name: "
        "danlu join without --name",
        "请先排空（danlu drain {old}）并等待，或取消这些任务，再以 {node} 的名称加入；或保留原名：danlu join "
        "时不加 --name",
    ),
    "errors.node_has_jobs": ("{node} has unfinished jobs: {jobs}.", "{node} 上还有任务未结束：{jobs}。"),
    "errors.node_has_jobs.hint": (
        "Drain it (danlu drain {node}) and wait, or cancel them. If the machine is gone for good: "
        "danlu nodes declare-dead {node}",
        "请先排空（danlu drain {node}）并等待，或取消这些任务。若机器确已不在："
        "danlu nodes declare-dead {node}",
    ),
    "errors.own_node_stays": (
        "{node} is the machine that the server runs on; it cannot be removed.",
        "{node} 是服务所在的机器，不能移除。",
    ),
    "errors.own_node_stays.hint": (
        "Give it no jobs instead: danlu drain {node}, or danlu nodes role {node} login",
        "可以让它不接任务：danlu drain {node}，或 danlu nodes role {node} login",
    ),
}
