"""What the command line says.

`cli.help.NAME` is a command's one line, `cli.about.NAME` what else is worth knowing, `cli.examples.NAME`
how it is used; `KEY.hint` is the remedy for what `KEY` refuses.
"""

from __future__ import annotations

_HEADINGS: dict[str, tuple[str, str]] = {
    "cli.heading.usage": ("Usage:", "用法："),
    "cli.heading.arguments": ("Arguments", "参数"),
    "cli.heading.options": ("Options", "选项"),
    "cli.heading.commands": ("Commands", "命令"),
    "cli.heading.examples": ("Examples", "示例"),
    "cli.heading.jobs": ("Jobs", "任务"),
    "cli.heading.cluster": ("Nodes and scheduling", "节点与调度"),
    "cli.heading.server": ("Server and account", "服务与账户"),
}

_COMMANDS: dict[str, tuple[str, str]] = {
    "cli.help.danlu": (
        "Danlu turns a lab's GPU machines into one shared furnace for deep learning.",
        "丹炉：把实验室的 GPU 机器变成一座共享的深度学习熔炉。",
    ),
    "cli.about.danlu": (
        "On the machine where `danlu up` runs, nothing needs to be set; elsewhere start with `danlu login "
        "URL`. `danlu COMMAND --help` explains each command with examples.",
        "在运行 danlu up 的机器上无需任何设置；在其他机器上请先 danlu login URL。"
        "danlu 命令 --help 会给出每个命令的说明与示例。",
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
        "What to run: a command behind `--`; or a script file, whose text is handed in as it is now, with "
        "its arguments behind it; or `-` for a script from standard input; or one quoted command line. "
        "Options come before it. What is left out takes your defaults (danlu defaults). The job runs in the "
        "current folder unless --dir says otherwise.",
        "运行内容可以是：-- 之后的命令；脚本文件（提交时即保存其内容），其后为脚本的参数；- 表示从标准输入"
        "读取脚本；或一个带引号的命令行。选项写在它之前。未写的选项取您的默认值（danlu defaults）。"
        "除非用 --dir 指定，任务在当前目录运行。",
    ),
    "cli.examples.submit": (
        "danlu submit -g 2 --time 2h -- python train.py --epochs 90\n"
        "danlu submit -g 1 --env torch --after-ok 14 train.sh resnet50\n"
        "echo 'make && ./bench' | danlu submit --cpus 8 -",
        "danlu submit -g 2 --time 2h -- python train.py --epochs 90\n"
        "danlu submit -g 1 --env torch --after-ok 14 train.sh resnet50\n"
        "echo 'make && ./bench' | danlu submit --cpus 8 -",
    ),
    "cli.help.run": (
        "Submit a job, follow its output, and exit with its exit code.",
        "提交任务并跟随输出，以任务的退出码退出。",
    ),
    "cli.about.run": (
        "Takes what `danlu submit` takes. Ctrl-C asks whether to cancel the job or to leave it running. The "
        "exit code is the job's; 128 + N when signal N ended it; 1 when it was cancelled or could not start.",
        "用法与 danlu submit 相同。按 Ctrl-C 会询问是取消任务还是让它继续运行。退出码为任务的退出码；"
        "被信号 N 终止时为 128 + N；被取消或无法启动时为 1。",
    ),
    "cli.examples.run": (
        "danlu run -g 1 -- python train.py\ndanlu run --time 10m -- nvidia-smi",
        "danlu run -g 1 -- python train.py\ndanlu run --time 10m -- nvidia-smi",
    ),
    "cli.help.ps": ("List running and waiting jobs.", "列出运行中和等待中的任务。"),
    "cli.examples.ps": (
        "danlu ps --mine\ndanlu ps --all --user alice --limit 20\ndanlu ps --state failed --json",
        "danlu ps --mine\ndanlu ps --all --user alice --limit 20\ndanlu ps --state failed --json",
    ),
    "cli.help.show": ("Show everything about a job.", "显示任务的全部信息。"),
    "cli.examples.show": ("danlu show 12\ndanlu show 12 --json", "danlu show 12\ndanlu show 12 --json"),
    "cli.help.why": (
        "Say in one sentence why a job waits, or how it ended.",
        "用一句话说明任务为何等待，或如何结束。",
    ),
    "cli.examples.why": ("danlu why 12", "danlu why 12"),
    "cli.help.logs": ("Print a job's output, or follow it.", "输出任务的日志，或持续跟随。"),
    "cli.about.logs": (
        "Bytes are written as the job wrote them. Following goes on through a restart of the server and ends "
        "with the job.",
        "原样输出任务写入的字节。跟随在服务重启后会继续，并随任务结束。",
    ),
    "cli.examples.logs": (
        "danlu logs -f 12\ndanlu logs 12 --tail 50 --stderr\ndanlu logs 12 --attempt 1 > first.log",
        "danlu logs -f 12\ndanlu logs 12 --tail 50 --stderr\ndanlu logs 12 --attempt 1 > first.log",
    ),
    "cli.help.edit": (
        "Change a waiting job; an ended one runs again as its next attempt.",
        "修改等待中的任务；已结束的任务会作为下一次运行重新排队。",
    ),
    "cli.about.edit": (
        "Takes the options of `danlu submit`; a new command stands behind `--`. A running job cannot be "
        "edited: cancel it first.",
        "选项与 danlu submit 相同，新命令写在 -- 之后。运行中的任务不能修改，请先取消。",
    ),
    "cli.examples.edit": (
        "danlu edit 12 --gpus 4 --time 8h\ndanlu edit 12 --clear node --clear after\n"
        "danlu edit 12 -- python train.py --lr 0.01",
        "danlu edit 12 --gpus 4 --time 8h\ndanlu edit 12 --clear node --clear after\n"
        "danlu edit 12 -- python train.py --lr 0.01",
    ),
    "cli.help.cancel": ("Stop jobs, whole process tree included.", "停止任务（包括其全部进程）。"),
    "cli.examples.cancel": (
        "danlu cancel 12\ndanlu cancel 12 13,14",
        "danlu cancel 12\ndanlu cancel 12 13,14",
    ),
    "cli.help.hold": ("Keep waiting jobs from starting.", "挂起等待中的任务，使其暂不启动。"),
    "cli.examples.hold": ("danlu hold 12 13", "danlu hold 12 13"),
    "cli.help.release": ("Let held jobs wait in line again.", "释放被挂起的任务，重新排队。"),
    "cli.examples.release": ("danlu release 12 13", "danlu release 12 13"),
    "cli.help.move": ("Move a waiting job to a place in the line.", "把等待中的任务移到队列的某个位置。"),
    "cli.examples.move": (
        "danlu move 12 1   # to the head of the line",
        "danlu move 12 1   # 移到队首",
    ),
    "cli.help.resubmit": (
        "Submit copies of jobs and print the new ids.",
        "复制并重新提交任务，输出新的编号。",
    ),
    "cli.examples.resubmit": ("danlu resubmit 12 13", "danlu resubmit 12 13"),
    "cli.help.delete": ("Delete waiting or ended jobs.", "删除等待中或已结束的任务。"),
    "cli.about.delete": (
        "On a terminal it asks first; in a script it does not. A deleted predecessor counts as ended.",
        "在终端中会先确认，在脚本中不会。被删除的前驱视为已结束。",
    ),
    "cli.examples.delete": (
        "danlu delete 12\ndanlu delete 12 --with-successors --running leave",
        "danlu delete 12\ndanlu delete 12 --with-successors --running leave",
    ),
    "cli.help.defaults": (
        "Show or change your default values for submissions.",
        "查看或修改您提交任务时的默认值。",
    ),
    "cli.about.defaults": (
        "A default holds for what a submission leaves out; `danlu submit` always says name and folder.",
        "提交时未写的选项取默认值；danlu submit 总会给出目录和名称。",
    ),
    "cli.examples.defaults": (
        "danlu defaults\ndanlu defaults set --env torch --time 1d\ndanlu defaults clear time",
        "danlu defaults\ndanlu defaults set --env torch --time 1d\ndanlu defaults clear time",
    ),
    "cli.help.defaults.set": ("Set default values.", "设置默认值。"),
    "cli.examples.defaults.set": (
        "danlu defaults set --env torch --time 1d",
        "danlu defaults set --env torch --time 1d",
    ),
    "cli.help.defaults.clear": ("Forget default values.", "清除默认值。"),
    "cli.examples.defaults.clear": ("danlu defaults clear env time", "danlu defaults clear env time"),
    "cli.help.nodes": ("List nodes and what is in use on them.", "列出节点及其使用情况。"),
    "cli.examples.nodes": ("danlu nodes\ndanlu nodes n1 --json", "danlu nodes\ndanlu nodes n1 --json"),
    "cli.help.gpus": ("List GPUs and who uses them.", "列出 GPU 及其使用者。"),
    "cli.examples.gpus": ("danlu gpus\ndanlu gpus n1", "danlu gpus\ndanlu gpus n1"),
    "cli.help.drain": (
        "Give a node or GPU no new jobs; what runs may finish (administrators).",
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
    "cli.help.pause": (
        "Start no more jobs; running ones go on (administrators).",
        "暂停调度：不再启动任务，运行中的不受影响（管理员）。",
    ),
    "cli.examples.pause": ("danlu pause", "danlu pause"),
    "cli.help.resume": ("Start jobs again after a pause (administrators).", "恢复调度（管理员）。"),
    "cli.examples.resume": ("danlu resume", "danlu resume"),
    "cli.help.up": ("Start Danlu on this machine.", "在本机启动丹炉。"),
    "cli.about.up": (
        "Takes over the jobs that still run from before. Ctrl-C or `danlu down` stops the server and leaves "
        "the jobs running.",
        "会接管之前仍在运行的任务。Ctrl-C 或 danlu down 停止服务，任务继续运行。",
    ),
    "cli.examples.up": (
        "danlu up\ndanlu up --data /srv/danlu --host 0.0.0.0 --port 8642\ndanlu up --simulate 3x8",
        "danlu up\ndanlu up --data /srv/danlu --host 0.0.0.0 --port 8642\ndanlu up --simulate 3x8",
    ),
    "cli.help.down": ("Stop the server; jobs go on running.", "停止服务；任务继续运行。"),
    "cli.examples.down": ("danlu down\ndanlu down --stop-jobs", "danlu down\ndanlu down --stop-jobs"),
    "cli.help.login": ("Log in to a server on another machine.", "登录其他机器上的服务。"),
    "cli.about.login": (
        "The password is asked for and turned into a token, which is kept in a file that only you can read. "
        "Several servers: one --profile each; the last one becomes the default.",
        "登录时会询问密码并换取令牌，令牌保存在只有您可读的文件中。多个服务可各用一个 --profile，"
        "最后登录的成为默认。",
    ),
    "cli.examples.login": (
        "danlu login http://gpu-master:8642\ndanlu login https://danlu.lab.edu --profile lab --user alice\n"
        "danlu login --link   # a fresh link for the browser",
        "danlu login http://gpu-master:8642\ndanlu login https://danlu.lab.edu --profile lab --user alice\n"
        "danlu login --link   # 获取新的浏览器登录链接",
    ),
    "cli.help.logout": ("Revoke the token of a profile and forget it.", "注销并删除保存的令牌。"),
    "cli.examples.logout": (
        "danlu logout\ndanlu logout --profile lab",
        "danlu logout\ndanlu logout --profile lab",
    ),
    "cli.help.whoami": ("Say who you are, and where.", "显示当前身份和所连接的服务。"),
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
    "cli.option.gpus": ("GPUs; 0 is a CPU-only job.", "GPU 数量；0 表示只用 CPU。"),
    "cli.option.name": ("Name of the job.", "任务名称。"),
    "cli.option.environment": (
        "A conda environment or venv, by name or path.",
        "conda 环境或 venv 的名称或路径。",
    ),
    "cli.option.directory": ("Working folder (default: this one).", "工作目录（默认当前目录）。"),
    "cli.option.time_limit_s": (
        "Time limit: 90, 30m, 2h, 1d12h, 300:00:00.",
        "时间限制：90、30m、2h、1d12h、300:00:00。",
    ),
    "cli.option.grace_s": (
        "Time between TERM and KILL when it is stopped.",
        "停止任务时 TERM 与 KILL 之间的时间。",
    ),
    "cli.option.after": (
        "Start after these jobs ended, however they ended: 12,13.",
        "在这些任务结束后启动（无论成败）：12,13。",
    ),
    "cli.option.after_ok": ("Start after these jobs succeeded.", "在这些任务成功后启动。"),
    "cli.option.node": ("Run on this node.", "指定节点。"),
    "cli.option.gpu_ids": ("Exactly these GPUs: 0,3.", "指定 GPU：0,3。"),
    "cli.option.gpu_arg": (
        "Append the real GPU ids to the command behind this prefix.",
        "把实际的 GPU 编号以该前缀附加到命令之后。",
    ),
    "cli.option.cpus": ("CPU cores.", "CPU 核数。"),
    "cli.option.memory_mb": ("Memory: 500M, 16G.", "内存：500M、16G。"),
    "cli.option.urgent": ("First among the waiting jobs.", "在等待的任务中优先。"),
    "cli.option.hold": ("Do not start before `danlu release`.", "先挂起，danlu release 后才启动。"),
    "cli.option.retries": ("Tries again after a failure.", "失败后的重试次数。"),
    "cli.option.retry_backoff_s": (
        "Pause before the first retry; doubles each time.",
        "首次重试前的等待，之后每次加倍。",
    ),
    "cli.option.retry_on": (
        "Which failures are retried: exit_code,signal,vanished…",
        "哪些失败会重试：exit_code,signal,vanished…",
    ),
    "cli.option.stdout": (
        "File for the output; $JOB_ID and such may stand in it.",
        "标准输出文件，文件名中可用 $JOB_ID 等。",
    ),
    "cli.option.stderr": (
        "File for the errors; the same file merges both.",
        "标准错误文件；与标准输出相同则合并。",
    ),
    "cli.option.variables": ("Environment variable of the job.", "任务的环境变量。"),
    "cli.option.mail": (
        "Mail address for notices (kept with the job; sending them comes later).",
        "接收通知的邮箱（目前只保存，发送功能尚未提供）。",
    ),
    "cli.option.description": ("Description.", "描述。"),
    "cli.option.wait_for_hardware": (
        "Wait even though no node can satisfy it yet.",
        "即使目前没有节点能满足也等待。",
    ),
    "cli.option.key": (
        "Idempotency key: the same key never makes a second job.",
        "幂等键：相同的键不会产生第二个任务。",
    ),
    "cli.option.clear": ("Set this field back (--clear node).", "清除该字段（--clear node）。"),
    "cli.option.all": ("Ended jobs too.", "包括已结束的任务。"),
    "cli.option.mine": ("Only mine.", "只看自己的。"),
    "cli.option.user": ("Only this user's.", "只看该用户的。"),
    "cli.option.state": (
        "Only in this state: waiting, held, running, failed…",
        "只看该状态：waiting、held、running、failed…",
    ),
    "cli.option.ps_name": ("Only with this in the name.", "只看名称包含该文字的。"),
    "cli.option.limit": ("At most so many (100; 0 for all).", "最多显示多少个（默认 100，0 为全部）。"),
    "cli.option.follow": ("Go on until the job ends.", "持续输出直到任务结束。"),
    "cli.option.attempt": ("Of this attempt (default: the latest).", "第几次运行（默认最近一次）。"),
    "cli.option.logs_stderr": ("Standard error instead of standard output.", "输出标准错误而不是标准输出。"),
    "cli.option.tail": ("Only the last lines.", "只输出最后若干行。"),
    "cli.option.offset": (
        "From this byte on; negative counts from the end.",
        "从该字节开始；负数从末尾算起。",
    ),
    "cli.option.with_successors": (
        "Also all jobs that wait for them, recursively.",
        "连同所有后继任务（递归）。",
    ),
    "cli.option.running": (
        "What to do with running successors.",
        "如何处理正在运行的后继：leave 保留，cancel 取消。",
    ),
    "cli.option.yes": ("Do not ask.", "不再询问。"),
    "cli.option.host": (
        "Address to listen on (127.0.0.1: this machine only).",
        "监听地址（127.0.0.1 仅本机）。",
    ),
    "cli.option.port": ("Port (8642 if free, else any).", "端口（默认 8642，被占用则任选）。"),
    "cli.option.keep_leftovers": (
        "Leave processes that a job left behind alone instead of killing them at its end.",
        "任务结束时不清理它遗留的进程。",
    ),
    "cli.option.cgroups": (
        "How the processes of a job are kept together (default auto: the best this machine has).",
        "用何种方式管住任务的所有进程（默认 auto：本机可用的最好方式）。",
    ),
    "cli.option.simulate": (
        "Simulated GPUs: 4, or 3x8 for three nodes of eight.",
        "模拟 GPU：4，或 3x8 表示三个节点各八块。",
    ),
    "cli.option.policy": ("Scheduling policy.", "调度策略。"),
    "cli.option.log_level": ("debug, info, warning or error.", "日志级别：debug、info、warning、error。"),
    "cli.option.stop_jobs": (
        "Stop the jobs as well; they go back to the head of the line.",
        "同时停止任务，它们回到队首。",
    ),
    "cli.option.login_user": ("User name there.", "登录用户名。"),
    "cli.option.token_stdin": (
        "Read a token from standard input, ask nothing.",
        "从标准输入读取令牌，不询问密码。",
    ),
    "cli.option.link": ("Print a one-time login link for the browser.", "输出浏览器一次性登录链接。"),
    "cli.argument.words": (
        "What to run: -- COMMAND…, SCRIPT [ARGUMENTS…], or -",
        "运行内容：-- 命令…、脚本 [参数…] 或 -",
    ),
    "cli.argument.job_id": ("Id of the job.", "任务编号。"),
    "cli.argument.jobs": ("Ids of jobs: 12 13,14", "任务编号：12 13,14"),
    "cli.argument.position": ("1 is the head of the line.", "1 表示队首。"),
    "cli.argument.fields": ("Names of options: env time", "选项名：env time"),
    "cli.argument.node": ("Only this node.", "只看该节点。"),
    "cli.argument.targets": ("A node, or GPUs of it: n1, n1:0,3", "节点或其 GPU：n1、n1:0,3"),
    "cli.argument.url": ("Address of the server.", "服务地址。"),
}

_REFUSALS: dict[str, tuple[str, str]] = {
    "cli.refusal": ("danlu: {message}", "danlu：{message}"),
    "cli.remedy": ("       {hint}", "       {hint}"),
    "cli.field_refused": ("{field}: {reason}", "{field}：{reason}"),
    "cli.or": (" or ", " 或 "),
    "cli.none": ("none", "无"),
    "cli.usage.see_help": ("{command} --help shows how it is used.", "用 {command} --help 查看用法。"),
    "cli.usage.did_you_mean": ("Did you mean {names}?", "您是不是想用 {names}？"),
    "cli.usage.missing": ("{name} is missing.", "缺少 {name}。"),
    "cli.usage.no_such_option": ("There is no option {name}.", "没有选项 {name}。"),
    "cli.usage.no_such_command": ("There is no command {name}.", "没有命令 {name}。"),
    "cli.usage.takes_no_value": ("{name} takes no value.", "{name} 不带值。"),
    "cli.usage.needs_value": ("{name} needs a value.", "{name} 需要一个值。"),
    "cli.usage.too_many": ("More arguments than this command takes: {words}", "参数过多：{words}"),
    "cli.bad.number": (
        "{value} is not a whole number from {minimum} up.",
        "{value} 不是不小于 {minimum} 的整数。",
    ),
    "cli.bad.number.hint": ("Write a number, for example {minimum}.", "请写一个数，例如 {minimum}。"),
    "cli.bad.number_between": (
        "{value} is not a whole number from {minimum} to {maximum}.",
        "{value} 不是 {minimum} 到 {maximum} 之间的整数。",
    ),
    "cli.bad.number_between.hint": (
        "Write a number between {minimum} and {maximum}.",
        "请写 {minimum} 到 {maximum} 之间的数。",
    ),
    "cli.bad.job_ids": ("{value} is not a list of job ids.", "{value} 不是任务编号列表。"),
    "cli.bad.job_ids.hint": (
        "Write ids with commas between them: 12,13. danlu ps lists them.",
        "请用逗号分隔编号：12,13。可用 danlu ps 查看。",
    ),
    "cli.bad.gpu_ids": ("{value} is not a list of GPU ids.", "{value} 不是 GPU 编号列表。"),
    "cli.bad.gpu_ids.hint": (
        "Write ids with commas between them: 0,3. danlu gpus lists them.",
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
        "Write --var NAME=VALUE; a name has letters, digits and '_', and no digit first.",
        "请写 --var NAME=VALUE；名称由字母、数字和下划线组成，不能以数字开头。",
    ),
    "cli.bad.list": ("There is nothing in it.", "内容为空。"),
    "cli.bad.list.hint": ("Write one or more, with commas between them.", "请写一个或多个，用逗号分隔。"),
    "cli.bad.key": ("{value} cannot be a key.", "{value} 不能作为键。"),
    "cli.bad.key.hint": ("A key has 1 to 200 ASCII characters.", "键由 1 到 200 个 ASCII 字符组成。"),
    "cli.bad.cluster": ("{value} is no cluster to simulate.", "{value} 不是可模拟的集群。"),
    "cli.bad.cluster.hint": (
        "Write 4 for four GPUs, or 3x8 for three nodes of eight.",
        "请写 4（四块 GPU）或 3x8（三个节点各八块）。",
    ),
    "cli.bad.target": ("{value} is neither a node nor a GPU of one.", "{value} 既不是节点也不是节点的 GPU。"),
    "cli.bad.target.hint": (
        "Write n1, n1:0 or n1:0,3. danlu nodes lists the nodes.",
        "请写 n1、n1:0 或 n1:0,3。可用 danlu nodes 查看节点。",
    ),
    "cli.bad.word": ("{value} is not one of its values.", "{value} 不是可用的值。"),
    "cli.bad.word.hint": ("Possible: {words}.", "可用：{words}。"),
    "cli.bad.word_close": ("{value} is not one of its values.", "{value} 不是可用的值。"),
    "cli.bad.word_close.hint": ("Did you mean {close}?", "您是不是想用 {close}？"),
    "cli.no_command": ("command: There is nothing to run.", "command：没有要运行的内容。"),
    "cli.no_command.hint": (
        "Say what to run, for example: danlu submit -- python train.py",
        "请给出要运行的内容，例如：danlu submit -- python train.py",
    ),
    "cli.no_such_script": ("script: There is no file {path}.", "script：没有文件 {path}。"),
    "cli.no_such_script.hint": (
        "Check the name; if it is a command of the node, write: -- {path}",
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
        "Nothing was said that should change in job {job}.",
        "没有说明要修改任务 {job} 的什么。",
    ),
    "cli.nothing_to_change.hint": (
        "Name at least one option, for example: danlu edit {job} --gpus 2",
        "请至少给出一个选项，例如：danlu edit {job} --gpus 2",
    ),
    "cli.no_defaults_named": ("No default value was named.", "没有给出默认值。"),
    "cli.no_defaults_named.hint": (
        "For example: danlu defaults set --env torch",
        "例如：danlu defaults set --env torch",
    ),
    "cli.tail_or_offset": (
        "--tail: It cannot be used together with --offset.",
        "--tail：不能与 --offset 同时使用。",
    ),
    "cli.tail_or_offset.hint": ("Choose one of them.", "请只用其中一个。"),
    "cli.unreachable": (
        "No Danlu server answers at {url} ({reason}).",
        "{url} 没有丹炉服务应答（{reason}）。",
    ),
    "cli.unreachable.hint": (
        "Start it there with danlu up, or choose another one: danlu login URL.",
        "请在该机器上运行 danlu up，或用 danlu login URL 选择其他服务。",
    ),
    "cli.not_danlu": (
        "What answers at {url} (HTTP {status}) is not a Danlu server.",
        "{url} 的应答（HTTP {status}）不是来自丹炉服务。",
    ),
    "cli.not_danlu.hint": (
        "Check the address, and a proxy that may stand in between.",
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
    "cli.login_where": ("url: It is not said where to log in.", "url：没有给出登录地址。"),
    "cli.login_where.hint": (
        "For example: danlu login http://gpu-master:8642",
        "例如：danlu login http://gpu-master:8642",
    ),
    "cli.bad_url": ("url: {url} is not the address of a server.", "url：{url} 不是服务地址。"),
    "cli.bad_url.hint": (
        "For example: http://gpu-master:8642 (without name and password).",
        "例如：http://gpu-master:8642（不含用户名和密码）。",
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
        "On the machine of the server itself no login is needed.",
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
    "cli.end.requeued": ("sent back to the line", "回到队列"),
    "cli.end.not_started": ("cut short before it began", "启动前被中断"),
    "cli.end.directory_missing": ("no working folder", "工作目录不存在"),
    "cli.end.output_unwritable": ("output not writable", "输出文件不可写"),
    "cli.end.environment_missing": ("no such environment", "找不到环境"),
    "cli.end.command_unrunnable": ("command not runnable", "命令无法执行"),
    "cli.end.no_account": ("no Unix account", "没有系统账户"),
    "cli.end.launch_failed": ("could not be launched", "无法启动"),
    "cli.end.vanished": ("vanished", "进程消失"),
    "cli.end.node_rebooted": ("node restarted", "节点重启"),
    "cli.end.node_lost": ("node lost", "节点失联"),
    "cli.ended_exit_code": ("exit code {code}", "退出码 {code}"),
    "cli.ended_signal": ("signal {signal}", "信号 {signal}"),
    "cli.short.held": ("on hold", "已挂起"),
    "cli.short.scheduling_paused": ("scheduling is paused", "调度已暂停"),
    "cli.short.not_yet": ("retry in {until}", "{until} 后重试"),
    "cli.short.predecessors_running": ("after job {jobs}", "等待任务 {jobs}"),
    "cli.short.predecessors_failed": ("job {jobs} did not succeed", "任务 {jobs} 未成功"),
    "cli.short.no_such_hardware": ("no such hardware yet", "暂无满足的硬件"),
    "cli.short.node_unavailable": ("node {node} not available", "节点 {node} 不可用"),
    "cli.short.nodes_unavailable": ("nodes not available: {nodes}", "节点不可用：{nodes}"),
    "cli.short.exact_gpus_busy": ("GPU {gpu_ids} in use", "GPU {gpu_ids} 被占用"),
    "cli.short.exact_gpus_drained": ("GPU {gpu_ids} drained", "GPU {gpu_ids} 正在排空"),
    "cli.short.gpus_busy": ("GPUs: {wanted} wanted, {free} free", "需要 {wanted} 块 GPU，空闲 {free} 块"),
    "cli.short.cpus_busy": ("CPUs: {wanted} wanted, {free} free", "需要 {wanted} 个 CPU，空闲 {free} 个"),
    "cli.short.memory_busy": (
        "memory: {wanted_mb} wanted, {free_mb} free",
        "需要内存 {wanted_mb}，空闲 {free_mb}",
    ),
    "cli.short.behind_in_line": ("number {place}, behind job {head}", "第 {place} 位，在任务 {head} 之后"),
    "cli.short.starting_soon": ("just submitted", "刚刚提交"),
    "cli.node.up": ("up", "在线"),
    "cli.node.lost": ("lost", "失联"),
    "cli.node.drained": ("drained", "排空"),
    "cli.node.simulated": ("simulated", "模拟"),
    "cli.gpu.free": ("free", "空闲"),
    "cli.gpu.used": ("in use", "使用中"),
    "cli.gpu.drained": ("drained", "排空"),
    "cli.role.member": ("member", "成员"),
    "cli.role.mentor": ("mentor", "导师"),
    "cli.role.admin": ("administrator", "管理员"),
    "cli.role.viewer": ("viewer", "只读用户"),
}

_TABLES: dict[str, tuple[str, str]] = {
    "cli.ago": ("{time} ago", "{time} 前"),
    "cli.yes": ("yes", "是"),
    "cli.no": ("no", "否"),
    "cli.column.job": ("JOB", "任务"),
    "cli.column.name": ("NAME", "名称"),
    "cli.column.owner": ("OWNER", "用户"),
    "cli.column.state": ("STATE", "状态"),
    "cli.column.gpus": ("GPUS", "GPU"),
    "cli.column.where": ("WHERE", "位置"),
    "cli.column.time": ("TIME", "时间"),
    "cli.column.remark": ("WHY", "原因"),
    "cli.column.attempt": ("ATTEMPT", "次"),
    "cli.column.began": ("STARTED", "开始"),
    "cli.column.ran": ("RAN", "用时"),
    "cli.column.end": ("END", "结束"),
    "cli.column.log": ("OUTPUT", "输出"),
    "cli.column.node": ("NODE", "节点"),
    "cli.column.gpu": ("GPU", "GPU"),
    "cli.column.model": ("MODEL", "型号"),
    "cli.column.memory": ("MEMORY", "内存"),
    "cli.column.cpus": ("CPUS", "CPU"),
    "cli.column.jobs": ("JOBS", "任务"),
    "cli.label.job": ("Job", "任务"),
    "cli.label.owner": ("Owner", "用户"),
    "cli.label.state": ("State", "状态"),
    "cli.label.message": ("Why", "说明"),
    "cli.label.place": ("Place in line", "队列位置"),
    "cli.label.not_before": ("Not before", "不早于"),
    "cli.label.where": ("Where", "位置"),
    "cli.label.gpus": ("GPUs", "GPU"),
    "cli.label.cpus": ("CPUs", "CPU"),
    "cli.label.memory_mb": ("Memory", "内存"),
    "cli.label.urgent": ("Urgent", "紧急"),
    "cli.label.submitted": ("Submitted", "提交"),
    "cli.label.started": ("Started", "开始"),
    "cli.label.ended": ("Ended", "结束"),
    "cli.label.ran": ("Ran", "用时"),
    "cli.label.after": ("After", "前驱"),
    "cli.label.after_ok": ("After success of", "前驱（须成功）"),
    "cli.label.successors": ("Successors", "后继"),
    "cli.label.command": ("Command", "命令"),
    "cli.label.arguments": ("Arguments", "参数"),
    "cli.label.name": ("Name", "名称"),
    "cli.label.directory": ("Folder", "目录"),
    "cli.label.environment": ("Environment", "环境"),
    "cli.label.node": ("Node", "节点"),
    "cli.label.gpu_ids": ("Exact GPUs", "指定 GPU"),
    "cli.label.gpu_arg": ("GPU argument", "GPU 参数"),
    "cli.label.time_limit_s": ("Time limit", "时间限制"),
    "cli.label.grace_s": ("Grace", "宽限"),
    "cli.label.hold": ("Hold", "挂起"),
    "cli.label.retries": ("Retries", "重试次数"),
    "cli.label.retry_backoff_s": ("Retry pause", "重试间隔"),
    "cli.label.retry_on": ("Retry on", "重试原因"),
    "cli.label.stdout": ("Output file", "输出文件"),
    "cli.label.stderr": ("Error file", "错误文件"),
    "cli.label.variables": ("Variables", "变量"),
    "cli.label.mail": ("Mail", "邮箱"),
    "cli.label.description": ("Description", "描述"),
    "cli.label.wait_for_hardware": ("Wait for hardware", "等待硬件"),
    "cli.ps.empty": (
        "No job is running or waiting. Submit one: danlu submit -g 1 -- python train.py   "
        "(ended ones: danlu ps --all)",
        "没有运行或等待的任务。提交一个：danlu submit -g 1 -- python train.py（已结束的：danlu ps --all）",
    ),
    "cli.ps.nothing_found": (
        "No job fits. Ended ones too: danlu ps --all",
        "没有符合条件的任务。包括已结束的：danlu ps --all",
    ),
    "cli.ps.more": (
        "Only the first {shown}; more with --limit.",
        "只显示前 {shown} 个；用 --limit 查看更多。",
    ),
    "cli.nodes.empty": ("There are no nodes yet.", "还没有节点。"),
    "cli.gpus.empty": (
        "There are no GPUs. Try it with simulated ones: danlu up --simulate 4",
        "没有 GPU。可用模拟的 GPU 试用：danlu up --simulate 4",
    ),
}

_ANSWERS: dict[str, tuple[str, str]] = {
    "cli.submitted": ("Job {job} is submitted.", "任务 {job} 已提交。"),
    "cli.waiting": ("Job {job} waits: {reason}", "任务 {job} 等待中：{reason}"),
    "cli.next_attempt": ("Job {job}: attempt {attempt} follows.", "任务 {job}：将进行第 {attempt} 次运行。"),
    "cli.ended_badly": ("Job {job}: {reason}", "任务 {job}：{reason}"),
    "cli.connection_lost": (
        "The connection to the server is lost ({reason}); trying again.",
        "与服务的连接中断（{reason}），正在重试。",
    ),
    "cli.cancel_or_detach": (
        "Job {job}: [c]ancel it, [d]etach and let it run, or Enter to go on watching?",
        "任务 {job}：[c] 取消，[d] 离开并让它继续运行，回车继续查看？",
    ),
    "cli.detached": (
        "Job {job} goes on without you. Come back: danlu logs -f {job}   Stop it: danlu cancel {job}",
        "任务 {job} 继续运行。返回查看：danlu logs -f {job}   停止：danlu cancel {job}",
    ),
    "cli.now": ("Job {job}: {state}", "任务 {job}：{state}"),
    "cli.moved": ("Job {job} is number {place} in line.", "任务 {job} 现在排在第 {place} 位。"),
    "cli.edited": ("Job {job} is changed.", "任务 {job} 已修改。"),
    "cli.waits_again": (
        "Job {job} waits again, for its next attempt.",
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
    "cli.nothing_deleted": ("Nothing was deleted.", "没有删除任何任务。"),
    "cli.deleted": ("Deleted: {jobs}", "已删除：{jobs}"),
    "cli.left": ("Left running: {jobs}", "继续运行：{jobs}"),
    "cli.being_cancelled": ("Being cancelled: {jobs}", "正在取消：{jobs}"),
    "cli.no_defaults": (
        "You have no default values. Set some: danlu defaults set --env torch --time 1d",
        "您还没有默认值。设置：danlu defaults set --env torch --time 1d",
    ),
    "cli.defaults_changed": ("Your default values are changed.", "默认值已修改。"),
    "cli.paused": ("Scheduling is paused; running jobs go on.", "调度已暂停；运行中的任务不受影响。"),
    "cli.resumed": ("Scheduling goes on.", "调度已恢复。"),
    "cli.drained": ("{place} takes no new jobs.", "{place} 不再接受新任务。"),
    "cli.undrained": ("{place} takes jobs again.", "{place} 重新接受任务。"),
    "cli.ask_name": ("User name [{name}]:", "用户名 [{name}]："),
    "cli.ask_password": ("Password of {name}:", "{name} 的密码："),
    "cli.ask_new_password": (
        "New password (at least {shortest} characters):",
        "新密码（至少 {shortest} 个字符）：",
    ),
    "cli.ask_again": ("The same again:", "再输入一次："),
    "cli.must_change_password": (
        "Your password was set by somebody else; choose your own now.",
        "您的密码由他人设置，请现在修改。",
    ),
    "cli.password_too_short": ("It needs at least {shortest} characters.", "至少需要 {shortest} 个字符。"),
    "cli.passwords_differ": ("The two differ; once more.", "两次输入不一致，请重新输入。"),
    "cli.in_the_clear": (
        "Warning: {url} is not encrypted; others on the network can read the password.",
        "警告：{url} 未加密，网络上的其他人可能看到密码。",
    ),
    "cli.logged_in": (
        "Logged in as {name} at {url} (profile {profile}).",
        "已以 {name} 的身份登录 {url}（配置 {profile}）。",
    ),
    "cli.logged_out": ("Logged out: {name} at {url}.", "已注销 {url} 上的 {name}。"),
    "cli.token_not_revoked": (
        "{url} cannot be reached: the token is forgotten here, but still good there.",
        "无法连接 {url}：令牌已在本机删除，但在服务端仍然有效。",
    ),
    "cli.link_lasts": (
        "Open it in a browser; it works once, for {time}.",
        "请在浏览器中打开；仅可使用一次，有效期 {time}。",
    ),
    "cli.whoami": ("{name} ({role}) at {url}, {way}", "{name}（{role}），{url}，{way}"),
    "cli.by_profile": ("by profile {profile}", "登录配置 {profile}"),
    "cli.by_folder": ("by data folder {folder}", "数据目录 {folder}"),
    "cli.version_server": ("server {version} at {url}", "服务 {version}，{url}"),
    "cli.version_no_server": ("no server", "没有服务"),
}

MESSAGES: dict[str, tuple[str, str]] = {
    **_HEADINGS,
    **_COMMANDS,
    **_OPTIONS,
    **_REFUSALS,
    **_STATES,
    **_TABLES,
    **_ANSWERS,
}
