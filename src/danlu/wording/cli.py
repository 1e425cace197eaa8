"""What the command line says.

`cli.help.NAME` is a command's one line, `cli.about.NAME` what else is worth knowing, `cli.examples.NAME`
how it is used; `KEY.hint` is the remedy for what `KEY` refuses. What is said of the fields of a job comes
from their table.
"""

from __future__ import annotations

from danlu.wire.job_fields import FIELDS, OPTIONS

_HEADINGS: dict[str, tuple[str, str]] = {
    "cli.heading.usage": ("Usage:", "用法："),
    "cli.heading.arguments": ("Arguments", "参数"),
    "cli.heading.options": ("Options", "选项"),
    "cli.heading.commands": ("Commands", "命令"),
    "cli.heading.examples": ("Examples", "示例"),
    "cli.heading.jobs": ("Jobs", "任务"),
    "cli.heading.cluster": ("Nodes and scheduling", "节点与调度"),
    "cli.heading.server": ("Server and account", "服务与账号"),
}

_COMMANDS: dict[str, tuple[str, str]] = {
    "cli.help.danlu": (
        "Danlu turns a lab's GPU machines into one shared furnace for deep learning.",
        "丹炉：把实验室的 GPU 机器变成一座共享的深度学习熔炉。",
    ),
    "cli.about.danlu": (
        "On the machine where `danlu up` runs, there is nothing to set up; elsewhere, start with `danlu "
        "login URL`. `danlu COMMAND --help` explains each command with examples.",
        "在运行 danlu up 的机器上无需任何设置；在其他机器上请先 danlu login URL。danlu 命令 --help 会给出"
        "每个命令的说明与示例。",
    ),
    "cli.examples.danlu": (
        "danlu up\n"
        "danlu submit -g 1 -- python train.py\n"
        "danlu logs -f 1\n"
        'eval "$(_DANLU_COMPLETE=bash_source danlu)"   # completion, for ~/.bashrc (zsh: zsh_source)',
        "danlu up\n"
        "danlu submit -g 1 -- python train.py\n"
        "danlu logs -f 1\n"
        'eval "$(_DANLU_COMPLETE=bash_source danlu)"   # 命令补全，写入 ~/.bashrc（zsh 用 zsh_source）',
    ),
    "cli.help.submit": ("Submit a job and print its id.", "提交任务，输出任务编号。"),
    "cli.about.submit": (
        "What to run: a command after `--`; or a script file, whose text is submitted as it is now, "
        "followed by its arguments; or `-` for a script from standard input; or one quoted command line. "
        "Options come before it. What you leave out takes your defaults (danlu defaults). A job that "
        "does not mention GPUs gets one, or as many as the lab's setting says; -g 0 runs it on the CPU. "
        "The job runs in the current folder unless --dir says otherwise.",
        "运行内容可以是：-- 之后的命令；脚本文件（提交时即保存其内容），其后为脚本的参数；- 表示从标准输"
        "入读取脚本；或一个带引号的命令行。选项写在它之前。未写的选项取您的默认值（danlu defaults）。没有"
        "指定 GPU 的任务使用一块，或实验室设置的数量；-g 0 在 CPU 上运行。除非用 --dir 指定，任务在当前目"
        "录运行。",
    ),
    "cli.examples.submit": (
        "danlu submit -g 2 --time 2h -- python train.py --epochs 90\n"
        "danlu submit -g 1 --env torch --after-ok 14 train.sh resnet50\n"
        "echo 'make && ./bench' | danlu submit -g 0 --cpus 8 -",
        "danlu submit -g 2 --time 2h -- python train.py --epochs 90\n"
        "danlu submit -g 1 --env torch --after-ok 14 train.sh resnet50\n"
        "echo 'make && ./bench' | danlu submit -g 0 --cpus 8 -",
    ),
    "cli.help.run": (
        "Submit a job, follow its output, and exit with its exit code.",
        "提交任务并跟随输出，以任务的退出码退出。",
    ),
    "cli.about.run": (
        "Takes what `danlu submit` takes. Ctrl-C asks whether to cancel the job or leave it running. If "
        "the server restarts meanwhile, it waits. The exit code is the job's; 128 + N if signal N ended "
        "it; 125 if the job has none: it was cancelled or could not start, or Danlu could not submit or "
        "follow it; 2 for wrong usage or an impossible request.",
        "用法与 danlu submit 相同。按 Ctrl-C 会询问是取消任务还是让它继续运行。期间服务若重启，会等它恢复"
        "后继续。退出码为任务的退出码；被信号 N 终止时为 128 + N；任务没有退出码时为 125：任务被取消或无"
        "法启动，或丹炉无法提交或跟随它；用法错误或要求无法满足时为 2。",
    ),
    "cli.exit.heading": ("Exit codes", "退出码"),
    "cli.exit.0": ("done; `danlu run`: the job succeeded", "完成；对 `danlu run` 来说是任务成功"),
    "cli.exit.1": ("refused by the server, not found, or no server", "被服务拒绝、找不到，或没有服务"),
    "cli.exit.2": (
        "wrong usage or an impossible request; nothing was changed",
        "用法错误或无法满足的要求；没有做任何改动",
    ),
    "cli.exit.125": (
        "`danlu run` and `danlu examples NAME`: not the job's own. The job was cancelled or could not "
        "start, or Danlu could not submit or follow it",
        "`danlu run` 和 `danlu examples 名称`：不是任务自己的退出码。任务被取消或无法启动，或丹炉无法提交"
        "或跟随它",
    ),
    "cli.exit.130": (
        "interrupted (Ctrl-C); `danlu run`: you left, the job keeps running",
        "被中断（Ctrl-C）；对 `danlu run` 来说是您离开了，任务继续",
    ),
    "cli.exit.141": ("the program reading the output went away", "读取输出的一方已退出"),
    "cli.exit.job": (
        "the job's exit code; 128 + N if signal N ended it (143 after a time limit)",
        "任务的退出码；被信号 N 终止时为 128 + N（超时为 143）",
    ),
    "cli.examples.run": (
        "danlu run -g 1 -- python train.py\ndanlu run --time 10m -- nvidia-smi",
        "danlu run -g 1 -- python train.py\ndanlu run --time 10m -- nvidia-smi",
    ),
    "cli.help.examples": (
        "List ready-made example jobs, or start one and follow it.",
        "列出现成的示例训练，或启动一个并跟随其输出。",
    ),
    "cli.about.examples": (
        "They need nothing but Python on the nodes. Without a name, all are listed; with one, its jobs "
        "are submitted and followed to the end, like `danlu run`.",
        "示例只需要节点上有 Python。不写名字时列出全部；写上名字则提交它的任务，并像 danlu run 一样跟随到"
        "结束。",
    ),
    "cli.examples.examples": (
        "danlu examples\ndanlu examples classifier",
        "danlu examples\ndanlu examples classifier",
    ),
    "cli.help.ps": ("List running and waiting jobs.", "列出运行中和等待中的任务。"),
    "cli.examples.ps": (
        "danlu ps --mine\ndanlu ps --all --user alice --limit 20\ndanlu ps --state failed --json",
        "danlu ps --mine\ndanlu ps --all --user alice --limit 20\ndanlu ps --state failed --json",
    ),
    "cli.help.show": ("Show everything about a job.", "显示任务的全部信息。"),
    "cli.examples.show": ("danlu show 12\ndanlu show 12 --json", "danlu show 12\ndanlu show 12 --json"),
    "cli.help.elements": (
        "List the elements of an array.",
        "列出数组的子任务。",
    ),
    "cli.examples.elements": (
        "danlu elements 12\ndanlu elements 12 --state failed",
        "danlu elements 12\ndanlu elements 12 --state failed",
    ),
    "cli.help.why": (
        "Say in one sentence why a job is waiting, or how it ended.",
        "用一句话说明任务为何等待，或如何结束。",
    ),
    "cli.examples.why": ("danlu why 12", "danlu why 12"),
    "cli.help.top": ("Watch nodes, GPUs and the queue live.", "实时查看节点、GPU 和队列。"),
    "cli.about.top": (
        "Arrows choose a job; Enter shows it with its live output, l shows only the output, c cancels "
        "it. / filters by id, name, owner, state or node, m switches between all jobs and yours, q quits.",
        "方向键选择任务；回车查看任务及其实时输出，l 只看输出，c 取消任务。/ 按编号、名称、用户、状态或节"
        "点过滤，m 切换全部任务与我的任务，q 退出。",
    ),
    "cli.examples.top": ("danlu top\ndanlu top --profile lab", "danlu top\ndanlu top --profile lab"),
    "cli.help.logs": ("Print a job's output, or follow it.", "输出任务的日志，或持续跟随。"),
    "cli.about.logs": (
        "Bytes are written as the job wrote them. Following survives a restart of the server and ends "
        "with the job.",
        "原样输出任务写入的字节。跟随在服务重启后会继续，并随任务结束。",
    ),
    "cli.examples.logs": (
        "danlu logs -f 12\ndanlu logs 12 --tail 50 --stderr\ndanlu logs 12 --attempt 1 > first.log\n"
        "danlu logs 'http://danlu.lab/jobs/12?attempt=1&at=4096'",
        "danlu logs -f 12\ndanlu logs 12 --tail 50 --stderr\ndanlu logs 12 --attempt 1 > first.log\n"
        "danlu logs 'http://danlu.lab/jobs/12?attempt=1&at=4096'",
    ),
    "cli.help.edit": (
        "Change a waiting job; an ended one runs again under its id, as its next attempt.",
        "修改等待中的任务；已结束的任务会沿用原编号，作为下一次运行重新排队。",
    ),
    "cli.about.edit": (
        "Takes the options of `danlu submit`; a new command goes after `--`. A running job cannot be "
        "edited: cancel it first.",
        "选项与 danlu submit 相同，新命令写在 -- 之后。运行中的任务不能修改，请先取消。",
    ),
    "cli.examples.edit": (
        "danlu edit 12 --gpus 4 --time 8h\ndanlu edit 12 --clear node --clear after\n"
        "danlu edit 12 -- python train.py --lr 0.01",
        "danlu edit 12 --gpus 4 --time 8h\ndanlu edit 12 --clear node --clear after\n"
        "danlu edit 12 -- python train.py --lr 0.01",
    ),
    "cli.help.cancel": ("Stop jobs with all their processes.", "停止任务（包括其全部进程）。"),
    "cli.examples.cancel": (
        "danlu cancel 12\ndanlu cancel 12 13,14\ndanlu cancel --now 12\n"
        "danlu cancel --mine --state waiting   # all that match",
        "danlu cancel 12\ndanlu cancel 12 13,14\ndanlu cancel --now 12\n"
        "danlu cancel --mine --state waiting   # 所有符合条件的",
    ),
    "cli.help.hold": ("Keep waiting jobs from starting.", "挂起等待中的任务，使其暂不启动。"),
    "cli.examples.hold": (
        "danlu hold 12 13\ndanlu hold --name sweep",
        "danlu hold 12 13\ndanlu hold --name sweep",
    ),
    "cli.help.release": ("Put held jobs back in the queue.", "释放被挂起的任务，重新排队。"),
    "cli.examples.release": (
        "danlu release 12 13\ndanlu release --name sweep",
        "danlu release 12 13\ndanlu release --name sweep",
    ),
    "cli.help.move": ("Move a job in the list of waiting jobs.", "移动任务在等待列表中的位置。"),
    "cli.examples.move": (
        "danlu move 12 1   # to the head of the queue",
        "danlu move 12 1   # 移到队首",
    ),
    "cli.help.resubmit": (
        "Run jobs again as new jobs, and print their ids.",
        "把任务作为新任务重新运行，输出新的编号。",
    ),
    "cli.about.resubmit": (
        "The old jobs keep their ids and logs. To run an ended job again under its own id, keeping its "
        "log as an earlier attempt: danlu edit JOB, with or without changes.",
        "原任务的编号和日志保持不变。若要让已结束的任务沿用原编号重新运行（现有日志保留为一次运行）："
        "danlu edit 任务，可以不作修改。",
    ),
    "cli.examples.resubmit": (
        "danlu resubmit 12 13\ndanlu resubmit --mine --state failed",
        "danlu resubmit 12 13\ndanlu resubmit --mine --state failed",
    ),
    "cli.help.delete": ("Delete waiting or ended jobs.", "删除等待中或已结束的任务。"),
    "cli.about.delete": (
        "On a terminal it asks first; in a script it does not. A deleted predecessor counts as ended.",
        "在终端中会先确认，在脚本中不会。被删除的前驱视为已结束。",
    ),
    "cli.examples.delete": (
        "danlu delete 12\ndanlu delete 12 --with-successors --running leave",
        "danlu delete 12\ndanlu delete 12 --with-successors --running leave",
    ),
    "cli.help.defaults": ("Show or change your defaults for new jobs.", "查看或修改您提交任务时的默认值。"),
    "cli.about.defaults": (
        "A default applies to what a job leaves out; `danlu submit` always gives name and folder.",
        "提交时未写的选项取默认值；danlu submit 总会给出目录和名称。",
    ),
    "cli.examples.defaults": (
        "danlu defaults\ndanlu defaults set --env torch --time 1d\ndanlu defaults clear time",
        "danlu defaults\ndanlu defaults set --env torch --time 1d\ndanlu defaults clear time",
    ),
    "cli.help.defaults.set": ("Set defaults.", "设置默认值。"),
    "cli.examples.defaults.set": (
        "danlu defaults set --env torch --time 1d",
        "danlu defaults set --env torch --time 1d",
    ),
    "cli.help.defaults.clear": ("Clear defaults.", "清除默认值。"),
    "cli.examples.defaults.clear": ("danlu defaults clear env time", "danlu defaults clear env time"),
    "cli.help.kv": (
        "Keys and values that your jobs and programs share.",
        "任务和程序之间共享的键值。",
    ),
    "cli.about.kv": (
        "Up to 1000 keys of 64 KiB each, for you alone. Every change gets a new revision; with "
        "--if-revision, a change is made only if the revision is still the one you saw. In Python: "
        "client.kv.",
        "最多 1000 个键，每个值不超过 64 KiB，仅供您自己使用。每次修改都有新的版本号；使用 --if-revision "
        "时，只有版本未变才会修改。Python 中为 client.kv。",
    ),
    "cli.examples.kv": (
        "danlu kv put best 0.93\ndanlu kv get best",
        "danlu kv put best 0.93\ndanlu kv get best",
    ),
    "cli.help.kv.get": ("Print a value.", "输出值。"),
    "cli.examples.kv.get": ("danlu kv get best", "danlu kv get best"),
    "cli.help.kv.put": ("Set a value.", "设置值。"),
    "cli.examples.kv.put": (
        "danlu kv put best 0.93\ncat run.json | danlu kv put run -\ndanlu kv put best 0.95 --if-revision 7",
        "danlu kv put best 0.93\ncat run.json | danlu kv put run -\ndanlu kv put best 0.95 --if-revision 7",
    ),
    "cli.help.kv.delete": ("Delete a key.", "删除键。"),
    "cli.examples.kv.delete": ("danlu kv delete best", "danlu kv delete best"),
    "cli.help.kv.list": ("List your keys.", "列出您的键。"),
    "cli.examples.kv.list": ("danlu kv list\ndanlu kv list run/", "danlu kv list\ndanlu kv list run/"),
    "cli.help.locks": ("List held locks, or release one by force.", "列出被占用的锁，或强制释放。"),
    "cli.about.locks": (
        'Jobs and programs take named locks through the SDK: with danlu.lock("name") as fence. A lock '
        "held by a job is free once the job releases it or ends.",
        '任务和程序通过 SDK 使用命名锁：with danlu.lock("name") as fence。任务持有的锁在其释放或任务结束'
        "后即空闲。",
    ),
    "cli.examples.locks": (
        "danlu locks\ndanlu locks release checkpoints",
        "danlu locks\ndanlu locks release checkpoints",
    ),
    "cli.help.locks.release": ("Release a lock by force, from any holder.", "强制释放锁，无论谁在占用。"),
    "cli.examples.locks.release": (
        "danlu locks release checkpoints\ndanlu locks release checkpoints --owner li",
        "danlu locks release checkpoints\ndanlu locks release checkpoints --owner li",
    ),
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
    "cli.help.server-log": (
        "Print the server's own log, or follow it.",
        "输出服务器自身的日志，或持续跟随。",
    ),
    "cli.about.server-log": (
        "For administrators, and for members if the settings allow it. It has the last 5,000 entries; "
        "more is in server.log in the data folder.",
        "供管理员查看；设置允许时成员也可查看。只有最近 5000 条，更早的在数据目录的 server.log 中。",
    ),
    "cli.examples.server-log": (
        "danlu server-log --level warning\ndanlu server-log -f --text keeper",
        "danlu server-log --level warning\ndanlu server-log -f --text keeper",
    ),
    "cli.help.settings": (
        "Show the settings, or change them (administrators).",
        "查看设置，或修改设置（管理员）。",
    ),
    "cli.examples.settings": (
        "danlu settings\ndanlu settings --server-log-for-members on",
        "danlu settings\ndanlu settings --server-log-for-members on",
    ),
    "cli.help.pause": (
        "Start no more jobs; running ones keep running (administrators).",
        "暂停调度：不再启动任务，运行中的不受影响（管理员）。",
    ),
    "cli.examples.pause": ("danlu pause", "danlu pause"),
    "cli.help.resume": ("Start jobs again after a pause (administrators).", "恢复调度（管理员）。"),
    "cli.examples.resume": ("danlu resume", "danlu resume"),
    "cli.help.scheduling": ("Control the scheduler (administrators).", "指挥调度器（管理员）。"),
    "cli.examples.scheduling": ("danlu scheduling pass", "danlu scheduling pass"),
    "cli.help.scheduling.pass": (
        "Run a scheduling pass now (administrators).",
        "立即进行一轮调度（管理员）。",
    ),
    "cli.about.scheduling.pass": (
        "Passes run by themselves whenever something happens. This one looks at everything afresh and "
        "says what it did.",
        "有变化时调度会自动进行；本命令会重新读取全部信息，立即调度一轮并报告结果。",
    ),
    "cli.examples.scheduling.pass": ("danlu scheduling pass", "danlu scheduling pass"),
    "cli.help.backup": (
        "Write a backup of the running server into a file (administrators).",
        "把正在运行的服务备份到文件（管理员）。",
    ),
    "cli.about.backup": (
        "One archive of one moment: users, jobs, history, settings. Also works from another machine. It "
        "holds hashes of passwords and tokens: keep it as safe as those.",
        "归档包含同一时刻的用户、任务、历史和设置，也可以从其他机器上执行。其中有密码和令牌的哈希，请妥善"
        "保管。",
    ),
    "cli.examples.backup": (
        "danlu backup danlu.tar.gz\ndanlu backup danlu.tar.gz --with-logs --force",
        "danlu backup danlu.tar.gz\ndanlu backup danlu.tar.gz --with-logs --force",
    ),
    "cli.help.restore": ("Make a data folder from a backup.", "从备份恢复数据目录。"),
    "cli.about.restore": (
        "The folder must be empty or missing. Jobs that were running when the backup was made are put on "
        "hold: they may still be running where they were.",
        "目录必须为空或不存在。备份时正在运行的任务会被挂起，因为它们可能仍在原处运行。",
    ),
    "cli.examples.restore": (
        "danlu restore danlu.tar.gz --data /srv/danlu\n"
        "danlu restore danlu.tar.gz --data /srv/danlu --database postgresql://danlu@db.lab/danlu",
        "danlu restore danlu.tar.gz --data /srv/danlu\n"
        "danlu restore danlu.tar.gz --data /srv/danlu --database postgresql://danlu@db.lab/danlu",
    ),
    "cli.help.database": (
        "Show where everything is stored, or move it.",
        "查看数据库，或把数据搬到另一个数据库。",
    ),
    "cli.examples.database": (
        "danlu database show\ndanlu database move postgresql://danlu@db.lab/danlu",
        "danlu database show\ndanlu database move postgresql://danlu@db.lab/danlu",
    ),
    "cli.help.database.show": (
        "Show which database is in use, its size and its schema.",
        "显示所用的数据库、大小和结构版本。",
    ),
    "cli.examples.database.show": ("danlu database show", "danlu database show"),
    "cli.help.database.move": (
        "Move everything to another database; the server must be stopped.",
        "把全部数据搬到另一个数据库；须先停止服务。",
    ),
    "cli.about.database.move": (
        "The target must be empty. Every row is compared before the new database is used; until then, "
        "and whatever goes wrong, the old one stays in use. Without a target, DANLU_DATABASE is used: "
        "put a password there, or in ~/.pgpass, not on the command line.",
        "目标必须为空。逐行核对无误后才会启用新数据库；在此之前无论出什么问题，旧数据库一直有效。未给出目"
        "标时使用 DANLU_DATABASE：密码应放在那里或 ~/.pgpass 中，不要写在命令行上。",
    ),
    "cli.examples.database.move": (
        "danlu database move postgresql://danlu@db.lab/danlu\ndanlu database move sqlite",
        "danlu database move postgresql://danlu@db.lab/danlu\ndanlu database move sqlite",
    ),
    "cli.help.database.reinstate": (
        "Use a database again after it was moved away, or after its nodes followed another copy.",
        "重新启用已搬走的数据库，或其节点曾跟随另一份副本的数据库。",
    ),
    "cli.about.database.reinstate": (
        "To undo a move, or to continue with this copy. The server must be stopped, and no server may "
        "keep using the other copy. New jobs get numbers that no copy has used; unfinished jobs are put "
        "on hold, sessions end, and the nodes follow the next server of this database.",
        "用于后悔的搬移，或要让某一份副本继续。须先停止服务，且任何服务都不得再使用另一份副本。新任务的编"
        "号不会与任何副本重复；曾在运行的任务被暂停，登录会话结束，节点将跟随本数据库的下一个服务。",
    ),
    "cli.examples.database.reinstate": (
        "danlu database reinstate\n"
        "danlu database reinstate ~/.local/share/danlu/danlu.db.moved-20260105-101500",
        "danlu database reinstate\n"
        "danlu database reinstate ~/.local/share/danlu/danlu.db.moved-20260105-101500",
    ),
    "cli.help.up": ("Start Danlu on this machine.", "在本机启动丹炉。"),
    "cli.about.up": (
        "Takes over the jobs that are still running from before. Ctrl-C or `danlu down` stops the server "
        "and leaves the jobs running.",
        "会接管之前仍在运行的任务。Ctrl-C 或 danlu down 停止服务，任务继续运行。",
    ),
    "cli.examples.up": (
        "danlu up\ndanlu up --data /srv/danlu --host 0.0.0.0 --port 8642   # for the network, encrypted\n"
        "danlu up --trusted-proxy 127.0.0.1 --url https://gpu.lab/danlu\ndanlu up --simulate 3x8",
        "danlu up\ndanlu up --data /srv/danlu --host 0.0.0.0 --port 8642   # 供局域网使用，自动加密\n"
        "danlu up --trusted-proxy 127.0.0.1 --url https://gpu.lab/danlu\ndanlu up --simulate 3x8",
    ),
    "cli.help.down": ("Stop the server; jobs keep running.", "停止服务；任务继续运行。"),
    "cli.examples.down": ("danlu down\ndanlu down --stop-jobs", "danlu down\ndanlu down --stop-jobs"),
    "cli.help.login": ("Log in to a server on another machine.", "登录其他机器上的服务。"),
    "cli.about.login": (
        "It asks for your password and exchanges it for a token, which is kept in a file that only you "
        "can read. A server whose certificate no authority vouches for is identified by the fingerprint "
        "of its key: compare it once, and from then on nothing is sent to a server with another key. For "
        "several servers, use one --profile each; the last one becomes the default.",
        "登录时会询问密码并换取令牌，令牌保存在只有您可读的文件中。证书没有权威机构担保的服务凭其密钥指纹"
        "辨认：核对一次，此后不会向密钥不同的任何人发送信息。多个服务可各用一个 --profile，最后登录的成为"
        "默认。",
    ),
    "cli.examples.login": (
        "danlu login https://gpu-master:8642\ndanlu login https://lab.edu/danlu --profile lab --user alice\n"
        "danlu login --link   # a fresh link for the browser",
        "danlu login https://gpu-master:8642\ndanlu login https://lab.edu/danlu --profile lab --user alice\n"
        "danlu login --link   # 获取新的浏览器登录链接",
    ),
    "cli.help.status": (
        "Show where the server is, how its identity is checked, and what it is doing.",
        "显示服务的地址、辨认方式和当前状况。",
    ),
    "cli.examples.status": ("danlu status\ndanlu status --json", "danlu status\ndanlu status --json"),
    "cli.help.logout": ("Revoke a profile's token and forget it.", "注销并删除保存的令牌。"),
    "cli.examples.logout": (
        "danlu logout\ndanlu logout --profile lab",
        "danlu logout\ndanlu logout --profile lab",
    ),
    "cli.help.whoami": ("Show who you are, and where.", "显示当前身份和所连接的服务。"),
    "cli.examples.whoami": ("danlu whoami", "danlu whoami"),
    "cli.help.version": ("Show the versions of this program and of the server.", "显示本程序和服务的版本。"),
    "cli.examples.version": ("danlu version", "danlu version"),
}

