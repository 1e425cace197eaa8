"""What `danlu join` and `danlu leave` say."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "launch.join.joined": (
        "This machine has joined the cluster at {server} as node {node}.",
        "本机已作为节点 {node} 加入集群 {server}。",
    ),
    "launch.join.running": (
        "Node {node} is taking jobs. Stop with Ctrl-C; running jobs keep running. Log: {log}",
        "节点 {node} 开始接受任务。用 Ctrl-C 停止；正在运行的任务会继续运行。日志：{log}",
    ),
    "launch.join.detached": (
        "The agent is running in the background (process {pid}). Log: {log}",
        "代理已在后台运行（进程 {pid}）。日志：{log}",
    ),
    "launch.bad_address": (
        "{option}: {address!r} is neither an IP address nor a host name. Say where others reach this "
        "machine, without a port: {option} 10.0.0.5",
        "{option}：{address!r} 既不是 IP 地址，也不是主机名。请写明其他机器访问本机的地址，不带端口："
        "{option} 10.0.0.5",
    ),
    "launch.join.no_server": (
        "Say which cluster: danlu join HOST:PORT --token TOKEN",
        "请指明集群：danlu join 主机:端口 --token 令牌",
    ),
    "launch.join.no_token": (
        "A join token is needed: danlu join HOST:PORT --token TOKEN. An administrator makes one with: "
        "danlu nodes token",
        "需要加入令牌：danlu join 主机:端口 --token 令牌。管理员可用 danlu nodes token 新建。",
    ),
    "launch.join.bad_token": (
        "This is not a complete join token, which has two parts with a dot in between. Copy it again, or "
        "ask for a new one: danlu nodes token",
        "加入令牌不完整：它由句点隔开的两部分组成。请重新复制，或请管理员新建：danlu nodes token",
    ),
    "launch.join.unreachable": (
        "No cluster answers at {server}: {reason}",
        "{server} 上没有集群应答：{reason}",
    ),
    "launch.join.trouble.no_such_name": (
        "no machine of that name is known.\nCheck the name, or use its IP address.",
        "找不到这个名称的机器。\n请核对名称，或改用 IP 地址。",
    ),
    "launch.join.trouble.closed": (
        "that machine is up, but nothing listens on that port.\nIs Danlu running there (danlu up "
        "--cluster), and is it the port in the join command?",
        "该机器在线，但这个端口上没有服务。\n请检查那里是否已启动丹炉（danlu up --cluster），端口是否与加"
        "入命令中的一致。",
    ),
    "launch.join.trouble.no_route": (
        "that machine cannot be reached from here.\nIs it switched on? Is the address right? Does the "
        "network in between work?",
        "从本机无法到达该机器。\n请检查它是否开机、地址是否正确、两者之间的网络是否连通。",
    ),
    "launch.join.trouble.silent": (
        "nothing comes back.\nIs that machine switched on? Is the address right? Is the port open in its "
        "firewall?",
        "没有任何回应。\n请检查该机器是否开机、地址是否正确、防火墙是否放行该端口。",
    ),
    "launch.join.trouble.other_server": (
        "something listens there, but it is not a Danlu cluster.\nThe port is not the web page's: use "
        "the address that danlu nodes token prints.",
        "那里有服务，但不是丹炉集群。\n该端口不是网页的端口：请使用 danlu nodes token 给出的地址。",
    ),
    "launch.join.trouble.server_away": (
        "its server is not running at the moment.\nStart it (danlu up --cluster), then try again.",
        "它的服务目前没有运行。\n请先启动服务（danlu up --cluster），再重试。",
    ),
    "launch.join.trouble.other": (
        "{detail}.\nCheck the address: danlu join HOST:PORT",
        "{detail}。\n请核对地址：danlu join 主机:端口",
    ),
    "launch.join.wrong_certificate": (
        "The server at {server} is not the cluster that made this token: its certificate differs. "
        "Nothing was sent.\nCheck the address, and ask the administrator of the right cluster for a "
        "token.",
        "{server} 上应答的不是签发此令牌的集群：证书不符，没有发送任何内容。\n请核对地址，并向正确集群的"
        "管理员索取令牌。",
    ),
    "launch.join.agent_running": (
        "The agent of {data} is already running. To join another cluster, run danlu leave first.",
        "{data} 的代理已在运行。若要加入别的集群，请先执行 danlu leave。",
    ),
    "launch.join.has_server": (
        "{data} is the data folder of a Danlu server. Give the node another one: --data FOLDER",
        "{data} 是另一个丹炉服务的数据目录。请为节点另选目录：--data 目录",
    ),
    "launch.join.not_member": (
        "{data} does not belong to a cluster. Join one: danlu join HOST:PORT --token TOKEN",
        "{data} 不属于任何集群。请加入：danlu join 主机:端口 --token 令牌",
    ),
    "launch.join.damaged": (
        "What this machine knows about its cluster cannot be read: {reason}. Join again with a new token.",
        "无法读取本机的集群信息：{reason}。请用新令牌重新加入。",
    ),
    "launch.join.removed": (
        "This machine was removed from its cluster. To come back, join again with a new token.",
        "本机已被移出集群。如需回来，请用新令牌重新加入。",
    ),
    "launch.join.refused.too_old": (
        "The cluster's version of Danlu is too far from this one. Install that version here. Until then, "
        "this agent waits.",
        "集群的丹炉版本与本机相差太大。请在本机安装相同版本；在此之前，代理会一直等待。",
    ),
    "launch.join.refused.twin": (
        "Another machine uses the same credentials as this one; was its disk copied? On the copy, join "
        "again under a new name:\n  danlu join HOST:PORT --token TOKEN --name NAME\nUntil then, this "
        "agent waits.",
        "另一台机器使用着与本机相同的凭据，可能是磁盘被复制过。请在复制出来的机器上另取名称重新加入：\n  "
        "danlu join 主机:端口 --token 令牌 --name 名称\n在此之前，代理会一直等待。",
    ),
    "launch.leave.left": (
        "Node {node} has left its cluster.",
        "节点 {node} 已离开集群。",
    ),
    "launch.leave.own_node": (
        "This machine runs a server: it cannot leave its own cluster. danlu down stops it.",
        "这是服务所在的机器，不能离开自己的集群。可用 danlu down 停止。",
    ),
    "launch.leave.unreachable": (
        "The cluster does not answer at {servers}: {reason}. To leave anyway: danlu leave --force",
        "集群没有应答（{servers}）：{reason}。若要直接离开：danlu leave --force",
    ),
    "launch.leave.unit_stays": (
        "systemd runs the agent here and would start it again: {reason}. Stop it for good: {command}",
        "本机的代理由 systemd 运行，会被再次启动：{reason}。请彻底停用：{command}",
    ),
    "launch.leave.unheard": (
        "The cluster does not know yet that this machine has left ({reason}). An administrator can "
        "remove it: danlu nodes remove",
        "集群尚不知道本机已离开（{reason}）。请管理员将其移除：danlu nodes remove",
    ),
}
