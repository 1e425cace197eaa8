"""Options and arguments that are no fields of a job."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
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
    "cli.option.limit_cpus": (
        "Whether a job that asks for CPUs is held to them (on).",
        "是否把申请了 CPU 的任务限制在申请的数量内（默认 on）。",
    ),
    "cli.option.limit_memory": (
        "Whether a job that asks for memory is killed when it uses more (on).",
        "申请了内存的任务超出时是否终止（默认 on）。",
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