_OPTIONS: dict[str, tuple[str, str]] = {
    "cli.option.help": ("Show this help.", "显示本帮助。"),
    "cli.option.data": (
        "Use the server of this data folder (or DANLU_DATA).",
        "使用该数据目录的服务（或 DANLU_DATA）。",
    ),
    "cli.option.profile": ("Use this login (or DANLU_PROFILE).", "使用该登录配置（或 DANLU_PROFILE）。"),
    "cli.option.json": ("Print the API's JSON.", "输出 API 的 JSON。"),
    "cli.option.key": (
        "Idempotency key: the same key never makes a second job.",
        "幂等键：相同的键不会产生第二个任务。",
    ),
    "cli.option.dry_run": (
        "Submit nothing: say what it would be refused for, or when it would start.",
        "不提交：只说明会因为什么被拒绝，或何时会启动。",
    ),
    "cli.option.clear": ("Set this field back (--clear node).", "清除该字段（--clear node）。"),
    "cli.option.if_revision": (
        "Only if this is its revision still; 0: only if there is none yet.",
        "仅当版本仍为此值时才执行；0 表示仅当键不存在时。",
    ),
    "cli.option.all_owners": ("Those of all users (administrators).", "所有人的（管理员）。"),
    "cli.option.lock_owner": ("Whose lock it is, if not yours (administrators).", "锁的所有者（管理员）。"),
    "cli.option.all": ("Ended jobs too.", "包括已结束的任务。"),
    "cli.option.all_jobs": (
        "All jobs you may act on; for administrators, those of all users.",
        "您有权操作的所有任务；管理员则包括所有用户的任务。",
    ),
    "cli.option.mine": ("Only mine.", "只看自己的。"),
    "cli.option.user": ("Only this user's.", "只看该用户的。"),
    "cli.option.state": (
        "Only in this state: waiting, held, running, failed…",
        "只看该状态：waiting、held、running、failed…",
    ),
    "cli.option.ps_search": (
        "Only with this in the name or the owner's name, or the job of this number.",
        "只看名称或用户名包含该文字的，或该编号的任务。",
    ),
    "cli.option.sort": (
        "newest, oldest, longest, name or owner.",
        "排序：newest（最新）、oldest（最早）、longest（最久）、name（名称）、owner（用户）。",
    ),
    "cli.option.ps_name": ("Only with this in the name.", "只看名称包含该文字的。"),
    "cli.option.ps_tag": (
        "Only with this tag: project=vit, or project for any value.",
        "只看带有该标签的：project=vit，或 project（任意值）。",
    ),
    "cli.option.limit": ("At most so many (100; 0 for all).", "最多显示多少个（默认 100，0 为全部）。"),
    "cli.option.follow": ("Go on until the job ends.", "持续输出直到任务结束。"),
    "cli.option.attempt": ("Of this attempt (default: the latest).", "第几次运行（默认最近一次）。"),
    "cli.option.logs_rank": (
        "Of a job over several nodes: only this rank. Without it all of them, each line behind its rank.",
        "多节点任务：只看这个 rank。不指定则显示全部，每行前标注其 rank。",
    ),
    "cli.option.logs_stderr": ("Standard error instead of standard output.", "输出标准错误而不是标准输出。"),
    "cli.option.tail": ("Only the last lines.", "只输出最后若干行。"),
    "cli.option.logs_search": (
        "Only the lines with this text, each with the byte where it begins.",
        "只输出包含该文字的行，并给出每行开始的字节位置。",
    ),
    "cli.option.logs_timestamps": (
        "Before each line, by when it had been written (as seen every second).",
        "在每行前显示它最迟写于何时（每秒观察一次）。",
    ),
    "cli.option.trouble": (
        "Only the lines with signs of trouble: Traceback, error:, out of memory, NaN…",
        "只输出有出错迹象的行：Traceback、error:、显存不足、NaN……",
    ),
    "cli.option.follow_server_log": ("Go on as entries are written.", "持续输出新的日志。"),
    "cli.option.entry_level": (
        "This level and above: debug, info, warning or error (info).",
        "该级别及以上：debug、info、warning、error（默认 info）。",
    ),
    "cli.option.entry_text": ("Only with this text.", "只看包含该文字的。"),
    "cli.option.entries": ("The last so many entries (100).", "最后若干条（默认 100）。"),
    "cli.option.server_log_for_members": (
        "Let members read the server's log, or not.",
        "是否允许成员查看服务器日志。",
    ),
    "cli.option.default_gpus": (
        "How many GPUs a job gets that says nothing of them (1); 0: it runs on the CPU.",
        "没有指定 GPU 的任务使用几块 GPU（默认 1）；0 表示在 CPU 上运行。",
    ),
    "cli.option.auto_gpus": (
        "The most GPUs of a node that --gpus auto takes (8).",
        "--gpus auto 在一个节点上最多使用的 GPU 数（默认 8）。",
    ),
    "cli.option.auto_nodes": (
        "The most nodes that --nodes auto takes (8).",
        "--nodes auto 最多使用的节点数（默认 8）。",
    ),
    "cli.option.stage_folder": (
        "Where on each node staged data lie (/var/tmp); an empty text sets it back.",
        "各节点上存放预复制数据的目录（默认 /var/tmp）；空文字恢复默认。",
    ),
    "cli.option.events_days": (
        "How many days events and curves are kept, those of a job from its end on; 0: for ever.",
        "事件和任务的曲线保留多少天（任务的从任务结束算起）；0 表示一直保留。",
    ),
    "cli.option.stage_disk_percent": (
        "How full that disk may be before unused staged data are removed (90).",
        "该磁盘用到百分之多少时清除无人使用的预复制数据（默认 90）。",
    ),
    "cli.option.job_log_limit_mb": (
        "How much of a job's log is kept, such as 10G; 0: all. The job keeps running, but its log loses "
        "its middle.",
        "丹炉为一个任务保留的日志大小，例如 10G；0 表示全部保留。超出时任务继续运行，截去日志的中间部分。",
    ),
    "cli.option.all_logs_limit_mb": (
        "How much all such logs on a node may take together; the largest are cut first. 0: no limit.",
        "一个节点上这类日志总共可占的空间；先截去最大的。0 表示不限。",
    ),
    "cli.option.offset": (
        "From this byte on; a negative number counts from the end.",
        "从该字节开始；负数从末尾算起。",
    ),
    "cli.option.now": (
        "Kill at once, without grace, even if it is already being stopped.",
        "立即强制结束，不给宽限；正在停止的任务也一样。",
    ),
    "cli.option.with_successors": (
        "Also all jobs that wait for them, and so on.",
        "连同所有后继任务（递归）。",
    ),
    "cli.option.running": (
        "What to do with running successors.",
        "如何处理正在运行的后继：leave 保留，cancel 取消。",
    ),
    "cli.option.yes": ("Do not ask.", "不再询问。"),
    "cli.option.database": (
        "PostgreSQL instead of SQLite: postgresql://user@host/name (or DANLU_DATABASE). Remembered.",
        "使用 PostgreSQL 而不是 SQLite：postgresql://user@host/name（或 DANLU_DATABASE）。会被记住。",
    ),
    "cli.option.standby": (
        "Stand by for the server that uses the same PostgreSQL, and take over if it is gone.",
        "为使用同一 PostgreSQL 的服务待命，在其失效时接管。",
    ),
    "cli.option.restore_database": (
        "Restore into this empty PostgreSQL database (or DANLU_DATABASE).",
        "恢复到这个空的 PostgreSQL 数据库（或 DANLU_DATABASE）。",
    ),
    "cli.option.with_logs": (
        "Include the jobs' output, and what functions returned.",
        "也包括任务输出和函数返回值。",
    ),
    "cli.option.force": ("Overwrite the file.", "覆盖已有文件。"),
    "cli.option.host": (
        "Address to listen on (127.0.0.1: only this machine; 0.0.0.0: all its addresses).",
        "监听地址（127.0.0.1 仅本机；0.0.0.0 本机所有地址）。",
    ),
    "cli.option.tls_cert": (
        "Your site's certificate with its chain (PEM); read again when it changes.",
        "本单位的证书及证书链（PEM）；更换后自动重新读取。",
    ),
    "cli.option.tls_key": ("The key of --tls-cert (PEM).", "--tls-cert 对应的私钥（PEM）。"),
    "cli.option.plain_http": (
        "Do not encrypt, even where others can listen in.",
        "不加密，即使他人可以窃听。",
    ),
    "cli.option.public_url": (
        "The address people use, for links: https://gpu.lab/danlu.",
        "用户访问的地址，用于生成链接：https://gpu.lab/danlu。",
    ),
    "cli.option.root_path": (
        "The path under which a proxy serves Danlu (default: that of --url).",
        "代理提供丹炉的路径（默认取 --url 的路径）。",
    ),
    "cli.option.trusted_proxy": (
        "A proxy whose X-Forwarded headers are trusted (repeatable).",
        "信任其 X-Forwarded 头的代理（可重复）。",
    ),
    "cli.option.allowed_host": (
        "Another name that the server answers to (repeatable).",
        "服务接受的其他主机名（可重复）。",
    ),
    "cli.option.fingerprint": (
        "The server's key, as `danlu up` prints it: SHA256:…",
        "服务的密钥指纹，见 danlu up 的输出：SHA256:…",
    ),
    "cli.option.port": ("Port (8642 if free, else any).", "端口（默认 8642，被占用则任选）。"),
    "cli.option.keep_leftovers": (
        "Leave alone the processes that a job leaves behind, instead of killing them when it ends.",
        "任务结束时不清理它遗留的进程。",
    ),
    "cli.option.cgroups": (
        "How a job's processes are kept together (default auto: the best this machine has).",
        "用何种方式管住任务的所有进程（默认 auto：本机可用的最好方式）。",
    ),
    "cli.option.simulate": (
        "Simulated GPUs: 4, or 3x8 for three nodes of eight.",
        "模拟 GPU：4，或 3x8 表示三个节点各八块。",
    ),
    "cli.option.folders": (
        "A folder that every user may browse when choosing where a job runs, with their own permissions; "
        "can be repeated. Home folders need no mention. On a cluster every node should have it mounted "
        "there; danlu doctor checks that.",
        "选择任务目录时人人都可浏览的文件夹（以各自账号的权限），可重复给出。各人的主目录无需列出。在集群"
        "中，每个节点都应把它挂载到同一路径；danlu doctor 会检查。",
    ),
    "cli.option.policy": ("Scheduling policy.", "调度策略。"),
    "cli.option.log_level": ("debug, info, warning or error.", "日志级别：debug、info、warning、error。"),
    "cli.option.stop_jobs": (
        "Stop the jobs as well; they go back to the front of the queue.",
        "同时停止任务，它们回到队首。",
    ),
    "cli.option.login_user": ("User name there.", "登录用户名。"),
    "cli.option.token_stdin": (
        "Read a token from standard input; ask nothing.",
        "从标准输入读取令牌，不询问密码。",
    ),
    "cli.option.link": ("Print a one-time login link for the browser.", "输出浏览器一次性登录链接。"),
    "cli.argument.words": (
        "What to run: -- COMMAND…, SCRIPT [ARGUMENTS…], or -",
        "运行内容：-- 命令…、脚本 [参数…] 或 -",
    ),
    "cli.argument.key": ("Name of a key.", "键名。"),
    "cli.argument.value": ("The value; - reads it from standard input.", "值；- 表示从标准输入读取。"),
    "cli.argument.prefix": ("Only keys that begin with this.", "只列出以此开头的键。"),
    "cli.argument.lock": ("Name of a lock.", "锁名。"),
    "cli.argument.job_or_link": (
        "Id of the job, or a link to lines of its log, as the page copies it.",
        "任务编号，或从网页复制的、指向日志某些行的链接。",
    ),
    "cli.argument.job_id": ("Id of the job.", "任务编号。"),
    "cli.argument.jobs": (
        "Ids of jobs: 12 13,14. Or describe them with options.",
        "任务编号：12 13,14；或用选项描述。",
    ),
    "cli.argument.example": ("Name of an example.", "示例的名字。"),
    "cli.argument.position": (
        "Its new place in the list of waiting jobs; 1 is the top. Urgent jobs stay before the others.",
        "在等待任务列表中的位置，1 表示最前。紧急任务始终排在其他任务之前。",
    ),
    "cli.argument.fields": ("Names of options: env time", "选项名：env time"),
    "cli.argument.machine": (
        "The machine, as ssh on the server reaches it.",
        "目标机器，写法与服务器上的 ssh 相同。",
    ),
    "cli.argument.node": ("Only this node.", "只看该节点。"),
    "cli.argument.targets": ("A node, or some of its GPUs: n1, n1:0,3", "节点或其 GPU：n1、n1:0,3"),
    "cli.argument.gpu_targets": ("GPUs of a node: n1:0 or n1:0,3", "节点的 GPU：n1:0 或 n1:0,3"),
    "cli.argument.cluster": (
        "The cluster's server, as danlu nodes token prints it; port 7323 unless given.",
        "集群服务的地址，如 danlu nodes token 所示；默认端口 7323。",
    ),
    "cli.argument.token_id": ("The number of a join token.", "加入令牌的编号。"),
    "cli.argument.role": (
        "compute (takes jobs), login (takes none), debug (jobs that name it, for at most 15 minutes) or "
        "transfer (jobs that name it, without GPUs).",
        "compute（运行任务）、login（不运行任务）、debug（仅运行指名它的任务，最长 15 分钟）或 transfer（"
        "仅运行指名它且不用 GPU 的任务）。",
    ),
    "cli.argument.nodes": ("Nodes.", "节点。"),
    "cli.argument.slots": ("From 1 (the default) to 16.", "1（默认）到 16。"),
    "cli.argument.archive": ("The backup: a .tar.gz file.", "备份文件（.tar.gz）。"),
    "cli.argument.target": (
        "An empty PostgreSQL database, or sqlite for the data folder.",
        "空的 PostgreSQL 数据库；sqlite 表示数据目录中的文件。",
    ),
    "cli.argument.place": (
        "The database, or the file that a move set aside; if left out, the one that the folder remembers.",
        "数据库，或搬移时留下的文件；不写则为数据目录所记住的那个。",
    ),
    "cli.argument.url": ("Address of the server.", "服务地址。"),
}

