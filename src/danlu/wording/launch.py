"""What `danlu up` and `danlu down` say."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "launch.greeting": (
        "Danlu is running at {url}\n  Log in (once, within 15 minutes): {link}\n  Data: {data}\n  Try: "
        "danlu submit -- echo hello   then: danlu ps\n  Stop with Ctrl-C or `danlu down`; running jobs "
        "keep running.",
        "丹炉已启动：{url}\n  登录链接（一次有效，15 分钟内）：{link}\n  数据目录：{data}\n  试试：danlu "
        "submit -- echo hello   然后：danlu ps\n  用 Ctrl-C 或 danlu down 停止；正在运行的任务会继续运行。",
    ),
    "launch.simulated": (
        "  Simulated: {nodes} node(s) with {gpus} GPU(s) each; jobs really run, but the GPUs are not real.",
        "  模拟模式：{nodes} 个节点，每个 {gpus} 块 GPU；任务真实运行，GPU 是虚拟的。",
    ),
    "launch.cluster.invitation": (
        "  To add a machine, run there (valid for 24 hours; danlu nodes token makes another):\n    {command}",
        "  要添加机器，请在那台机器上运行（24 小时内有效；可用 danlu nodes token 另建）：\n    {command}",
    ),
    "launch.cluster.no_packages": (
        "A cluster needs packages that are not installed here: pip install 'danlu[cluster]'",
        "集群所需的软件包没有安装，请执行：pip install 'danlu[cluster]'",
    ),
    "launch.cluster.other": (
        "This machine is a node of the cluster at {servers}. To make it a server of its own, run danlu "
        "leave first.",
        "本机是集群 {servers} 的节点。若要在本机建立自己的集群，请先执行 danlu leave。",
    ),
    "launch.cluster.only_with": (
        "--messages-port and --advertise are for a cluster: add --cluster.",
        "--messages-port 和 --advertise 只用于集群，请加上 --cluster。",
    ),
    "launch.cluster.simulation": (
        "In a cluster, a machine simulates only its own GPUs: --simulate 4. Other machines join with "
        "danlu join … --simulate 4.",
        "在集群中每台机器只能模拟自己的 GPU：--simulate 4。其他机器用 danlu join … --simulate 4 加入。",
    ),
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
    "launch.exposed": (
        "\n  *** WARNING: NOT ENCRYPTED (--plain-http) ***\n  It listens on {host} in plain HTTP. Any user "
        "who can watch the network can read every password, token and log,\n  and act as any user, "
        "administrators included. Leave out --plain-http and Danlu encrypts by itself,\n  unless only "
        "your own proxy with TLS can reach this address.\n",
        "\n  *** 警告：未加密（--plain-http）***\n  正在 {host} 上以明文 HTTP 监听。能看到网络流量的人可"
        "以读到所有密码、令牌和日志，\n  并冒充任何人，包括管理员。去掉 --plain-http，丹炉会自行加密；"
        "\n  只有当仅您自己的 TLS 代理能访问该地址时才应使用它。\n",
    ),
    "launch.self_signed": (
        "  Encrypted with a certificate that no authority vouches for; the server is identified by its "
        "key:\n    danlu login {url} --fingerprint {fingerprint}\n    Browsers warn; compare the SHA-256 "
        "of the certificate there: {sha256}",
        "  已加密；证书没有权威机构担保，请凭密钥指纹辨认本服务：\n    danlu login {url} --fingerprint "
        "{fingerprint}\n    浏览器会警告，请核对证书的 SHA-256：{sha256}",
    ),
    "launch.vouched": (
        "  Encrypted with your site's certificate.\n    Where its authority is not known: danlu login "
        "{url} --fingerprint {fingerprint}\n    The SHA-256 of the certificate: {sha256}",
        "  已用本单位的证书加密。\n    不认识该证书机构的机器：danlu login {url} --fingerprint "
        "{fingerprint}\n    证书的 SHA-256：{sha256}",
    ),
    "launch.certificate_ends": (
        "  WARNING: the certificate expires on {date}. Replace its files; Danlu reads them again by itself.",
        "  警告：证书将于 {date} 到期。请更换证书文件，服务会自动重新读取。",
    ),
    "launch.tls.unreadable": ("{path} cannot be read: {reason}", "无法读取 {path}：{reason}"),
    "launch.tls.bad_file": (
        "{path} is not a certificate in PEM form: {reason}",
        "{path} 不是 PEM 格式的证书：{reason}",
    ),
    "launch.tls.bad_key": (
        "{path} is not a private key in PEM form without a passphrase: {reason}",
        "{path} 不是无口令的 PEM 格式私钥：{reason}",
    ),
    "launch.tls.mismatch": (
        "The key {key_file} does not belong to the certificate {certificate}.",
        "私钥 {key_file} 与证书 {certificate} 不匹配。",
    ),
    "launch.tls.expired": (
        "The certificate {path} expired on {date}. Renew it, or leave out --tls-cert: then Danlu makes "
        "one itself.",
        "证书 {path} 已于 {date} 过期。请续期，或去掉 --tls-cert，由丹炉自行生成。",
    ),
    "launch.bad.half_tls": (
        "--tls-cert and --tls-key belong together: give both, or neither.{text}",
        "--tls-cert 和 --tls-key 须同时给出。{text}",
    ),
    "launch.bad.plain_and_tls": (
        "--plain-http and --tls-cert contradict each other: choose one.{text}",
        "--plain-http 与 --tls-cert 互相矛盾，请只用其一。{text}",
    ),
    "launch.bad.url": (
        "--url: {text} is not an address like https://gpu.lab or https://gpu.lab/danlu.",
        "--url：{text} 不是形如 https://gpu.lab 或 https://gpu.lab/danlu 的地址。",
    ),
    "launch.bad.root_path": (
        "--root-path: {text} is not a path like /danlu.",
        "--root-path：{text} 不是形如 /danlu 的路径。",
    ),
    "launch.bad.trusted_proxy": (
        "--trusted-proxy: {text} is neither an address (10.0.0.1) nor a network (10.0.0.0/24).",
        "--trusted-proxy：{text} 既不是地址（10.0.0.1），也不是网段（10.0.0.0/24）。",
    ),
    "launch.status": (
        "● {running} running · {waiting} waiting · {used}/{gpus} GPUs in use · {up}/{nodes} nodes",
        "● 运行 {running} · 等待 {waiting} · GPU {used}/{gpus} · 节点 {up}/{nodes}",
    ),
    "launch.status_paused": (
        "‖ scheduling paused · {running} running · {waiting} waiting · {used}/{gpus} GPUs in use",
        "‖ 调度已暂停 · 运行 {running} · 等待 {waiting} · GPU {used}/{gpus}",
    ),
    "launch.status_disk_full": (
        "✗ the server's disk is full: no jobs are accepted or started · {running} running · {waiting} "
        "waiting",
        "✗ 服务器磁盘已满：不接受也不启动任务 · 运行 {running} · 等待 {waiting}",
    ),
    "launch.stopped": ("Danlu stopped.", "丹炉已停止。"),
    "launch.stopped_with_jobs": (
        "Danlu stopped. {jobs} job(s) keep running; `danlu up` takes them over again.",
        "丹炉已停止。{jobs} 个任务继续运行；再次运行 danlu up 即可接管。",
    ),
    "launch.stopped_not_jobs": (
        "The server stopped, but {jobs} job(s) may still be running: they could not be stopped, or their "
        "nodes did not answer ({log} says more). `danlu up` takes them over again.",
        "服务已停止，但 {jobs} 个任务可能仍在运行：无法停止它们，或其节点没有应答（详见 {log}）。再次运行"
        " danlu up 即可接管。",
    ),
    "launch.stopped_unknown": (
        "The server ended without saying whether its jobs have ended: some may still be running ({log} "
        "may say more). `danlu up` takes them over again.",
        "服务已结束，但没有说明任务是否已停止：可能仍有任务在运行（详见 {log}）。再次运行 danlu up 即可接"
        "管。",
    ),
    "launch.disk_full": (
        "The disk of {data} is full. Danlu starts with the reserve it had set aside: jobs can be "
        "cancelled and deleted, but none are accepted or started until there is room.\nDelete old jobs "
        "(danlu delete), cancel those that write too much (danlu cancel), or remove other files.\nThe "
        "largest logs:\n{logs}",
        "{data} 所在的磁盘已满。丹炉动用预留空间启动：可以取消和删除任务，但在腾出空间之前不接受也不启动"
        "新任务。\n请删除旧任务（danlu delete）、取消输出过多的任务（danlu cancel），或删除其他文件。\n最"
        "大的日志：\n{logs}",
    ),
    "launch.disk_full_for_good": (
        "The disk of {data} is full, and the reserve that Danlu had set aside is used up: it cannot "
        "start.\nRemove files from that disk, then start again. The largest logs:\n{logs}",
        "{data} 所在的磁盘已满，丹炉的预留空间也已用尽，无法启动。\n请删除该磁盘上的文件后再次启动。最大"
        "的日志：\n{logs}",
    ),
    "launch.standing_by": (
        "Danlu is standing by at {url} (data in {data}): it answers there like the leading server, and "
        "takes over from it.",
        "丹炉在 {url} 待命（数据在 {data}）：在此地址的回答与主服务相同，主服务失效时由它接管。",
    ),
    "launch.leads": ("This server is leading (number {fence}).", "本服务现在是主服务（编号 {fence}）。"),
    "launch.standby_alone": (
        "WARNING: this server listens only to its own machine ({url}). While it leads, no other server "
        "of the installation can pass requests on to it, and no client elsewhere is served.\nStart it with "
        "--host and an address that the others can reach, such as --host 0.0.0.0.",
        "警告：本服务只在本机监听（{url}）。它作主期间，其他服务无法把请求转交给它，别处的用户都无法使用。"
        "\n请用 --host 指定其他服务能到达的地址启动，例如 --host 0.0.0.0。",
    ),
    "launch.standby_needs_postgresql": (
        "A standby shares its database with the other servers, so it must be PostgreSQL.\nGive the same "
        "--database postgresql://… to all of them; `danlu database move` moves an existing one.",
        "备用服务与其他服务共用数据库，因此必须使用 PostgreSQL。\n请为所有服务指定同一个 --database "
        "postgresql://…；已有数据库可用 danlu database move 迁移。",
    ),
    "launch.already_running": (
        "Danlu is already running on {data}.\nUse `danlu down` first, or another --data folder.",
        "丹炉已在 {data} 上运行。\n请先运行 danlu down，或换一个 --data 目录。",
    ),
    "launch.no_folder": (
        "The data folder {data} cannot be used: {reason}\nChoose another with --data.",
        "无法使用数据目录 {data}：{reason}\n请用 --data 换一个。",
    ),
    "launch.no_port": (
        "Cannot listen on {host} port {port}: {reason}\nChoose another with --host and --port.",
        "无法监听 {host} 端口 {port}：{reason}\n请用 --host 和 --port 换一个。",
    ),
    "launch.cannot_start": (
        "Danlu cannot start: {reason}\n{log} says more.",
        "丹炉无法启动：{reason}\n详情见 {log}。",
    ),
    "launch.bad_simulation": (
        "--simulate: {text} is neither a number of GPUs (4) nor nodes x GPUs (3x8).",
        "--simulate：{text} 既不是 GPU 数量（如 4），也不是 节点x GPU（如 3x8）。",
    ),
    "launch.not_running": (
        "Danlu is not running on {data}.",
        "丹炉没有在 {data} 上运行。",
    ),
    "launch.stopping_jobs": (
        "Stopping the running jobs; they go back to the front of the queue …",
        "正在停止运行中的任务，它们将回到队首……",
    ),
    "launch.database.full": (
        "The disk of the database {place} is full. Make room on it, then try again.",
        "数据库 {place} 所在的磁盘已满。请在该磁盘上腾出空间后重试。",
    ),
    "launch.database.bad_url": (
        "--database: not the address of a database. Write postgresql://user@host:5432/name",
        "--database：不是数据库地址。请写成 postgresql://user@host:5432/name",
    ),
    "launch.database.password_typed": (
        "WARNING: every user of this machine can read the password in --database while Danlu runs.\nPut "
        "the address into the variable DANLU_DATABASE, or the password into ~/.pgpass; it is remembered "
        "now, so the next `danlu up` needs no --database.",
        "警告：--database 中的密码在 Danlu 运行期间会被本机所有用户看到。\n请把地址放入环境变量 "
        "DANLU_DATABASE，或把密码放入 ~/.pgpass；现在已经记住，下次 danlu up 无需 --database。",
    ),
    "launch.database.mismatch": (
        "This installation is stored in {kept}, not in {wanted}.\nMove it with `danlu database move`. If "
        "both are the same database under two names, correct the name in {file}.",
        "该安装的数据在 {kept}，而不是 {wanted}。\n请用 danlu database move 搬移。如果两者是同一个数据库"
        "的不同名称，请修改 {file} 中的名称。",
    ),
    "launch.database.no_driver": (
        "{place} needs the PostgreSQL driver, which is not installed.\n"
        "Install it: pip install 'danlu[postgresql]'",
        "使用 {place} 需要 PostgreSQL 驱动，但尚未安装。\n请安装：pip install 'danlu[postgresql]'",
    ),
    "launch.database.wrong_encoding": (
        "The database {place} has the encoding {encoding}; Danlu needs UTF8.\nMake a new one: CREATE "
        "DATABASE … ENCODING 'UTF8' TEMPLATE template0",
        "数据库 {place} 的编码是 {encoding}，Danlu 需要 UTF8。\n请新建：CREATE DATABASE … ENCODING "
        "'UTF8' TEMPLATE template0",
    ),
    "launch.database.newer": (
        "The database {place} was made by a newer Danlu (schema {revision}).\nUse that version of Danlu "
        "or a later one.",
        "数据库 {place} 是由更新版本的丹炉创建的（其结构版本为 {revision}）。\n请使用该版本或更新的版本。",
    ),
    "launch.database.taken": (
        "Another Danlu server uses the database {place}: {holder}.\nStop that one first.",
        "另一个 Danlu 服务正在使用数据库 {place}：{holder}。\n请先停止它。",
    ),
    "launch.database.not_empty": (
        "The database {place} is not empty: the table {table} has rows.\nName an empty one.",
        "数据库 {place} 不是空的：表 {table} 中有数据。\n请使用空数据库。",
    ),
    "launch.database.differs": (
        "What arrived in the table {table} of {place} is not what was sent; everything was undone.",
        "{place} 中表 {table} 的数据与原数据不一致；已全部撤销。",
    ),
    "launch.database.unusable": (
        "The database {place} cannot be used: {reason}",
        "无法使用数据库 {place}：{reason}",
    ),
    "launch.database.running": (
        "Danlu is running on {data}.\nStop it first: danlu down. Jobs keep running meanwhile.",
        "丹炉正在 {data} 上运行。\n请先停止：danlu down。任务会继续运行。",
    ),
    "launch.database.same": ("It is already in {place}.", "数据已经在 {place} 中。"),
    "launch.database.unchanged": (
        "Nothing has changed: the old database stays in use.",
        "没有任何改变：仍使用原来的数据库。",
    ),
    "launch.database.moved": (
        "{rows} rows are now in {place}, every one compared. The next `danlu up` uses it.\nThe old "
        "database is kept in {left}, marked so that no server uses it; delete it when you no longer need "
        "it. Start other servers of this installation with --database and the new address.",
        "{rows} 行数据已搬到 {place}，并逐行核对。下次 danlu up 将使用它。\n旧数据库保留在 {left}，并已标"
        "记，任何服务都不会再使用它；不再需要时可以删除。本系统的其他服务请用 --database 指定新地址启动。",
    ),
    "launch.database.finished": (
        "The interrupted move to {place} is finished. The next `danlu up` uses it.\nThe old database is "
        "kept in {left}, marked so that no server uses it.",
        "此前中断的搬移已完成，数据在 {place}。下次 danlu up 将使用它。\n旧数据库保留在 {left}，并已标记，"
        "任何服务都不会再使用它。",
    ),
    "launch.database.do_again": (
        "Everything has arrived, and the old database is out of use. Run the same command again: it "
        "finishes the rest.",
        "数据已全部到达，旧数据库已停用。请重复同一命令，完成剩下的步骤。",
    ),
    "launch.database.moved_away": (
        "The database {place} was moved to {to}, and is no longer used.\nStart with --database and that "
        "address. To continue with this old copy anyway: danlu database reinstate",
        "数据库 {place} 已搬到 {to}，不再使用。\n请用 --database 指定该地址启动。如果仍要使用这个旧副本："
        "danlu database reinstate",
    ),
    "launch.database.unfinished": (
        "Moving the data from {origin} into the database {place} was not finished.\nRepeat the "
        "interrupted `danlu database move` or `danlu restore`.",
        "从 {origin} 到数据库 {place} 的搬移没有完成。\n请重复被中断的 danlu database move 或 danlu "
        "restore。",
    ),
    "launch.database.superseded": (
        "The nodes of this installation follow a server of another copy of the database {place} (number "
        "{fence}), so this one is not used.\nFind out where that server runs. To continue with this "
        "copy, stop that server, then run: danlu database reinstate",
        "本系统的节点正跟随数据库 {place} 的另一份副本的服务（编号 {fence}），因此不使用这一份。\n请查明"
        "那个服务在哪里运行。如果要用这一份继续，请先停止那个服务，再运行：danlu database reinstate",
    ),
    "launch.database.in_use": (
        "The database {place} is not marked as out of use; there is nothing to reinstate.",
        "数据库 {place} 没有停用标记，无需重新启用。",
    ),
    "launch.database.reinstated": (
        "The database {place} is used again from the next `danlu up` on. New jobs get numbers that no "
        "copy has used.\nUnfinished jobs that are now on hold: {held} (danlu release). No server may "
        "keep using the other copy: {other}.",
        "从下次 danlu up 起重新使用数据库 {place}。新任务的编号不会与任何副本已给出的编号重复。\n曾在运行、"
        "现已暂停的任务：{held} 个（danlu release）。任何服务都不得再使用另一份副本：{other}。",
    ),
    "launch.not_there": ("There is no data folder {data}.", "没有数据目录 {data}。"),
    "launch.restore.not_empty": (
        "The folder {data} is not empty.\nName an empty or missing one with --data.",
        "目录 {data} 不是空的。\n请用 --data 指定空的或不存在的目录。",
    ),
    "launch.restore.bad_archive": (
        "{archive} cannot be restored: {reason}",
        "无法从 {archive} 恢复：{reason}",
    ),
    "launch.restore.failed": (
        "Nothing was restored: {reason}",
        "没有恢复任何内容：{reason}",
    ),
    "launch.restore.interrupted": ("Nothing was restored.", "没有恢复任何内容。"),
    "launch.restore.done": (
        "{data} is as it was at {when}: {jobs} job(s), {users} user(s).",
        "{data} 已恢复到 {when} 的状态：{jobs} 个任务，{users} 个用户。",
    ),
    "launch.restore.settled": (
        "Unfinished at that time: {held} job(s) are now on hold, because they may still be running where "
        "they were (danlu release starts them again); {cancelled} were being cancelled and count as "
        "cancelled.",
        "当时正在进行的任务：{held} 个已挂起，因为它们可能仍在原处运行（danlu release 可重新启动）；"
        "{cancelled} 个正在取消，按已取消处理。",
    ),
    "launch.restore.next": (
        "Start it: danlu up --data {data}. Do not run the original beside it: both would start the "
        "waiting jobs.",
        "启动：danlu up --data {data}。不要让原来的服务同时运行，否则两边都会启动等待中的任务。",
    ),
    "launch.restore.cluster": (
        "It is a cluster of {members} machine(s). Add --cluster, and the --messages-port and --advertise "
        "it had: at the same address its nodes come back by themselves; at another address each must "
        "join again (danlu join NEW-ADDRESS --token TOKEN).",
        "它是一个有 {members} 台机器的集群。请加上 --cluster 以及原来的 --messages-port 和 --advertise："
        "地址不变时节点会自己回来；地址变了，则需在每个节点上重新加入（danlu join 新地址 --token TOKEN）。",
    ),
    "launch.archive.unreadable": (
        "it is not a Danlu backup, or it is damaged ({reason}).",
        "不是 Danlu 的备份，或已损坏（{reason}）。",
    ),
    "launch.archive.not_whole": ("it is incomplete; the end is missing.", "文件不完整，缺少结尾。"),
    "launch.archive.newer": (
        "it was made by a newer Danlu ({version}); use that version or a later one.",
        "它由更新版本的 Danlu（{version}）生成；请使用该版本或更高版本。",
    ),
    "launch.archive.strange_member": (
        "it contains {name}, which does not belong in a backup.",
        "其中的 {name} 不应出现在备份里。",
    ),
    "launch.archive.behind_manifest": ("it contains {name} after its end.", "结尾之后还有 {name}。"),
    "launch.archive.differs": (
        "{name} is not what the backup says it is.",
        "{name} 与备份中的记录不符。",
    ),
    "launch.stop_refused": ("The server refused: {reason}", "服务拒绝停止：{reason}"),
}
