"""Commands about nodes and GPUs."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "cli.help.nodes": ("List nodes and their use.", "列出节点及其使用情况。"),
    "cli.about.nodes": (
        "Without one of the commands below, it lists nodes. The commands are for administrators.",
        "不带下列命令时列出节点。下列命令供管理员使用。",
    ),
    "cli.examples.nodes": (
        "danlu nodes\ndanlu nodes n1 --json\ndanlu nodes token",
        "danlu nodes\ndanlu nodes n1 --json\ndanlu nodes token",
    ),
    "cli.help.nodes.list": ("List nodes and their use.", "列出节点及其使用情况。"),
    "cli.examples.nodes.list": (
        "danlu nodes list\ndanlu nodes list n1",
        "danlu nodes list\ndanlu nodes list n1",
    ),
    "cli.help.nodes.add": (
        "Make a machine a node, over ssh from the server.",
        "通过 ssh 从服务器把一台机器变成节点。",
    ),
    "cli.about.nodes.add": (
        "The server sends its own Danlu and Python packages: the machine needs no internet, only ssh, "
        "the same Python version, and access to the server's messages port. You can run it again safely. "
        "Ctrl-C only stops watching; the server carries on.",
        "服务器会发送自己使用的丹炉和 Python 软件包：目标机器不需要联网，只需 ssh、相同版本的 Python，并"
        "能访问服务器的消息端口。可以重复执行。Ctrl-C 只是停止观看，服务器会继续安装。",
    ),
    "cli.examples.nodes.add": (
        "danlu nodes add li@192.168.1.12\ndanlu nodes add root@gpu3:2222 --name n3 --role debug",
        "danlu nodes add li@192.168.1.12\ndanlu nodes add root@gpu3:2222 --name n3 --role debug",
    ),
    "cli.help.nodes.upgrade": (
        "Upgrade nodes to the server's version, one by one; jobs keep running.",
        "把节点逐个升级到服务器的版本；任务不受影响。",
    ),
    "cli.about.nodes.upgrade": (
        "Without a name: all that are up. Each one starts when the one before has come back; one that "
        "does not come back returns to its old version.",
        "不写节点名则升级所有在线节点。前一个恢复后才开始下一个；没有恢复的节点会自动换回旧版本。",
    ),
    "cli.examples.nodes.upgrade": (
        "danlu nodes upgrade\ndanlu nodes upgrade n1 n2",
        "danlu nodes upgrade\ndanlu nodes upgrade n1 n2",
    ),
    "cli.help.nodes.installations": (
        "List installations over ssh, and problems in the node file.",
        "列出通过 ssh 进行的安装，以及节点文件中的问题。",
    ),
    "cli.examples.nodes.installations": ("danlu nodes installations", "danlu nodes installations"),
    "cli.help.nodes.token": (
        "Make a token that lets machines join, and print the command to run there.",
        "新建加入令牌，并打印要在新机器上运行的命令。",
    ),
    "cli.examples.nodes.token": (
        "danlu nodes token\ndanlu nodes token --expires 1h --role debug",
        "danlu nodes token\ndanlu nodes token --expires 1h --role debug",
    ),
    "cli.help.nodes.tokens": ("List join tokens.", "列出加入令牌。"),
    "cli.examples.nodes.tokens": ("danlu nodes tokens", "danlu nodes tokens"),
    "cli.help.nodes.revoke": ("Stop a token from letting machines join.", "撤销加入令牌。"),
    "cli.about.nodes.revoke": ("Machines that already joined with it stay.", "已用它加入的机器不受影响。"),
    "cli.examples.nodes.revoke": ("danlu nodes revoke 3", "danlu nodes revoke 3"),
    "cli.help.nodes.role": ("Set what a node is for.", "设置节点的用途。"),
    "cli.examples.nodes.role": ("danlu nodes role n1 debug", "danlu nodes role n1 debug"),
    "cli.help.nodes.remove": (
        "Take nodes out of the cluster.",
        "将节点移出集群。",
    ),
    "cli.about.nodes.remove": (
        "Refused while a node has unfinished jobs. To come back, its machine must join again.",
        "节点上还有任务时会拒绝。机器需要重新加入才能回来。",
    ),
    "cli.examples.nodes.remove": ("danlu nodes remove n3", "danlu nodes remove n3"),
    "cli.help.nodes.declare-dead": (
        "Declare that a lost node is gone for good: its jobs end.",
        "宣告失联节点已永久下线，其上的任务随之结束。",
    ),
    "cli.about.nodes.declare-dead": (
        "Only if you know that nothing runs there any more: otherwise a job may run twice.",
        "仅当您确知其上已没有任何程序在运行时使用，否则任务可能同时运行两份。",
    ),
    "cli.examples.nodes.declare-dead": (
        "danlu nodes declare-dead n3",
        "danlu nodes declare-dead n3",
    ),
    "cli.help.join": (
        "Make this machine a node of a cluster, and run its agent.",
        "让本机作为节点加入集群，并运行其代理。",
    ),
    "cli.about.join": (
        "The token is needed only once; later, plain `danlu join` is enough. It can also be given in the "
        "variable DANLU_JOIN_TOKEN.",
        "令牌只需使用一次，之后直接运行 danlu join 即可。令牌也可放在环境变量 DANLU_JOIN_TOKEN 中。",
    ),
    "cli.examples.join": (
        "danlu join 10.0.0.1:7323 --token TOKEN\ndanlu join 10.0.0.1 --token TOKEN --name n3\ndanlu join",
        "danlu join 10.0.0.1:7323 --token TOKEN\ndanlu join 10.0.0.1 --token TOKEN --name n3\ndanlu join",
    ),
    "cli.help.leave": (
        "Take this machine out of its cluster.",
        "让本机离开集群。",
    ),
    "cli.examples.leave": ("danlu leave\ndanlu leave --force", "danlu leave\ndanlu leave --force"),
    "cli.help.gpus": (
        "List GPUs: what they are doing, and who is using them.",
        "列出 GPU：运行状况及使用者。",
    ),
    "cli.examples.gpus": ("danlu gpus\ndanlu gpus n1", "danlu gpus\ndanlu gpus n1"),
    "cli.help.gpu": ("Decide which jobs get a GPU (administrators).", "设置 GPU 的使用方式（管理员）。"),
    "cli.examples.gpu": (
        "danlu gpu remove n1:3\ndanlu gpu slots n1:0,1 2",
        "danlu gpu remove n1:3\ndanlu gpu slots n1:0,1 2",
    ),
    "cli.help.gpu.drain": (
        "Give a GPU no new jobs; running ones may finish.",
        "让 GPU 不再接受新任务，运行中的任务可以完成。",
    ),
    "cli.examples.gpu.drain": ("danlu gpu drain n1:0,3", "danlu gpu drain n1:0,3"),
    "cli.help.gpu.undrain": ("Give a drained GPU jobs again.", "恢复被排空的 GPU。"),
    "cli.examples.gpu.undrain": ("danlu gpu undrain n1:0", "danlu gpu undrain n1:0"),
    "cli.help.gpu.remove": (
        "Stop managing a GPU, and leave it to others.",
        "不再由丹炉管理该 GPU，留给他人使用。",
    ),
    "cli.about.gpu.remove": (
        "The job on it finishes, and no other gets it. A GPU that the driver no longer lists is removed "
        "for good.",
        "其上运行的任务可以完成，之后不再分配。驱动已找不到的 GPU 会从列表中永久删除。",
    ),
    "cli.examples.gpu.remove": ("danlu gpu remove n1:3", "danlu gpu remove n1:3"),
    "cli.help.gpu.add": ("Manage a removed GPU again.", "重新管理已移除的 GPU。"),
    "cli.examples.gpu.add": ("danlu gpu add n1:3", "danlu gpu add n1:3"),
    "cli.help.gpu.slots": (
        "Set how many jobs may hold a GPU at a time.",
        "设置一块 GPU 可同时分给几个任务。",
    ),
    "cli.examples.gpu.slots": ("danlu gpu slots n1:0,1 2", "danlu gpu slots n1:0,1 2"),
    "cli.help.doctor": (
        "Check nodes and say what to do (administrators).",
        "检查节点并给出处理办法（管理员）。",
    ),
    "cli.about.doctor": (
        "Checks that the shared folders are mounted and the same everywhere, the clock, the GPU driver, "
        "the versions of Danlu and Python, the address, the disk, limits, Docker and conda. Every node "
        "is also checked when it joins and once an hour. The exit code is 1 if there is a problem.",
        "检查共享目录是否已挂载且处处相同，以及时钟、GPU 驱动、Danlu 与 Python 版本、地址、磁盘、限额、"
        "Docker 和 conda。每个节点在加入时以及每小时都会自动检查。发现问题时退出码为 1。",
    ),
    "cli.examples.doctor": ("danlu doctor\ndanlu doctor n2 --all", "danlu doctor\ndanlu doctor n2 --all"),
    "cli.option.cluster": (
        "Be the server of a cluster that other machines can join. Remembered.",
        "作为集群的服务启动，其他机器可以加入。会被记住。",
    ),
    "cli.option.messages_port": ("The port that nodes connect to (7323).", "节点连接的端口（默认 7323）。"),
    "cli.option.advertise": (
        "The name or address by which nodes reach this machine.",
        "节点访问本机所用的名称或地址。",
    ),
    "cli.option.node_file": (
        "A JSON list of machines to make nodes; Danlu watches it (default: nodes.json in the data folder).",
        "节点列表文件（JSON），会自动跟踪变化（默认为数据目录中的 nodes.json）。",
    ),
    "cli.option.join_token": (
        "The token that lets this machine in: danlu nodes token makes one.",
        "加入令牌，可用 danlu nodes token 新建。",
    ),
    "cli.option.install_folder": (
        "Danlu's data folder there (default: as for danlu join).",
        "丹炉在目标机器上的数据目录（默认与 danlu join 相同）。",
    ),
    "cli.option.install_identity": (
        "The ssh key to use: a file on the server.",
        "使用的 ssh 密钥：服务器上的文件。",
    ),
    "cli.option.install_python": (
        "The Python to use there, if not the usual one.",
        "目标机器上要使用的 Python（不是默认位置时）。",
    ),
    "cli.option.node_name": ("A name other than the host name.", "节点名（默认为主机名）。"),
    "cli.option.node_role": (
        "compute, login, debug or transfer.",
        "compute（计算）、login（登录）、debug（调试）或 transfer（传输）。",
    ),
    "cli.option.node_address": (
        "Where other nodes reach this machine, if not at the address that faces the server.",
        "其他节点访问本机的地址（默认为面向服务的地址）。",
    ),
    "cli.option.daemon": ("Run in the background.", "在后台运行。"),
    "cli.option.simulate_gpus": ("Pretend to have this many GPUs.", "模拟指定数量的 GPU。"),
    "cli.option.force_leave": (
        "Leave even with jobs, which are stopped, and even if the cluster does not answer.",
        "即使有任务（会被停止）或集群没有应答也离开。",
    ),
    "cli.option.token_expires": ("How long it is valid (24h).", "有效时长（默认 24h）。"),
    "cli.option.doctor_all": ("Also show what is fine.", "正常的项目也一并显示。"),
    "cli.doctor_well": ("{node}: all well ({checks} checks).", "{node}：正常（共 {checks} 项检查）。"),
    "cli.help.drain": (
        "Give a node or GPU no new jobs; running ones may finish (administrators).",
        "让节点或 GPU 不再接受新任务，运行中的任务可以完成（管理员）。",
    ),
    "cli.examples.drain": (
        "danlu drain n1\ndanlu drain n1:0,3",
        "danlu drain n1\ndanlu drain n1:0,3",
    ),
    "cli.help.undrain": (
        "Give a drained node or GPU jobs again (administrators).",
        "恢复被排空的节点或 GPU（管理员）。",
    ),
    "cli.examples.undrain": ("danlu undrain n1:0", "danlu undrain n1:0"),
}