_REFUSALS: dict[str, tuple[str, str]] = {
    "cli.backup_exists": ("{path} already exists.", "{path} 已存在。"),
    "cli.backup_exists.hint": ("Choose another name, or add --force.", "请换一个文件名，或加上 --force。"),
    "cli.backup_is_folder": ("{path} is a folder.", "{path} 是一个目录。"),
    "cli.backup_is_folder.hint": ("Name a file in it.", "请给出其中的文件名。"),
    "cli.database_fault": ("{reason}", "{reason}"),
    "cli.no_target": ("Say where to move it.", "请说明要搬到哪里。"),
    "cli.no_target.hint": (
        "danlu database move postgresql://user@host/name, or set DANLU_DATABASE.",
        "danlu database move postgresql://user@host/name，或设置 DANLU_DATABASE。",
    ),
    "cli.refusal": ("danlu: {message}", "danlu：{message}"),
    "cli.remedy": ("       {hint}", "       {hint}"),
    "cli.field_refused": ("{field}: {reason}", "{field}：{reason}"),
    "cli.or": (" or ", " 或 "),
    "cli.none": ("none", "无"),
    "cli.usage.see_help": ("{command} --help shows how it is used.", "用 {command} --help 查看用法。"),
    "cli.usage.did_you_mean": ("Did you mean {names}?", "您是不是想用 {names}？"),
    "cli.usage.jobs_or_filter": (
        "Name jobs, or describe them with options, but not both.",
        "请列出任务编号，或用选项描述，二者只能选一。",
    ),
    "cli.usage.missing": ("{name} is missing.", "缺少 {name}。"),
    "cli.usage.no_such_option": ("There is no option {name}.", "没有选项 {name}。"),
    "cli.usage.no_such_command": ("There is no command {name}.", "没有命令 {name}。"),
    "cli.usage.takes_no_value": ("{name} takes no value.", "{name} 不带值。"),
    "cli.usage.needs_value": ("{name} needs a value.", "{name} 需要一个值。"),
    "cli.usage.too_many": ("Too many arguments: {words}", "参数过多：{words}"),
    "cli.bad.number": (
        "{value} is not a whole number of at least {minimum}.",
        "{value} 不是不小于 {minimum} 的整数。",
    ),
    "cli.bad.number.hint": ("Write a number, for example {minimum}.", "请写一个数，例如 {minimum}。"),
    "cli.bad.count_or_auto": ("{value} is not a number.", "{value} 不是一个数。"),
    "cli.bad.count_or_auto.hint": ("Write a number, like 1, or auto.", "请写一个数，例如 1，或写 auto。"),
    "cli.bad.number_between": (
        "{value} is not a whole number from {minimum} to {maximum}.",
        "{value} 不是 {minimum} 到 {maximum} 之间的整数。",
    ),
    "cli.bad.number_between.hint": (
        "Write a number between {minimum} and {maximum}.",
        "请写 {minimum} 到 {maximum} 之间的数。",
    ),
    "cli.bad.job": ("{value} is not a job number.", "{value} 不是任务编号。"),
    "cli.bad.job.hint": (
        "Write 12 for a job, or 12[3] (or 12.3) for an element of an array.",
        "请写任务编号 12，数组中的子任务写作 12[3]（或 12.3）。",
    ),
    "cli.bad.job_or_link": (
        "{value} is neither a job nor a link to its log.",
        "{value} 不是任务编号，也不是日志链接。",
    ),
    "cli.bad.job_or_link.hint": (
        "Write its number, 12, for an element of an array 12[3] (or 12.3), or a link copied from the page.",
        "请写任务编号 12，数组中的子任务写作 12[3]（或 12.3），或从网页复制的链接。",
    ),
    "cli.bad.jobs": ("{value} is not a list of jobs.", "{value} 不是任务编号列表。"),
    "cli.bad.jobs.hint": (
        "Write numbers separated by commas: 12,13, and elements of arrays as 12[3]. danlu ps lists them.",
        "请用逗号分隔编号：12,13，数组中的子任务写作 12[3]。可用 danlu ps 查看。",
    ),
    "cli.bad.job_ids": ("{value} is not a list of job ids.", "{value} 不是任务编号列表。"),
    "cli.bad.job_ids.hint": (
        "Write ids separated by commas: 12,13. danlu ps lists them.",
        "请用逗号分隔编号：12,13。可用 danlu ps 查看。",
    ),
    "cli.bad.gpu_ids": ("{value} is not a list of GPU ids.", "{value} 不是 GPU 编号列表。"),
    "cli.bad.gpu_ids.hint": (
        "Write ids separated by commas: 0,3. danlu gpus lists them.",
        "请用逗号分隔编号：0,3。可用 danlu gpus 查看。",
    ),
    "cli.bad.duration": ("{value} is not a time.", "{value} 不是时间。"),
    "cli.bad.duration.hint": (
        "Write seconds, or 30m, 2h, 1d12h, 300:00:00.",
        "请写秒数，或 30m、2h、1d12h、300:00:00。",
    ),
    "cli.bad.memory": ("{value} is not an amount of memory.", "{value} 不是内存大小。"),
    "cli.bad.memory.hint": ("Write 500M, 16G or 1T.", "请写 500M、16G 或 1T。"),
    "cli.bad.variable": ("{value} is not NAME=VALUE.", "{value} 不是 名称=值 的形式。"),
    "cli.bad.variable.hint": (
        "Write --var NAME=VALUE; a name has only letters, digits and '_', and does not begin with a digit.",
        "请写 --var NAME=VALUE；名称由字母、数字和下划线组成，不能以数字开头。",
    ),
    "cli.bad.tag": ("{value} is not KEY=VALUE.", "{value} 不是 键=值 的形式。"),
    "cli.bad.tag.hint": (
        "Write --tag KEY=VALUE; a key has only letters, digits and . _ - /.",
        "请写 --tag KEY=VALUE；键由字母、数字和 . _ - / 组成。",
    ),
    "cli.bad.list": ("The list is empty.", "内容为空。"),
    "cli.bad.list.hint": ("Write one or more, separated by commas.", "请写一个或多个，用逗号分隔。"),
    "cli.bad.key": ("{value} cannot be a key.", "{value} 不能作为键。"),
    "cli.bad.key.hint": ("A key has 1 to 200 ASCII characters.", "键由 1 到 200 个 ASCII 字符组成。"),
    "cli.bad.cluster": ("{value} is not a cluster that can be simulated.", "{value} 不是可模拟的集群。"),
    "cli.bad.cluster.hint": (
        "Write 4 for four GPUs, or 3x8 for three nodes of eight.",
        "请写 4（四块 GPU）或 3x8（三个节点各八块）。",
    ),
    "cli.bad.machine": (
        "{value} is not a machine that ssh can reach.",
        "{value} 不是 ssh 能访问的机器写法。",
    ),
    "cli.bad.machine.hint": (
        "Write HOST, USER@HOST or USER@HOST:PORT.",
        "请写 HOST、USER@HOST 或 USER@HOST:PORT。",
    ),
    "cli.bad.target": (
        "{value} is neither a node nor one of its GPUs.",
        "{value} 既不是节点也不是节点的 GPU。",
    ),
    "cli.bad.target.hint": (
        "Write n1, n1:0 or n1:0,3. danlu nodes lists the nodes.",
        "请写 n1、n1:0 或 n1:0,3。可用 danlu nodes 查看节点。",
    ),
    "cli.bad.gpu_target": ("{value} is not a GPU of a node.", "{value} 不是节点的 GPU。"),
    "cli.bad.gpu_target.hint": (
        "Write n1:0 or n1:0,3. danlu gpus lists them.",
        "请写 n1:0 或 n1:0,3。可用 danlu gpus 查看。",
    ),
    "cli.bad.word": ("{value} is not a possible value.", "{value} 不是可用的值。"),
    "cli.bad.word.hint": ("Possible: {words}.", "可用：{words}。"),
    "cli.bad.word_close": ("{value} is not a possible value.", "{value} 不是可用的值。"),
    "cli.bad.word_close.hint": ("Did you mean {close}?", "您是不是想用 {close}？"),
    "cli.no_command": ("command: There is nothing to run.", "command：没有要运行的内容。"),
    "cli.no_command.hint": (
        "Say what to run, for example: danlu submit -- python train.py; or set a default command: danlu "
        "defaults set -- python train.py",
        "请给出要运行的内容，例如：danlu submit -- python train.py；也可设置默认命令：danlu defaults set "
        "-- python train.py",
    ),
    "cli.no_such_script": ("script: There is no file {path}.", "script：没有文件 {path}。"),
    "cli.no_such_script.hint": (
        "Check the name; if it is a command on the node, write: -- {path}",
        "请核对文件名；如果它是节点上的命令，请写：-- {path}",
    ),
    "cli.script_too_large": (
        "script: {path} is larger than {limit_kb} KB.",
        "script：{path} 超过 {limit_kb} KB。",
    ),
    "cli.script_too_large.hint": (
        "Leave it where it is and run it: -- {path}",
        "请直接运行该文件：-- {path}",
    ),
    "cli.script_not_text": (
        "script: {path} is neither text (UTF-8) nor executable.",
        "script：{path} 既不是文本（UTF-8）也不可执行。",
    ),
    "cli.script_not_text.hint": ("Submit the script that uses it instead.", "请提交使用它的脚本。"),
    "cli.script_empty": ("script: {path} is empty.", "script：{path} 是空的。"),
    "cli.script_empty.hint": ("Write the commands into it first.", "请先写入命令。"),
    "cli.nothing_to_change": (
        "You did not say what to change in job {job}.",
        "没有说明要修改任务 {job} 的什么。",
    ),
    "cli.nothing_to_change.hint": (
        "Name at least one option, for example: danlu edit {job} --gpus 2",
        "请至少给出一个选项，例如：danlu edit {job} --gpus 2",
    ),
    "cli.mail_not_sent": (
        "--mail: Mail about jobs is not available yet: nothing would be sent.",
        "--mail：尚不支持任务邮件通知：不会发送任何邮件。",
    ),
    "cli.mail_not_sent.hint": (
        "Leave it out; `danlu show JOB` shows whether a job has ended.",
        "请去掉它；danlu show 任务号 会显示任务是否结束。",
    ),
    "cli.no_defaults_named": ("You did not name a default.", "没有给出默认值。"),
    "cli.no_defaults_named.hint": (
        "For example: danlu defaults set --env torch",
        "例如：danlu defaults set --env torch",
    ),
    "cli.tail_or_offset": (
        "--tail: It cannot be combined with --offset.",
        "--tail：不能与 --offset 同时使用。",
    ),
    "cli.tail_or_offset.hint": ("Choose one of them.", "请只用其中一个。"),
    "cli.unreachable": (
        "No Danlu server answers at {url} ({reason}).",
        "{url} 没有丹炉服务应答（{reason}）。",
    ),
    "cli.unreachable.hint": (
        "Start it there with danlu up, or choose another server: danlu login URL.",
        "请在该机器上运行 danlu up，或用 danlu login URL 选择其他服务。",
    ),
    "cli.unanswered": (
        "{url} received the request but did not answer ({reason}); it may or may not have been carried out.",
        "{url} 收到了请求但没有应答（{reason}）；是否已执行无法确定。",
    ),
    "cli.unanswered.hint": (
        "Check whether it was carried out (danlu ps, danlu show) before you repeat it.",
        "请先查看是否已执行（danlu ps、danlu show），再决定是否重试。",
    ),
    "cli.none_reachable": (
        "None of the servers answers:\n{each}",
        "所有服务都没有应答：\n{each}",
    ),
    "cli.none_reachable.hint": (
        "Start one of them with danlu up on its machine, or choose another installation: danlu login URL.",
        "请在其中一台机器上运行 danlu up，或用 danlu login URL 选择其他服务。",
    ),
    "cli.not_danlu": (
        "What answers at {url} (HTTP {status}) is not a Danlu server.",
        "{url} 的应答（HTTP {status}）不是来自丹炉服务。",
    ),
    "cli.not_danlu.hint": (
        "Check the address, and any proxy in between.",
        "请核对地址，以及中间可能存在的代理。",
    ),
    "cli.not_running": (
        "No Danlu server is running in the data folder {folder}.",
        "数据目录 {folder} 没有正在运行的丹炉服务。",
    ),
    "cli.not_running.hint": (
        "Start it: danlu up --data {folder}",
        "请启动：danlu up --data {folder}",
    ),
    "cli.no_profile": ("There is no profile {name}.", "没有登录配置 {name}。"),
    "cli.no_profile.hint": (
        "Log in: danlu login URL --profile {name} (known profiles: {known}).",
        "请登录：danlu login URL --profile {name}（已有：{known}）。",
    ),
    "cli.bad_profiles": ("The file {path} cannot be read: {reason}.", "无法读取文件 {path}：{reason}。"),
    "cli.bad_profiles.hint": (
        "Correct it, or delete it and log in again.",
        "请修正，或删除后重新登录。",
    ),
    "cli.nowhere": (
        "No Danlu server is running here, and you are not logged in to one elsewhere.",
        "本机没有运行丹炉服务，您也没有登录其他服务。",
    ),
    "cli.nowhere.hint": (
        "Start one with danlu up, or log in with danlu login URL.",
        "请用 danlu up 启动，或用 danlu login URL 登录。",
    ),
    "cli.login_where": ("url: You did not say where to log in.", "url：没有给出登录地址。"),
    "cli.login_where.hint": (
        "For example: danlu login https://gpu-master:8642",
        "例如：danlu login https://gpu-master:8642",
    ),
    "cli.bad_url": ("url: {url} is not the address of a server.", "url：{url} 不是服务地址。"),
    "cli.bad_url.hint": (
        "For example: https://gpu-master:8642 (without user name and password).",
        "例如：https://gpu-master:8642（不含用户名和密码）。",
    ),
    "cli.unknown_certificate": (
        "No authority known to this machine vouches for {url} ({reason}); its key is {fingerprint}. Nothing "
        "was sent to it.",
        "本机认可的证书机构都没有为 {url} 担保（{reason}）；其密钥指纹为 {fingerprint}。"
        "没有向它发送任何信息。",
    ),
    "cli.unknown_certificate.hint": (
        "Compare it with what `danlu status` shows on the server's machine. If it is the same: danlu "
        "login {url} --fingerprint {fingerprint}",
        "请与服务所在机器上 danlu status 显示的指纹核对。若一致：danlu login {url} --fingerprint "
        "{fingerprint}",
    ),
    "cli.changed_key": (
        "{url} does not have the key you know it by. Nothing was sent to it. Known: {pinned}; now: "
        "{fingerprint}. Either it was set up again, or an attacker in between is impersonating it.",
        "{url} 的密钥与已知的不同，没有向它发送任何信息。已知：{pinned}；现在：{fingerprint}。要么服务重"
        "新安装过，要么有人在中间冒充它。",
    ),
    "cli.changed_key.hint": (
        "Ask its administrator. If `danlu status` there shows the new key, accept it: danlu login {url} "
        "--fingerprint {fingerprint}",
        "请询问管理员。若那里的 danlu status 显示新的指纹，可接受它：danlu login {url} "
        "--fingerprint {fingerprint}",
    ),
    "cli.not_encrypted": (
        "{url} is not encrypted and has no key, but you know the server by its key {pinned}. Nothing was "
        "sent to it.",
        "{url} 未加密，没有密钥，而已知该服务的密钥指纹为 {pinned}。没有向它发送任何信息。",
    ),
    "cli.not_encrypted.hint": (
        "Log in at its https:// address: danlu login https://…",
        "请用 https:// 地址重新登录：danlu login https://…",
    ),
    "cli.not_accepted": ("Not logged in: the key was not accepted.", "未登录：没有接受该密钥。"),
    "cli.not_accepted.hint": (
        "Ask the administrator of the server for its fingerprint.",
        "请向服务的管理员询问密钥指纹。",
    ),
    "cli.bad_fingerprint": (
        "--fingerprint: {text} is not a fingerprint.",
        "--fingerprint：{text} 不是密钥指纹。",
    ),
    "cli.bad_fingerprint.hint": (
        "It looks like SHA256:… and is printed by danlu up and danlu status on the server's machine.",
        "形如 SHA256:…，由服务所在机器上的 danlu up 和 danlu status 输出。",
    ),
    "cli.fingerprint_plain": (
        "--fingerprint: {url} is not encrypted and has no key.",
        "--fingerprint：{url} 未加密，没有密钥。",
    ),
    "cli.fingerprint_plain.hint": ("Use its https:// address.", "请使用 https:// 地址。"),
    "cli.top_needs_terminal": (
        "The dashboard needs a terminal.",
        "看板只能在终端中使用。",
    ),
    "cli.top_needs_terminal.hint": (
        "In a script use danlu ps, danlu gpus or danlu status, with --json.",
        "在脚本中请使用 danlu ps、danlu gpus 或 danlu status（可加 --json）。",
    ),
    "cli.no_terminal": (
        "The password can only be asked for on a terminal.",
        "只能在终端中输入密码。",
    ),
    "cli.no_terminal.hint": (
        "In a script hand in a token: danlu login URL --token-stdin < token-file",
        "在脚本中请使用令牌：danlu login URL --token-stdin < token-file",
    ),
    "cli.no_token": ("token: There is no token on standard input.", "token：标准输入中没有令牌。"),
    "cli.no_token.hint": (
        "Its first line must be the token, and nothing else.",
        "第一行必须是令牌本身。",
    ),
    "cli.not_logged_in": ("You are not logged in to any server.", "您没有登录任何服务。"),
    "cli.not_logged_in.hint": (
        "On the server's own machine you need no login.",
        "在服务所在的机器上无需登录。",
    ),
}

