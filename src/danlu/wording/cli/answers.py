"""What a command answers."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
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
