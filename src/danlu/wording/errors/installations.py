"""Machines that are made nodes over ssh, upgrades, and the node file."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.no_such_installation": ("There is no installation {id}.", "没有编号为 {id} 的安装。"),
    "errors.no_such_installation.hint": (
        "danlu nodes installations lists those since the server started.",
        "可用 danlu nodes installations 查看本次服务启动以来的安装。",
    ),
    "errors.installation_under_way": (
        "{target} is already being installed (installation {id}).",
        "{target} 正在安装中（安装 {id}）。",
    ),
    "errors.installation_under_way.hint": (
        "See its progress: danlu nodes installations.",
        "查看进度：danlu nodes installations。",
    ),
    "errors.installation_interrupted": (
        "The server stopped during the installation.",
        "服务在安装途中停止了。",
    ),
    "errors.installation_interrupted.hint": ("Start it again.", "请重新开始。"),
    "errors.installation_failed": ("It failed unexpectedly: {reason}", "发生意外错误：{reason}"),
    "errors.installation_failed.hint": (
        "The server's log says more: danlu server-log. You can start it again.",
        "服务日志中有更多信息：danlu server-log。可以重新开始。",
    ),
    "errors.upgrade_under_way": ("An upgrade is already running.", "已有升级正在进行。"),
    "errors.upgrade_under_way.hint": (
        "See its progress: danlu nodes installations.",
        "查看进度：danlu nodes installations。",
    ),
    "errors.node_silent_after_join": (
        "Node {node} has joined, but did not report in within {seconds} s.",
        "节点 {node} 已加入，但 {seconds} 秒内没有上报。",
    ),
    "errors.node_silent_after_join.hint": (
        "On the node, agent.log and agent.out in its data folder say why.",
        "请查看该节点数据目录中的 agent.log 和 agent.out。",
    ),
    "errors.nodes_not_reached": (
        "Not upgraded, because they cannot be reached: {nodes}.",
        "以下节点无法连接，没有升级：{nodes}。",
    ),
    "errors.nodes_not_reached.hint": (
        "Run danlu nodes upgrade again when they are back (danlu nodes says which are lost), or remove them.",
        "等它们恢复后（danlu nodes 会显示哪些失联）再次运行 danlu nodes upgrade，或将其移除。",
    ),
    "errors.node_not_upgraded": (
        "Node {node} was not upgraded and keeps running as before: {reason}",
        "节点 {node} 没有升级，保持原样运行：{reason}",
    ),
    "errors.node_not_upgraded.hint": (
        "Once that is fixed, run danlu nodes upgrade again. The nodes after it were left alone.",
        "解决后请再次运行 danlu nodes upgrade。排在它后面的节点没有改动。",
    ),
    "errors.node_fell_back": (
        "Node {node} did not come back with version {version} within {seconds} s.",
        "节点 {node} 在 {seconds} 秒内没有以版本 {version} 恢复。",
    ),
    "errors.node_fell_back.hint": (
        "It goes back to its old version by itself; its jobs keep running. upgrade.log and agent.out in "
        "its data folder say why. The nodes after it were left alone.",
        "它会自动换回旧版本，任务不受影响。原因见其数据目录中的 upgrade.log 和 agent.out。排在它后面的节"
        "点没有改动。",
    ),
    "errors.install_no_ssh": ("There is no ssh on the server.", "服务器上没有 ssh。"),
    "errors.install_no_ssh.hint": (
        "Install the package openssh-client there, or run danlu join on the node itself.",
        "请在服务器上安装 openssh-client，或在节点上直接运行 danlu join。",
    ),
    "errors.install_no_bundle": (
        "What is installed on the server cannot be packed for other machines: {reason}",
        "无法打包服务器上的安装：{reason}",
    ),
    "errors.install_no_bundle.hint": (
        "Install Danlu on the server with pip in a virtual environment: pip install 'danlu[cluster]'.",
        "请在服务器的虚拟环境中用 pip 安装丹炉：pip install 'danlu[cluster]'。",
    ),
    "errors.install_key_refused": (
        "{target} does not let the server in: {reason}",
        "{target} 拒绝服务器登录：{reason}",
    ),
    "errors.install_key_refused.hint": (
        "Add this line to ~/.ssh/authorized_keys of that account, or name another key with danlu nodes "
        "add --identity: {public_key}",
        "请把下面这一行加入该账号的 ~/.ssh/authorized_keys，或用 danlu nodes add --identity 指定其他密钥："
        "{public_key}",
    ),
    "errors.install_unknown_host": (
        "{target}: no machine called {host} is known.",
        "{target}：找不到名为 {host} 的机器。",
    ),
    "errors.install_unknown_host.hint": (
        "Correct the name, or write the machine's IP address.",
        "请更正名称，或直接写 IP 地址。",
    ),
    "errors.install_unreachable": (
        "{target} cannot be reached by ssh: {reason}",
        "无法通过 ssh 连接 {target}：{reason}",
    ),
    "errors.install_unreachable.hint": (
        "Is it switched on? Is sshd running there? Is the port right (USER@HOST:PORT)? Is there a "
        "firewall in between?",
        "机器是否开机？sshd 是否运行？端口是否正确（USER@HOST:PORT）？中间是否有防火墙？",
    ),
    "errors.install_host_key_changed": (
        "{target} may not be the machine it was: its host key has changed.",
        "{target} 的主机密钥变了，可能不是原来的机器。",
    ),
    "errors.install_host_key_changed.hint": (
        "If it was reinstalled, remove its line from {file} and try again.",
        "如果该机器重装过系统，请从 {file} 中删除对应行后重试。",
    ),
    "errors.install_ssh_failed": ("ssh to {target} failed: {reason}", "ssh 连接 {target} 失败：{reason}"),
    "errors.install_ssh_failed.hint": (
        "Try it by hand on the server, as the account that Danlu runs as.",
        "请在服务器上用运行丹炉的账号手动试一次。",
    ),
    "errors.install_no_python": (
        "There is no Python on {target}; it needs Python {wanted}, like the server.",
        "{target} 上没有 Python；需要与服务器相同的 Python {wanted}。",
    ),
    "errors.install_no_python.hint": (
        "Install python{wanted} there. If it is in an unusual place, say where: danlu nodes add --python "
        "PATH",
        "请在该机器上安装 python{wanted}。如果装在特殊位置，请指明：danlu nodes add --python 路径",
    ),
    "errors.install_wrong_python": (
        "{target} has Python {found}; it needs Python {wanted}, like the server.",
        "{target} 上的 Python 是 {found}；需要与服务器相同的 Python {wanted}。",
    ),
    "errors.install_wrong_python.hint": (
        "Install python{wanted} beside it. If it is in an unusual place, say where: danlu nodes add "
        "--python PATH. Or install Danlu there with pip and run danlu join.",
        "请在该机器上另装 python{wanted}。如果装在特殊位置，请指明：danlu nodes add --python 路径；或在该"
        "机器上用 pip 安装丹炉后运行 danlu join。",
    ),
    "errors.install_wrong_machine": (
        "What runs on the server does not run on {target}: that is {found}, and it needs {wanted} or newer.",
        "服务器上的程序无法在 {target} 上运行：该机器为 {found}，需要 {wanted} 或更新。",
    ),
    "errors.install_wrong_machine.hint": (
        "Install Danlu there with pip and run danlu join.",
        "请在该机器上用 pip 安装丹炉后运行 danlu join。",
    ),
    "errors.install_not_writable": (
        "The account on {target} may not write in {folder}.",
        "{target} 上的账号无权写入 {folder}。",
    ),
    "errors.install_not_writable.hint": (
        "Choose another folder (danlu nodes add --data FOLDER), or another account.",
        "请选择其他目录（danlu nodes add --data 目录），或换一个账号。",
    ),
    "errors.install_no_space": (
        "There is not enough room on {target}: {folder} has {free} free, and {needed} is needed.",
        "{target} 空间不足：{folder} 剩余 {free}，需要 {needed}。",
    ),
    "errors.install_no_space.hint": (
        "Make room there, or choose another disk: danlu nodes add --data FOLDER",
        "请清理空间，或选择其他磁盘：danlu nodes add --data 目录",
    ),
    "errors.install_cannot_reach": (
        "{target} cannot reach the server at {address}: {reason}",
        "{target} 无法连接服务器 {address}：{reason}",
    ),
    "errors.install_cannot_reach.hint": (
        "Open this port in the server's firewall; if nodes know the server by another address, start it with "
        "danlu up --cluster --advertise HOST.",
        "请在服务器防火墙中放行该端口；如果节点要用其他地址访问服务器，请用 "
        "danlu up --cluster --advertise 主机 启动。",
    ),
    "errors.install_other_cluster": (
        "{target} is node {node} of another cluster, and its agent is running.",
        "{target} 是另一集群的节点 {node}，其代理正在运行。",
    ),
    "errors.install_other_cluster.hint": (
        "Take it out of that cluster first; run there: danlu leave",
        "请先在该机器上退出：danlu leave。",
    ),
    "errors.install_unpack_failed": (
        "Danlu could not be set up on {target}: {reason}",
        "无法在 {target} 上安装丹炉：{reason}",
    ),
    "errors.install_unpack_failed.hint": (
        "Fix what it says and try again; nothing else was changed there.",
        "请按提示解决后重试；该机器上没有其他改动。",
    ),
    "errors.install_join_refused": (
        "{target} has Danlu now, but could not join: {reason}",
        "{target} 已装好丹炉，但无法加入：{reason}",
    ),
    "errors.install_join_refused.hint": (
        "Fix what it says and run the same command again; what was sent is already there.",
        "请按提示解决后重新运行；已发送的内容不会重复发送。",
    ),
    "errors.node_file_unreadable": ("{path} cannot be read: {reason}", "无法读取 {path}：{reason}"),
    "errors.node_file_unreadable.hint": (
        "The nodes stay as they are. The file is read again when it changes.",
        "节点保持不变。文件变化后会重新读取。",
    ),
    "errors.node_file_bad_json": (
        "{path} is not a list of nodes in JSON: {reason}",
        "{path} 不是 JSON 格式的节点列表：{reason}",
    ),
    "errors.node_file_bad_json.hint": (
        'Write [{{"name": "n1", "ip": "192.168.1.11", "user_name": "li", "gpu_count": 2, '
        '"gpu_info": ["RTX3090", "RTX3090"]}}]. The nodes stay as they are meanwhile.',
        '请写成 [{{"name": "n1", "ip": "192.168.1.11", "user_name": "li", "gpu_count": 2, '
        '"gpu_info": ["RTX3090", "RTX3090"]}}]。在此期间节点保持不变。',
    ),
    "errors.node_file_bad_entry": (
        "{path}: node {number} is ignored: {reason}",
        "{path}：第 {number} 个节点被忽略：{reason}",
    ),
    "errors.node_file_bad_entry.hint": (
        "A node needs name, ip and user_name; gpu_count is a number and gpu_info a list of names.",
        "必须有 name、ip 和 user_name；gpu_count 为数字，gpu_info 为名称列表。",
    ),
}