_STATES: dict[str, tuple[str, str]] = {
    "cli.state.waiting": ("waiting", "等待"),
    "cli.state.held": ("held", "挂起"),
    "cli.state.starting": ("starting", "启动中"),
    "cli.state.running": ("running", "运行"),
    "cli.state.stopping": ("stopping", "停止中"),
    "cli.state.succeeded": ("succeeded", "成功"),
    "cli.state.failed": ("failed", "失败"),
    "cli.state.cancelled": ("cancelled", "已取消"),
    "cli.state.deleted": ("deleted", "已删除"),
    "cli.end.completed": ("succeeded", "成功"),
    "cli.end.exit_code": ("exit code", "退出码"),
    "cli.end.signal": ("signal", "信号"),
    "cli.end.time_limit": ("time limit", "超时"),
    "cli.end.cancelled": ("cancelled", "已取消"),
    "cli.end.requeued": ("sent back to the queue", "回到队列"),
    "cli.end.resized": ("continues with other nodes", "调整节点数"),
    "cli.end.not_started": ("interrupted before it began", "启动前被中断"),
    "cli.end.directory_missing": ("no working folder", "工作目录不存在"),
    "cli.end.stage_missing": ("data to stage not found", "找不到要预复制的数据"),
    "cli.end.stage_forbidden": ("data to stage not readable", "无权读取要预复制的数据"),
    "cli.end.stage_full": ("no room for staged data", "没有空间预复制数据"),
    "cli.end.stage_failed": ("data could not be staged", "预复制数据失败"),
    "cli.end.output_unwritable": ("output not writable", "输出文件不可写"),
    "cli.end.environment_missing": ("no such environment", "找不到环境"),
    "cli.end.command_unrunnable": ("command not runnable", "命令无法执行"),
    "cli.end.no_account": ("no Unix account", "没有系统账号"),
    "cli.end.launch_failed": ("could not be started", "无法启动"),
    "cli.end.vanished": ("vanished", "进程消失"),
    "cli.end.node_rebooted": ("node restarted", "节点重启"),
    "cli.end.tasks_failed": ("elements failed", "有子任务失败"),
    "cli.end.node_lost": ("node lost", "节点失联"),
    "cli.end.gpu_fault": ("GPU failed", "GPU 故障"),
    "cli.ended.exit_code": ("exit code {code}", "退出码 {code}"),
    "cli.ended.signal": ("signal {signal}", "信号 {signal}"),
    "cli.short.held": ("on hold", "已挂起"),
    "cli.short.owner_locked": ("owner's account is locked", "主人的账号已锁定"),
    "cli.short.disk_full": ("the server's disk is full", "服务器磁盘已满"),
    "cli.short.scheduling_paused": ("scheduling is paused", "调度已暂停"),
    "cli.short.not_yet": ("retry in {until}", "{until} 后重试"),
    "cli.short.predecessors_running": ("after job {jobs}", "等待任务 {jobs}"),
    "cli.short.predecessors_failed": ("job {jobs} did not succeed", "任务 {jobs} 未成功"),
    "cli.short.no_such_hardware": ("no such hardware yet", "暂无满足的硬件"),
    "cli.short.node_not_for_jobs": ("node {node} takes no jobs", "节点 {node} 不运行任务"),
    "cli.short.node_unavailable": ("node {node} not available", "节点 {node} 不可用"),
    "cli.short.nodes_unavailable": ("nodes not available: {nodes}", "节点不可用：{nodes}"),
    "cli.short.avoids_nodes": ("will be tried on {nodes} again soon", "稍后在 {nodes} 上重试"),
    "cli.short.too_few_gpus": (
        "GPUs of {node}: {wanted} needed, {usable} in service",
        "{node}：需要 {wanted} 块 GPU，可用 {usable} 块",
    ),
    "cli.short.gpus_not_shared": ("GPUs not shared: {closed}", "{closed} 块 GPU 不共享"),
    "cli.short.too_few_nodes": (
        "nodes: {wanted} needed, {in_service} in service",
        "需要 {wanted} 个节点，可用 {in_service} 个",
    ),
    "cli.short.nodes_busy": (
        "nodes: {wanted} needed, {ready} ready",
        "需要 {wanted} 个节点，就绪 {ready} 个",
    ),
    "cli.short.exact_gpus_busy_on_nodes": (
        "GPU {gpu_ids} in use on too many nodes",
        "GPU {gpu_ids} 在过多节点上被占用",
    ),
    "cli.short.exact_gpus_busy": ("GPU {gpu_ids} in use", "GPU {gpu_ids} 被占用"),
    "cli.short.gpus_kept": ("GPU {gpu_ids} kept for job {head}", "GPU {gpu_ids} 为任务 {head} 保留"),
    "cli.short.exact_gpus_drained": ("GPU {gpu_ids} drained", "GPU {gpu_ids} 正在排空"),
    "cli.short.gpus_busy": ("GPUs: {wanted} needed, {free} free", "需要 {wanted} 块 GPU，空闲 {free} 块"),
    "cli.short.exact_gpus_faulty": ("GPU {gpu_ids} faulty", "GPU {gpu_ids} 故障"),
    "cli.short.gpu_memory_busy": ("GPU memory: most free is {free_mb}", "显存不足：单卡最多空闲 {free_mb}"),
    "cli.short.array_full": ("{at_most} of its elements running", "已有 {at_most} 个子任务在运行"),
    "cli.short.cpus_busy": ("CPUs: {wanted} needed, {free} free", "需要 {wanted} 个 CPU，空闲 {free} 个"),
    "cli.short.memory_busy": (
        "memory: {wanted_mb} needed, {free_mb} free",
        "需要内存 {wanted_mb}，空闲 {free_mb}",
    ),
    "cli.short.behind_in_queue": ("number {place}, behind job {head}", "第 {place} 位，在任务 {head} 之后"),
    "cli.short.starting_soon": ("just submitted", "刚刚提交"),
    "cli.role.compute": ("compute", "计算"),
    "cli.role.login": ("login", "登录"),
    "cli.role.debug": ("debug", "调试"),
    "cli.role.transfer": ("transfer", "传输"),
    "cli.token_state.valid": ("valid", "有效"),
    "cli.token_state.expired": ("expired", "已过期"),
    "cli.token_state.revoked": ("revoked", "已撤销"),
    "cli.node.up": ("up", "在线"),
    "cli.node.lost": ("lost", "失联"),
    "cli.node.quarantined": ("quarantined", "隔离"),
    "cli.node.out_of_service": ("out of service", "暂停服务"),
    "cli.node.drained": ("drained", "排空"),
    "cli.node.problems": ("problems: {count}", "{count} 个问题"),
    "cli.node.simulated": ("simulated", "模拟"),
    "cli.gpu.free": ("free", "空闲"),
    "cli.gpu.used": ("in use", "使用中"),
    "cli.gpu.foreign": ("in use by others", "被他人占用"),
    "cli.gpu.drained": ("drained", "排空"),
    "cli.gpu.unmanaged": ("not managed", "未管理"),
    "cli.gpu.faulty": ("faulty", "故障"),
    "cli.gpu.lost": ("node lost", "节点失联"),
    "cli.gpu.slots": ("{slots} slots", "{slots} 个槽位"),
    "cli.gpu.hidden": ("a process not visible from here", "此处不可见的进程"),
    "cli.role.member": ("member", "成员"),
    "cli.role.mentor": ("mentor", "导师"),
    "cli.role.admin": ("administrator", "管理员"),
    "cli.role.viewer": ("viewer", "只读用户"),
}

