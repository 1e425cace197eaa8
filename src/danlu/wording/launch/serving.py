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
}
