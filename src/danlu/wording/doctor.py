"""What the doctor says, with what to do about it."""

from __future__ import annotations

from danlu.wording.catalogue import Messages

MESSAGES: Messages = {
    "doctor.folder.same": ("{path} is the same folder as on the server.", "{path} 与服务器上是同一个目录。"),
    "doctor.folder.missing": (
        "The shared folder {path} is not there. Mount it on this node at the same path as on the server.",
        "共享目录 {path} 不存在。请在本节点上把它挂载到与服务器相同的路径。",
    ),
    "doctor.folder.unreadable": (
        "The shared folder {path} cannot be read: {reason}. Check the mount and its permissions.",
        "共享目录 {path} 无法读取：{reason}。请检查挂载与权限。",
    ),
    "doctor.folder.hangs": (
        "{path} does not answer. Is its file server down? Mount it again (umount -l, then mount).",
        "{path} 没有响应。文件服务器是否停机？请重新挂载（先 umount -l，再 mount）。",
    ),
    "doctor.folder.different": (
        "{path} is a different folder from the server's: probably nothing is mounted there. Mount the "
        "shared file system at this path.",
        "{path} 与服务器上的不是同一个目录，很可能这里没有挂载任何东西。请把共享文件系统挂载到该路径。",
    ),
    "doctor.folder.unproved": (
        "It cannot be checked whether {path} is the same folder as on the server: the server may not "
        "write there.",
        "无法确认 {path} 与服务器上是否为同一个目录：服务器对它没有写权限。",
    ),
    "doctor.folder.read_only": (
        "{path} is the same folder as on the server, but cannot be written to from here. Mount it "
        "read-write if jobs need to write there.",
        "{path} 与服务器上是同一个目录，但在本节点上不可写。如果任务需要写入，请以 rw 方式挂载。",
    ),
    "doctor.clock.same": ("The clock is right.", "时钟准确。"),
    "doctor.clock.ahead": (
        "The clock is {seconds} s ahead of the server's. Switch on time synchronisation (chrony or "
        "systemd-timesyncd).",
        "时钟比服务器快 {seconds} 秒。请启用时间同步（chrony 或 systemd-timesyncd）。",
    ),
    "doctor.clock.behind": (
        "The clock is {seconds} s behind the server's. Switch on time synchronisation (chrony or "
        "systemd-timesyncd).",
        "时钟比服务器慢 {seconds} 秒。请启用时间同步（chrony 或 systemd-timesyncd）。",
    ),
    "doctor.driver.works": (
        "The NVIDIA driver {driver} (CUDA {cuda}) sees {gpus} GPUs.",
        "NVIDIA 驱动 {driver}（CUDA {cuda}）识别到 {gpus} 块 GPU。",
    ),
    "doctor.driver.none": (
        "There is no NVIDIA driver: a node without GPUs.",
        "没有 NVIDIA 驱动：本节点没有 GPU。",
    ),
    "doctor.driver.broken": (
        "The NVIDIA driver does not work: {reason}. After upgrading the driver, restart the node or "
        "reload the kernel modules.",
        "NVIDIA 驱动无法工作：{reason}。如果刚升级过驱动，请重启节点或重新加载内核模块。",
    ),
    "doctor.driver.hangs": (
        "The NVIDIA driver does not answer. Look for Xid errors in the kernel log; restarting the node "
        "helps.",
        "NVIDIA 驱动没有响应。请在内核日志中查找 Xid 错误；重启节点通常有效。",
    ),
    "doctor.version.same": ("Danlu {here}, as on the server.", "Danlu {here}，与服务器一致。"),
    "doctor.version.other": (
        "Danlu {here} here, {server} on the server. They work together; upgrade when convenient: danlu "
        "nodes upgrade.",
        "本节点为 Danlu {here}，服务器为 {server}。两者可以协同工作；方便时请升级：danlu nodes upgrade。",
    ),
    "doctor.python.same": ("Python {here}.", "Python {here}。"),
    "doctor.python.other": (
        "Python {here} here, {server} on the server: Python functions sent as jobs need the same minor "
        "version in the job's environment.",
        "本节点为 Python {here}，服务器为 {server}：以函数形式提交的任务要求运行环境的 Python 次版本一致。",
    ),
    "doctor.address.mine": ("Other nodes reach it at {address}.", "其他节点可通过 {address} 访问本节点。"),
    "doctor.address.not_mine": (
        "Nothing can listen at {address}, where other nodes would look for it: {reason}. Join again with "
        "danlu join --address.",
        "无法在 {address} 上监听，而其他节点会到那里找它：{reason}。请用 danlu join --address 重新加入。",
    ),
    "doctor.disk.room": ("There is room on the disk of {path}.", "{path} 所在磁盘空间充足。"),
    "doctor.disk.nearly_full": (
        "The disk of {path} is nearly full. Make room: jobs' logs are written there.",
        "{path} 所在磁盘即将写满。请清理空间：任务日志写在那里。",
    ),
    "doctor.disk.full": (
        "The disk of {path} is full. Make room: jobs cannot write their logs.",
        "{path} 所在磁盘已满。请清理空间：任务无法写日志。",
    ),
    "doctor.disk.unwritable": (
        "Nothing can be written to the disk of {path}: {reason}. Make room, or check its file system.",
        "{path} 所在磁盘无法写入：{reason}。请清理空间，或检查文件系统。",
    ),
    "doctor.setup.failing": (
        "{times} jobs in a row could not be set up here: {why}. Danlu tries the node again after a "
        "while; meanwhile, look for the cause.",
        "连续 {times} 个任务无法在本节点上启动：{why}。稍后会自动再次尝试，请同时排查原因。",
    ),
    "doctor.disk.hangs": ("The disk of {path} does not answer.", "{path} 所在磁盘没有响应。"),
    "doctor.limits.enough": ("Jobs may open {open_files} files.", "任务最多可打开 {open_files} 个文件。"),
    "doctor.limits.few_files": (
        "Jobs may open only {open_files} files; data loaders often need {wanted}. Raise the service's "
        "LimitNOFILE, or nofile in /etc/security/limits.conf.",
        "任务最多只能打开 {open_files} 个文件；数据加载器常常需要 {wanted} 个。请调高服务的 LimitNOFILE，"
        "或 /etc/security/limits.conf 中的 nofile。",
    ),
    "doctor.guards.both": (
        "Jobs are held to the CPUs (cgroup {cpus}) and the memory (cgroup {memory}) that they ask for.",
        "任务受其申请的 CPU（cgroup {cpus}）和内存（cgroup {memory}）限制。",
    ),
    "doctor.guards.only_cpus": (
        "Jobs are held to the CPUs that they ask for, but may use more memory: no memory cgroup can be "
        "made. Run the agent as root, or delegate the memory controller to it.",
        "任务受其申请的 CPU 限制，但内存可能超出：无法创建内存 cgroup。请以 root 运行节点代理，或把 memory "
        "控制器委派给它。",
    ),
    "doctor.guards.only_memory": (
        "Jobs are held to the memory that they ask for, but may use more CPUs: no CPU cgroup can be made. "
        "Run the agent as root, or delegate the cpu controller to it.",
        "任务受其申请的内存限制，但 CPU 可能超出：无法创建 CPU cgroup。请以 root 运行节点代理，或把 cpu 控制"
        "器委派给它。",
    ),
    "doctor.guards.none": (
        "Jobs may use more CPUs and memory than they ask for: no cgroups can be made. Run the agent as "
        "root, or delegate the cpu and memory controllers to it.",
        "任务用到的 CPU 和内存可能超出申请：无法创建 cgroup。请以 root 运行节点代理，或把 cpu 和 memory 控制"
        "器委派给它。",
    ),
    "doctor.docker.works": ("Docker answers (API {version}).", "Docker 正常（API {version}）。"),
    "doctor.docker.none": ("There is no Docker here.", "本节点没有 Docker。"),
    "doctor.docker.silent": (
        "Docker is installed but does not answer: {reason}. Try: systemctl restart docker.",
        "已安装 Docker 但没有响应：{reason}。请尝试：systemctl restart docker。",
    ),
    "doctor.docker.hangs": (
        "Docker does not answer. Try: systemctl restart docker.",
        "Docker 没有响应。请尝试：systemctl restart docker。",
    ),
    "doctor.conda.there": ("conda is at {path}.", "conda 位于 {path}。"),
    "doctor.conda.none": ("There is no conda here.", "本节点没有 conda。"),
    "doctor.conda.hangs": ("The place where conda should be does not answer.", "conda 所在位置没有响应。"),
    "doctor.node_file.gpu_count": (
        "The node file says {said} GPUs, but the node has {found}. Correct the file, or look for the "
        "missing card.",
        "节点文件写的是 {said} 块 GPU，实际有 {found} 块。请更正文件，或检查缺失的显卡。",
    ),
    "doctor.node_file.gpu_info": (
        "The node file says {said}, but the node has {found}. Correct the file, or look for the missing "
        "card.",
        "节点文件写的是 {said}，实际是 {found}。请更正文件，或检查缺失的显卡。",
    ),
    "doctor.messages.senseless": (
        "Its messages make no sense and are ignored ({about}: {why}). Restart its agent; if its version "
        "differs, upgrade it (danlu nodes upgrade). If neither helps, it may have been tampered with.",
        "它上报的内容不合理，未被采信（{about}：{why}）。请重启其代理；若版本不同，请升级（danlu nodes "
        "upgrade）。若都无效，该节点可能已被篡改。",
    ),
    "doctor.messages.other_server": (
        "It follows another server and does not obey this one. If that server should no longer lead, "
        "have the node join here again (danlu join).",
        "它听从另一台服务器，不接受本服务器的命令。如果那台服务器已不应再作主，请让该节点重新加入（danlu "
        "join）。",
    ),
    "doctor.node.silent": (
        "The node does not answer. Is it switched on, and is its agent running (systemctl status "
        "danlu-agent)?",
        "节点没有响应。它是否开机？代理是否在运行（systemctl status danlu-agent）？",
    ),
}