_TABLES: dict[str, tuple[str, str]] = {
    "cli.ago": ("{time} ago", "{time} 前"),
    "cli.yes": ("yes", "是"),
    "cli.no": ("no", "否"),
    "cli.count.active": ("{number} running", "{number} 个运行中"),
    "cli.count.waiting": ("{number} waiting", "{number} 个等待"),
    "cli.count.succeeded": ("{number} succeeded", "{number} 个成功"),
    "cli.count.failed": ("{number} failed", "{number} 个失败"),
    "cli.count.cancelled": ("{number} cancelled", "{number} 个取消"),
    "cli.comma": (", ", "，"),
    "cli.elements.more": (
        "Only the first {shown} elements are shown; --limit shows more.",
        "仅显示前 {shown} 个子任务，可用 --limit 查看更多。",
    ),
    "cli.column.id": ("ID", "编号"),
    "cli.column.role": ("ROLE", "用途"),
    "cli.column.version": ("VERSION", "版本"),
    "cli.column.address": ("ADDRESS", "地址"),
    "cli.column.target": ("MACHINE", "机器"),
    "cli.column.by": ("BY", "发起者"),
    "cli.column.created_by": ("MADE BY", "创建者"),
    "cli.column.expires": ("EXPIRES", "到期"),
    "cli.column.uses": ("USES", "使用次数"),
    "cli.column.job": ("JOB", "任务"),
    "cli.column.name": ("NAME", "名称"),
    "cli.column.revision": ("REVISION", "版本"),
    "cli.column.bytes": ("BYTES", "字节"),
    "cli.column.changed": ("CHANGED", "修改时间"),
    "cli.column.key": ("KEY", "键"),
    "cli.column.fence": ("FENCE", "编号"),
    "cli.column.held_by": ("HELD BY", "占用者"),
    "cli.column.taken": ("TAKEN", "获取时间"),
    "cli.column.free_in": ("FREE IN", "剩余时间"),
    "cli.column.lock": ("LOCK", "锁"),
    "cli.column.owner": ("OWNER", "用户"),
    "cli.column.state": ("STATE", "状态"),
    "cli.column.gpus": ("GPUS", "GPU"),
    "cli.column.where": ("WHERE", "位置"),
    "cli.column.time": ("TIME", "时间"),
    "cli.column.remark": ("WHY", "原因"),
    "cli.nodes_unreachable": ("{nodes} cannot be reached", "无法连接 {nodes}"),
    "cli.column.rank": ("RANK", "RANK"),
    "cli.ending.exited": ("ended", "结束"),
    "cli.ending.time_limit": ("time limit", "超时"),
    "cli.ending.stopped": ("stopped", "已停止"),
    "cli.ending.never_started": ("never began", "未启动"),
    "cli.ending.setup_failed": ("could not start", "无法启动"),
    "cli.ending.vanished": ("vanished", "进程消失"),
    "cli.ending.rebooted": ("node restarted", "节点重启"),
    "cli.ending.lease_lost": ("node cut off", "节点被隔断"),
    "cli.ending.node_lost": ("node lost", "节点失联"),
    "cli.column.attempt": ("ATTEMPT", "次"),
    "cli.column.began": ("STARTED", "开始"),
    "cli.column.ran": ("RAN", "用时"),
    "cli.column.end": ("END", "结束"),
    "cli.column.log": ("OUTPUT", "输出"),
    "cli.column.node": ("NODE", "节点"),
    "cli.column.gpu": ("GPU", "GPU"),
    "cli.column.model": ("MODEL", "型号"),
    "cli.column.memory": ("MEMORY", "内存"),
    "cli.column.load": ("LOAD", "负载"),
    "cli.column.temperature": ("TEMP", "温度"),
    "cli.column.power": ("POWER", "功耗"),
    "cli.column.note": ("NOTE", "备注"),
    "cli.column.cpus": ("CPUS", "CPU"),
    "cli.column.jobs": ("JOBS", "任务"),
    "cli.column.cpu_busy": ("CPU BUSY", "CPU 占用"),
    "cli.column.memory_busy": ("MEMORY BUSY", "内存占用"),
    "cli.column.network": ("NETWORK IN, OUT", "网络收、发"),
    "cli.column.disk": ("DISK", "磁盘"),
    "cli.column.used": ("USED", "已用"),
    "cli.label.job": ("Job", "任务"),
    "cli.label.owner": ("Owner", "用户"),
    "cli.label.state": ("State", "状态"),
    "cli.label.message": ("Why", "说明"),
    "cli.label.place": ("Place in queue", "队列位置"),
    "cli.label.not_before": ("Not before", "不早于"),
    "cli.label.where": ("Where", "位置"),
    "cli.label.elements": ("Elements", "子任务"),
    "cli.label.submitted": ("Submitted", "提交"),
    "cli.label.started": ("Started", "开始"),
    "cli.label.ended": ("Ended", "结束"),
    "cli.label.ran": ("Ran", "用时"),
    "cli.label.successors": ("Successors", "后继"),
    "cli.label.auto": ("Chosen by Danlu", "自动选择"),
    "cli.job_number": ("job {job}", "任务 {job}"),
    "cli.a_person": ("a program", "程序"),
    "cli.locks.empty": ("No locks are held.", "没有被占用的锁。"),
    "cli.lock_released": ("Lock {name} is free.", "锁 {name} 已释放。"),
    "cli.kv.empty": ("There are no such keys.", "没有这样的键。"),
    "cli.key_put": ("{name} is set (revision {revision}).", "已设置 {name}，版本 {revision}。"),
    "cli.key_deleted": ("{name} is deleted.", "已删除 {name}。"),
    "cli.no_such_key": ("There is no key {name}.", "没有键 {name}。"),
    "cli.no_such_key.hint": ("`danlu kv list` shows your keys.", "可用 danlu kv list 查看您的键。"),
    "cli.ps.empty": (
        "No jobs are running or waiting. Submit one: danlu submit -g 1 -- python train.py   (ended ones: "
        "danlu ps --all)",
        "没有运行或等待的任务。提交一个：danlu submit -g 1 -- python train.py（已结束的：danlu ps --all）",
    ),
    "cli.ps.nothing_found": (
        "No jobs match. To include ended ones: danlu ps --all",
        "没有符合条件的任务。包括已结束的：danlu ps --all",
    ),
    "cli.ps.more": (
        "Only the first {shown} are shown; --limit shows more.",
        "只显示前 {shown} 个；用 --limit 查看更多。",
    ),
    "cli.logs.replaced": (
        "Its file was truncated or replaced after it ran: this is the whole file, with what others wrote.",
        "运行之后，该文件被清空或替换过：以下是文件的全部内容，不一定是这次运行写的。",
    ),
    "cli.logs.cut": (
        "This log was cut: bytes {begin} to {end} are gone.",
        "该日志被截去一段：第 {begin} 到第 {end} 字节已不存在。",
    ),
    "cli.logs.gone": (
        "The linked lines are not in this log: they were cut out, or its file is another since.",
        "链接所指的行不在日志中：已被截去，或文件已被替换。",
    ),
    "cli.logs.other_host": (
        "Read from {url}, the server you are logged in to; the link names {host}.",
        "读取自您登录的服务器 {url}；链接中是 {host}。",
    ),
    "cli.logs.no_times": (
        "It is not known when these lines were written: times are kept for logs that Danlu keeps itself, "
        "not for files you named.",
        "这些行的写入时间未知：只有丹炉自己保存的日志才记录时间，您指定的文件没有。",
    ),
    "cli.logs.nothing_found": ("Nothing found.", "没有找到。"),
    "cli.nodes.empty": ("There are no nodes yet.", "还没有节点。"),
    "cli.gpus.empty": (
        "There are no GPUs. To try it with simulated ones: danlu up --simulate 4",
        "没有 GPU。可用模拟的 GPU 试用：danlu up --simulate 4",
    ),
}

