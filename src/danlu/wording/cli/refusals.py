"""What the command line refuses by itself, and the remedy."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
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
