"""Commands about jobs, and what jobs share."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
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
}