_ANSWERS: dict[str, tuple[str, str]] = {
    "cli.start_example": (
        "Start one and follow it: danlu examples NAME",
        "启动一个并跟随输出：danlu examples 名字",
    ),
    "cli.example_array": (
        "Job {job} is an array; each element has a log: danlu elements {job}, danlu logs -f '{job}[0]'",
        "任务 {job} 是数组，每个子任务各有日志：danlu elements {job}，danlu logs -f '{job}[0]'",
    ),
    "cli.gpus_taken": (
        "Job {job} asks for {gpus} GPU(s), because -g was left out (-g 0 runs it on the CPU).",
        "未写 -g，任务 {job} 使用 {gpus} 块 GPU（只用 CPU 请写 -g 0）。",
    ),
    "cli.cpu_taken": (
        "Job {job} runs on the CPU, because -g was left out (-g 1 asks for a GPU).",
        "未写 -g，任务 {job} 在 CPU 上运行（需要 GPU 请写 -g 1）。",
    ),
    "cli.submitted": ("Job {job} is submitted.", "任务 {job} 已提交。"),
    "cli.waiting": ("Job {job} is waiting: {reason}", "任务 {job} 等待中：{reason}"),
    "cli.next_attempt": ("Job {job}: attempt {attempt} follows.", "任务 {job}：将进行第 {attempt} 次运行。"),
    "cli.ended_badly": ("Job {job}: {reason}", "任务 {job}：{reason}"),
    "cli.note": ("Note: {message}", "注意：{message}"),
    "cli.connection_lost": (
        "Lost the connection to the server ({reason}); trying again.",
        "与服务的连接中断（{reason}），正在重试。",
    ),
    "cli.cancel_or_detach": (
        "Job {job}: [c]ancel it, [d]etach and let it run, or Enter to keep watching?",
        "任务 {job}：[c] 取消，[d] 离开并让它继续运行，回车继续查看？",
    ),
    "cli.detached": (
        "Job {job} keeps running without you. Come back: danlu logs -f {job}   Stop it: danlu cancel {job}",
        "任务 {job} 继续运行。返回查看：danlu logs -f {job}   停止：danlu cancel {job}",
    ),
    "cli.now": ("Job {job}: {state}", "任务 {job}：{state}"),
    "cli.moved": (
        "Job {job} is now at position {position} of the waiting jobs.",
        "任务 {job} 现位于等待任务列表第 {position} 位。",
    ),
    "cli.edited": ("Job {job} is changed.", "任务 {job} 已修改。"),
    "cli.waits_again": (
        "Job {job} is waiting again, for its next attempt.",
        "任务 {job} 重新排队，等待下一次运行。",
    ),
    "cli.delete?": ("Delete job {jobs}? [y/N]", "删除任务 {jobs}？[y/N]"),
    "cli.delete_with_successors?": (
        "Delete job {jobs} and everything that waits for it? [y/N]",
        "删除任务 {jobs} 及其所有后继？[y/N]",
    ),
    "cli.running_successors?": (
        "{problem} [l]eave them running, [c]ancel them, or Enter to delete nothing?",
        "{problem}[l] 让它们继续运行，[c] 取消它们，回车则不删除？",
    ),
    "cli.bulk.none": (
        "There are no jobs like this for you to act on.",
        "没有您可以操作的此类任务。",
    ),
    "cli.bulk.cancel?": ("Cancel {count} job(s): {states}? [y/N]", "取消 {count} 个任务：{states}？[y/N]"),
    "cli.bulk.hold?": ("Hold {count} job(s): {states}? [y/N]", "挂起 {count} 个任务：{states}？[y/N]"),
    "cli.bulk.release?": ("Release {count} job(s): {states}? [y/N]", "释放 {count} 个任务：{states}？[y/N]"),
    "cli.bulk.delete?": ("Delete {count} job(s): {states}? [y/N]", "删除 {count} 个任务：{states}？[y/N]"),
    "cli.bulk.resubmit?": (
        "Run {count} job(s) again as new ones: {states}? [y/N]",
        "把 {count} 个任务作为新任务重新运行：{states}？[y/N]",
    ),
    "cli.bulk.say_yes": (
        "This is for {count} job(s). Nothing was done: repeat it with --yes.",
        "涉及 {count} 个任务，尚未执行：请加上 --yes 重试。",
    ),
    "cli.bulk.nothing_done": ("Nothing was done.", "未执行任何操作。"),
    "cli.bulk.progress": ("{done} of {total}; Ctrl-C stops it", "{done}/{total}，Ctrl-C 停止"),
    "cli.bulk.cancel": ("Cancelled: {count}", "已取消：{count} 个"),
    "cli.bulk.hold": ("Held: {count}", "已挂起：{count} 个"),
    "cli.bulk.release": ("Released: {count}", "已释放：{count} 个"),
    "cli.bulk.delete": ("Deleted: {count}", "已删除：{count} 个"),
    "cli.bulk.resubmit": ("Submitted again: {count}", "已重新提交：{count} 个"),
    "cli.bulk.refused": (
        "Refused: {count} (job {jobs}). {message}",
        "未成功：{count} 个（任务 {jobs}）。{message}",
    ),
    "cli.bulk.failed": ("It ended before all was done: {message}", "未能全部完成：{message}"),
    "cli.bulk.stopped": ("Stopped; not touched: {count}", "已停止；未处理：{count} 个"),
    "cli.nothing_deleted": ("Nothing was deleted.", "没有删除任何任务。"),
    "cli.deleted": ("Deleted: {jobs}", "已删除：{jobs}"),
    "cli.left": ("Left running: {jobs}", "继续运行：{jobs}"),
    "cli.being_cancelled": ("Being cancelled: {jobs}", "正在取消：{jobs}"),
    "cli.no_defaults": (
        "You have no defaults. Set some: danlu defaults set --env torch --time 1d",
        "您还没有默认值。设置：danlu defaults set --env torch --time 1d",
    ),
    "cli.defaults_changed": ("Your defaults are changed.", "默认值已修改。"),
    "cli.paused": ("Scheduling is paused; running jobs keep running.", "调度已暂停；运行中的任务不受影响。"),
    "cli.passed": ("{started} started, {waiting} waiting.", "启动 {started} 个，等待 {waiting} 个。"),
    "cli.backup_made": ("{path} is written ({size}).", "已写入 {path}（{size}）。"),
    "cli.backup_without.unreachable": (
        "Not included: {files} file(s) on node {node}, which did not answer (the first: {first}). "
        "manifest.json in the archive lists them all.",
        "未包含：节点 {node} 没有应答，其上的 {files} 个文件（第一个：{first}）。归档中的 manifest.json "
        "列出了全部。",
    ),
    "cli.backup_without.broken_off": (
        "Only partly included: {files} file(s) on node {node}, which stopped answering (the first: "
        "{first}). manifest.json in the archive lists them all.",
        "仅包含一部分：节点 {node} 中途不再应答，涉及 {files} 个文件（第一个：{first}）。归档中的 "
        "manifest.json 列出了全部。",
    ),
    "cli.backup_without.unreadable": (
        "Not included: {files} file(s) on node {node} that cannot be read (the first: {first}). "
        "manifest.json in the archive lists them all.",
        "未包含：节点 {node} 上无法读取的 {files} 个文件（第一个：{first}）。归档中的 manifest.json 列出"
        "了全部。",
    ),
    "cli.backup_without.hole": (
        "Not included: {files} file(s) on node {node} that are nothing but holes (the first: {first}). "
        "manifest.json in the archive lists them all.",
        "未包含：节点 {node} 上几乎全是空洞的 {files} 个文件（第一个：{first}）。归档中的 manifest.json "
        "列出了全部。",
    ),
    "cli.database.sqlite": ("SQLite", "SQLite"),
    "cli.database.postgresql": ("PostgreSQL", "PostgreSQL"),
    "cli.database.unused": ("not used yet", "尚未使用"),
    "cli.database.outdated": (
        "{revision}; the next start upgrades it to {newest}",
        "{revision}；下次启动时升级到 {newest}",
    ),
    "cli.database.progress": ("{table}: {done}/{total}", "{table}：{done}/{total}"),
    "cli.database.label.kind": ("Database", "数据库"),
    "cli.database.label.place": ("Where", "位置"),
    "cli.database.label.size": ("Size", "大小"),
    "cli.database.label.schema": ("Schema", "结构版本"),
    "cli.database.label.out_of_use": ("Out of use", "已停用"),
    "cli.database.database_moved": ("moved to {place}", "已搬到 {place}"),
    "cli.database.database_unfinished": (
        "the move from {place} was not finished; repeat it",
        "从 {place} 的搬移没有完成；请重复该命令",
    ),
    "cli.database.database_superseded": (
        "its nodes follow a server that uses another copy (danlu database reinstate)",
        "其节点正跟随另一份副本的服务（danlu database reinstate）",
    ),
    "cli.database.label.jobs": ("Jobs", "任务"),
    "cli.database.label.users": ("Users", "用户"),
    "cli.database.label.events": ("Events", "事件"),
    "cli.resumed": ("Scheduling continues.", "调度已恢复。"),
    "cli.drained": ("{place} takes no new jobs.", "{place} 不再接受新任务。"),
    "cli.undrained": ("{place} takes jobs again.", "{place} 重新接受任务。"),
    "cli.gpu_added": ("{place} is managed again.", "{place} 重新由丹炉管理。"),
    "cli.gpu_removed": (
        "{place} is no longer managed; a job on it may finish.",
        "{place} 不再由丹炉管理，其上的任务可以完成。",
    ),
    "cli.gpu_gone": ("{place} is gone for good.", "{place} 已永久删除。"),
    "cli.install_step.connect": ("connecting over ssh", "通过 ssh 连接"),
    "cli.install_step.bundle": ("packing the server's packages", "打包服务器所用的软件"),
    "cli.install_step.look": ("looking at the machine", "检查机器"),
    "cli.install_step.send": ("sending and unpacking", "发送并解包"),
    "cli.install_step.join": ("joining", "加入集群"),
    "cli.install_step.report": ("waiting for it to report in", "等待节点上报"),
    "cli.install_step.replace": ("fetching and unpacking", "获取并解包"),
    "cli.install_step.return": ("waiting for it to come back", "等待节点恢复"),
    "cli.installation.running": ("running", "进行中"),
    "cli.installation.done": ("done", "完成"),
    "cli.installation.failed": ("failed", "失败"),
    "cli.installations.empty": (
        "Nothing was installed since the server started.",
        "服务启动以来没有进行过安装。",
    ),
    "cli.upgrade_of": ("upgrade of", "升级"),
    "cli.by_node_file": ("node file", "节点文件"),
    "cli.node_file": ("Node file {path}: {nodes} node(s).", "节点文件 {path}：{nodes} 个节点。"),
    "cli.node_added": ("{target} is now node {node}.", "{target} 现在是节点 {node}。"),
    "cli.nodes_upgraded": ("Upgraded to {version}: {nodes}.", "已升级到 {version}：{nodes}。"),
    "cli.nodes_up_to_date": (
        "Every node you asked for already has version {version}.",
        "这些节点都已是版本 {version}。",
    ),
    "cli.join_token_made": (
        "Token {id}, valid until {until}. It is shown only once.",
        "令牌 {id}，有效期至 {until}。仅显示这一次。",
    ),
    "cli.join_tokens.empty": ("There are no join tokens.", "没有加入令牌。"),
    "cli.join_token_revoked": ("Token {id} is revoked.", "令牌 {id} 已撤销。"),
    "cli.node_role_set": ("{node} is now a {role} node.", "{node} 现在是{role}节点。"),
    "cli.node_removed": ("{node} is no longer part of the cluster.", "{node} 已移出集群。"),
    "cli.declare_dead?": (
        "Jobs on {node}: {jobs}. They end, and may start elsewhere; if {node} is still alive, they run "
        "twice.\nType its name to confirm that it is dead:",
        "{node} 上的任务：{jobs}。它们将结束并可能在别处重新运行；若 {node} 仍在运行，任务会同时运行两份。"
        "\n请输入节点名以确认：",
    ),
    "cli.unconfirmed_death": (
        "Nothing was changed. Without a terminal: danlu nodes declare-dead {node} --yes",
        "没有做任何改动。没有终端时请用：danlu nodes declare-dead {node} --yes",
    ),
    "cli.declared_dead": (
        "{node} is declared dead; its jobs have ended, or end within seconds.",
        "已宣告 {node} 下线，其上的任务已结束，或将在数秒内结束。",
    ),
    "cli.gpu_slots": (
        "{place} may be held by {slots} job(s) at a time.",
        "{place} 可同时分给 {slots} 个任务。",
    ),
    "cli.ask_name": ("User name [{name}]:", "用户名 [{name}]："),
    "cli.ask_password": ("Password for {name}:", "{name} 的密码："),
    "cli.ask_new_password": (
        "New password (at least {shortest} characters):",
        "新密码（至少 {shortest} 个字符）：",
    ),
    "cli.ask_again": ("Repeat it:", "再输入一次："),
    "cli.must_change_password": (
        "Another user set your password; choose your own now.",
        "您的密码由他人设置，请现在修改。",
    ),
    "cli.password_too_short": ("It needs at least {shortest} characters.", "至少需要 {shortest} 个字符。"),
    "cli.passwords_differ": ("The two do not match; try again.", "两次输入不一致，请重新输入。"),
    "cli.in_the_clear": (
        "Warning: {url} is not encrypted; others on the network can read passwords and tokens.",
        "警告：{url} 未加密，网络上的其他人可能看到密码和令牌。",
    ),
    "cli.accept_key": (
        "No authority known to this machine vouches for {url} ({reason}).\nThe fingerprint of its key "
        "is\n  {fingerprint}\nCompare it with what `danlu status` shows on the server's machine. Is it "
        "the same? [yes/no, or paste the one from there]",
        "本机认可的证书机构都没有为 {url} 担保（{reason}）。\n其密钥指纹为\n  {fingerprint}\n请与服务所在"
        "机器上 danlu status 显示的指纹核对。是否一致？[yes/no，或粘贴那里的指纹]",
    ),
    "cli.key_was": (
        "WARNING: until now you knew {url} by another key: {pinned}. Either it was set up again, or "
        "an attacker in between is impersonating it.",
        "警告：此前 {url} 的密钥指纹为 {pinned}。要么服务重新安装过，要么有人在中间冒充它。",
    ),
    "cli.top.node": (
        "GPU {gpus_used}/{gpus}  CPU {cpus_used}/{cpus}  memory {memory_used}/{memory}",
        "GPU {gpus_used}/{gpus}  CPU {cpus_used}/{cpus}  内存 {memory_used}/{memory}",
    ),
    "cli.top.running": ("Running {count}", "运行中 {count}"),
    "cli.top.waiting": ("Waiting {count}", "等待中 {count}"),
    "cli.top.history": ("Ended {count}", "已结束 {count}"),
    "cli.top.shown": (" ({shown} shown)", "（显示 {shown} 个）"),
    "cli.top.mine": (" · mine", " · 我的"),
    "cli.top.filter": (
        "filter: words in id, name, owner, state or node",
        "过滤：编号、名称、用户、状态或节点",
    ),
    "cli.top.keys": (
        "↑↓ choose  Enter details  l log  c cancel  / filter  m mine/all  q quit",
        "↑↓ 选择  回车 详情  l 日志  c 取消  / 过滤  m 我的/全部  q 退出",
    ),
    "cli.top.keys_job": (
        "l details on/off  c cancel  Esc back",
        "l 显示/隐藏详情  c 取消  Esc 返回",
    ),
    "cli.top.trouble": (
        "No connection: {reason} What you see may be out of date; trying again.",
        "连接中断：{reason}所示内容可能已过时，正在重试。",
    ),
    "cli.top.confirm": ("Cancel job {job} ({name}, {owner})?", "取消任务 {job}（{name}，{owner}）？"),
    "cli.top.confirm_now": (
        "Job {job} ({name}, {owner}) is being stopped. Kill it at once?",
        "任务 {job}（{name}，{owner}）正在停止。立即强制结束？",
    ),
    "cli.top.cancelling": ("Job {job} is being cancelled.", "正在取消任务 {job}。"),
    "cli.top.yes": ("Yes (y)", "是 (y)"),
    "cli.top.no": ("No (n)", "否 (n)"),
    "cli.top.log_end": ("— end of the log: {state} —", "—— 日志结束：{state} ——"),
    "cli.status_leader": (
        "Leader:  {url}, {ago}",
        "主服务：{url}，{ago}",
    ),
    "cli.status_standby": (
        "Standby: {url}, {ago}",
        "备用服务：{url}，{ago}",
    ),
    "cli.status_lost": ("Lost:    {url}, last seen {ago}", "失联：{url}，最后一次联系在{ago}"),
    "cli.status_no_standby": (
        "WARNING: no standby is left. If the leader goes too, nothing takes over: restart the lost one, "
        "or forget it (danlu nodes forget-server URL).",
        "警告：没有备用服务了。如果主服务也消失，就没有服务接管：请重新启动失联的服务，或将其忘记（danlu "
        "nodes forget-server URL）。",
    ),
    "cli.server_forgotten": ("{url} is no longer listed.", "不再显示 {url}。"),
    "cli.help.nodes.forget-server": (
        "Stop listing a lost server (administrators).",
        "不再显示失联的服务（仅管理员）。",
    ),
    "cli.about.nodes.forget-server": (
        "If it is there after all, it comes back to the list by itself. Otherwise a lost server is "
        "listed for a day.",
        "如果它其实还在，会自动回到列表中。不执行此命令时，失联的服务会显示一天。",
    ),
    "cli.examples.nodes.forget-server": (
        "danlu nodes forget-server https://gpu2.lab:8642",
        "danlu nodes forget-server https://gpu2.lab:8642",
    ),
    "cli.status_at": ("Danlu {version} at {url}, {way}", "丹炉 {version}，{url}，{way}"),
    "cli.status_pinned": ("encrypted, identified by its key {fingerprint}", "已加密，密钥指纹 {fingerprint}"),
    "cli.status_vouched": (
        "encrypted, with a certificate that this machine trusts",
        "已加密，证书受本机信任",
    ),
    "cli.status_local": ("not encrypted, only within this machine", "未加密，仅限本机"),
    "cli.status_clear": (
        "NOT ENCRYPTED: others on the network can read passwords and tokens",
        "未加密：网络上的其他人可能看到密码和令牌",
    ),
    "cli.logged_in": (
        "Logged in as {name} at {url} (profile {profile}).",
        "已以 {name} 的身份登录 {url}（配置 {profile}）。",
    ),
    "cli.other_servers": ("If it is away, the others are asked: {urls}", "它不可用时将改用：{urls}"),
    "cli.logged_out": ("Logged out: {name} at {url}.", "已注销 {url} 上的 {name}。"),
    "cli.token_not_revoked": (
        "{url} cannot be reached: the token is forgotten here, but still valid there.",
        "无法连接 {url}：令牌已在本机删除，但在服务端仍然有效。",
    ),
    "cli.link_lasts": (
        "Open it in a browser; it works once, for {time}.",
        "请在浏览器中打开；仅可使用一次，有效期 {time}。",
    ),
    "cli.whoami": ("{name} ({role}) at {url}, {way}", "{name}（{role}），{url}，{way}"),
    "cli.runs_as": ("Your jobs run as {account}.", "您的任务以系统账号 {account} 运行。"),
    "cli.all_run_as": (
        "This server is not root: your jobs, like those of all users, run as {account}.",
        "本服务不是 root：您和所有人的任务都以系统账号 {account} 运行。",
    ),
    "cli.runs_as_no_account": (
        "There is no Unix account for your jobs to run as: ask an administrator to set one.",
        "没有可用来运行您任务的系统账号：请联系管理员设置。",
    ),
    "cli.by_profile": ("by profile {profile}", "登录配置 {profile}"),
    "cli.by_folder": ("by data folder {folder}", "数据目录 {folder}"),
    "cli.version_server": ("server {version} at {url}", "服务 {version}，{url}"),
    "cli.version_no_server": ("no server", "没有服务"),
}

MESSAGES: dict[str, tuple[str, str]] = {
    **_HEADINGS,
    **_COMMANDS,
    **{f"cli.option.{name}": field.help for name, field in OPTIONS.items()},
    **{f"cli.label.{name}": field.label for name, field in FIELDS.items()},
    **_OPTIONS,
    **_REFUSALS,
    **_STATES,
    **_TABLES,
    **_ANSWERS,
}
