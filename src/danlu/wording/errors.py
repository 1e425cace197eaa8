"""What went wrong with a request, and the remedy, by error code: `errors.CODE` and `errors.CODE.hint`."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.invalid_value": ("{field}: {reason}", "{field}：{reason}"),
    "errors.invalid_value.hint": (
        "Correct this field; nothing was changed.",
        "请修正该字段；没有做任何改动。",
    ),
    "errors.mail_not_sent": (
        "Mail about jobs is not available yet: nothing would be sent.",
        "尚不支持任务邮件通知：不会发送任何邮件。",
    ),
    "errors.mail_not_sent.hint": (
        "Leave out the mail address; the job's page shows when it has ended.",
        "请去掉邮箱地址；任务页面会显示任务何时结束。",
    ),
    "errors.unknown_field": ("There is no field called {field}.", "没有名为 {field} 的字段。"),
    "errors.unknown_field.hint": (
        "See the API reference at /api/v1/openapi.json.",
        "请查看 /api/v1/openapi.json 的接口说明。",
    ),
    "errors.connection_broke": ("The request was cut off before it was complete.", "请求尚未完整就中断了。"),
    "errors.connection_broke.hint": ("Send it again; nothing was changed.", "请重新发送；没有做任何改动。"),
    "errors.bad_request": ("The request could not be understood: {reason}", "无法理解该请求：{reason}"),
    "errors.bad_request.hint": ("Send valid JSON (UTF-8).", "请发送合法的 JSON（UTF-8）。"),
    "errors.not_a_cluster": (
        "This is a single machine: other machines cannot join it.",
        "这是单机安装，其他机器无法加入。",
    ),
    "errors.not_a_cluster.hint": (
        "Stop it and start it as a cluster: danlu up --cluster. Jobs and history stay.",
        "请停止后以集群方式启动：danlu up --cluster。任务和历史会保留。",
    ),
    "errors.join_token_unknown": (
        "This cluster does not know the join token.",
        "本集群不认识该加入令牌。",
    ),
    "errors.join_token_unknown.hint": (
        "Copy the whole token, or ask an administrator for a new one: danlu nodes token",
        "请完整复制令牌，或请管理员新建一个：danlu nodes token",
    ),
    "errors.join_token_role": (
        "The token is for {role} nodes, and {asked} is more than that.",
        "该令牌用于 {role} 节点，{asked} 超出了它的范围。",
    ),
    "errors.join_token_role.hint": (
        "Run danlu join without --role, or have an administrator make a token with danlu nodes token "
        "--role {asked}.",
        "请在 danlu join 时去掉 --role，或请管理员用 danlu nodes token --role {asked} 新建令牌。",
    ),
    "errors.join_token_expired": ("The join token has expired.", "加入令牌已过期。"),
    "errors.join_token_expired.hint": (
        "Ask an administrator for a new one: danlu nodes token",
        "请管理员新建一个：danlu nodes token",
    ),
    "errors.join_token_revoked": ("The join token was revoked.", "加入令牌已被撤销。"),
    "errors.join_token_revoked.hint": (
        "Ask an administrator for a new one: danlu nodes token",
        "请管理员新建一个：danlu nodes token",
    ),
    "errors.no_such_join_token": ("There is no join token {token}.", "没有编号为 {token} 的加入令牌。"),
    "errors.no_such_join_token.hint": ("danlu nodes tokens lists them.", "可用 danlu nodes tokens 查看。"),
    "errors.version_too_far": (
        "This machine has Danlu {theirs}, the cluster has {ours}: too far apart to work together.",
        "本机的丹炉版本是 {theirs}，集群是 {ours}，相差太大，无法协作。",
    ),
    "errors.version_too_far.hint": (
        "Install Danlu {ours} here (at most one minor version apart), then join again.",
        "请在本机安装丹炉 {ours}（次版本号最多相差一），再重新加入。",
    ),
    "errors.bad_node_name": ("'{name}' is not a valid node name.", "“{name}”不能作为节点名。"),
    "errors.bad_node_name.hint": (
        "Use one word without spaces, commas or colons: danlu join … --name NAME",
        "请用一个不含空格、逗号和冒号的词：danlu join … --name 名称",
    ),
    "errors.node_name_taken": (
        "Another machine in this cluster is called {node}, and it is up.",
        "集群中已有名为 {node} 的机器在线。",
    ),
    "errors.node_name_taken.hint": (
        "Join under another name: danlu join … --name NAME",
        "请换一个名称加入：danlu join … --name 名称",
    ),
    "errors.node_name_busy": (
        "Another machine was called {node}, and jobs may still run on it: {jobs}.",
        "曾有另一台名为 {node} 的机器，其上可能仍有任务在运行：{jobs}。",
    ),
    "errors.node_name_busy.hint": (
        "Join under another name (danlu join --name NAME), or, if that machine is gone for good: danlu "
        "nodes declare-dead {node}",
        "请换一个名称加入（danlu join --name 名称）；若那台机器确已不在，请先执行：danlu nodes "
        "declare-dead {node}",
    ),
    "errors.old_name_busy": (
        "This machine is node {old}, and it has unfinished jobs: {jobs}.",
        "本机目前是节点 {old}，其上还有任务未结束：{jobs}。",
    ),
    "errors.old_name_busy.hint": (
        "Drain it (danlu drain {old}) and wait, or cancel them; then join as {node}. Or keep the name: "
        "danlu join without --name",
        "请先排空（danlu drain {old}）并等待，或取消这些任务，再以 {node} 的名称加入；或保留原名：danlu join "
        "时不加 --name",
    ),
    "errors.node_has_jobs": ("{node} has unfinished jobs: {jobs}.", "{node} 上还有任务未结束：{jobs}。"),
    "errors.node_has_jobs.hint": (
        "Drain it (danlu drain {node}) and wait, or cancel them. If the machine is gone for good: "
        "danlu nodes declare-dead {node}",
        "请先排空（danlu drain {node}）并等待，或取消这些任务。若机器确已不在："
        "danlu nodes declare-dead {node}",
    ),
    "errors.own_node_stays": (
        "{node} is the machine that the server runs on; it cannot be removed.",
        "{node} 是服务所在的机器，不能移除。",
    ),
    "errors.own_node_stays.hint": (
        "Give it no jobs instead: danlu drain {node}, or danlu nodes role {node} login",
        "可以让它不接任务：danlu drain {node}，或 danlu nodes role {node} login",
    ),
    "errors.no_such_bulk_action": (
        "There is no bulk action {id}, or it is no longer kept.",
        "没有编号为 {id} 的批量操作，或已不再保留。",
    ),
    "errors.no_such_bulk_action.hint": (
        "Restarting the server ends a bulk action; what it had done stays done. Look at the list of "
        "jobs, and do the rest again.",
        "服务重启会中止批量操作，已完成的部分保留。请查看任务列表，对其余任务重新操作。",
    ),
    "errors.bulk_action_under_way": (
        "Another of your bulk actions is still running.",
        "您的另一个批量操作还在进行。",
    ),
    "errors.bulk_action_under_way.hint": (
        "Wait until it is done, or stop it first.",
        "请等它完成，或先停止它。",
    ),
    "errors.bulk_action_final": ("This action cannot be undone.", "该操作无法撤销。"),
    "errors.bulk_action_final.hint": (
        "Only hold and release can be undone, and only once the action has finished.",
        "只有挂起和释放可以撤销，并且要等操作结束。",
    ),
    "errors.bulk_action_failed": (
        "The action stopped before it was finished: {reason}.",
        "操作未能全部完成：{reason}。",
    ),
    "errors.bulk_action_failed.hint": (
        "What was done stays done. The server's log says more; do the rest again.",
        "已完成的部分保留。详情见服务日志；请对其余任务重新操作。",
    ),
    "errors.too_many_jobs_match": (
        "More than {most} jobs match: too many for one action.",
        "符合条件的任务超过 {most} 个，无法一次处理。",
    ),
    "errors.too_many_jobs_match.hint": (
        "Narrow the filter and do it in parts.",
        "请缩小筛选范围，分批处理。",
    ),
    "errors.no_such_installation": ("There is no installation {id}.", "没有编号为 {id} 的安装。"),
    "errors.no_such_installation.hint": (
        "danlu nodes installations lists those since the server started.",
        "可用 danlu nodes installations 查看本次服务启动以来的安装。",
    ),
    "errors.installation_under_way": (
        "{target} is already being installed (installation {id}).",
        "{target} 正在安装中（安装 {id}）。",
    ),
    "errors.installation_under_way.hint": (
        "See its progress: danlu nodes installations.",
        "查看进度：danlu nodes installations。",
    ),
    "errors.installation_interrupted": (
        "The server stopped during the installation.",
        "服务在安装途中停止了。",
    ),
    "errors.installation_interrupted.hint": ("Start it again.", "请重新开始。"),
    "errors.installation_failed": ("It failed unexpectedly: {reason}", "发生意外错误：{reason}"),
    "errors.installation_failed.hint": (
        "The server's log says more: danlu server-log. You can start it again.",
        "服务日志中有更多信息：danlu server-log。可以重新开始。",
    ),
    "errors.upgrade_under_way": ("An upgrade is already running.", "已有升级正在进行。"),
    "errors.upgrade_under_way.hint": (
        "See its progress: danlu nodes installations.",
        "查看进度：danlu nodes installations。",
    ),
    "errors.node_silent_after_join": (
        "Node {node} has joined, but did not report in within {seconds} s.",
        "节点 {node} 已加入，但 {seconds} 秒内没有上报。",
    ),
    "errors.node_silent_after_join.hint": (
        "On the node, agent.log and agent.out in its data folder say why.",
        "请查看该节点数据目录中的 agent.log 和 agent.out。",
    ),
    "errors.nodes_not_reached": (
        "Not upgraded, because they cannot be reached: {nodes}.",
        "以下节点无法连接，没有升级：{nodes}。",
    ),
    "errors.nodes_not_reached.hint": (
        "Run danlu nodes upgrade again when they are back (danlu nodes says which are lost), or remove them.",
        "等它们恢复后（danlu nodes 会显示哪些失联）再次运行 danlu nodes upgrade，或将其移除。",
    ),
    "errors.node_not_upgraded": (
        "Node {node} was not upgraded and keeps running as before: {reason}",
        "节点 {node} 没有升级，保持原样运行：{reason}",
    ),
    "errors.node_not_upgraded.hint": (
        "Once that is fixed, run danlu nodes upgrade again. The nodes after it were left alone.",
        "解决后请再次运行 danlu nodes upgrade。排在它后面的节点没有改动。",
    ),
    "errors.node_fell_back": (
        "Node {node} did not come back with version {version} within {seconds} s.",
        "节点 {node} 在 {seconds} 秒内没有以版本 {version} 恢复。",
    ),
    "errors.node_fell_back.hint": (
        "It goes back to its old version by itself; its jobs keep running. upgrade.log and agent.out in "
        "its data folder say why. The nodes after it were left alone.",
        "它会自动换回旧版本，任务不受影响。原因见其数据目录中的 upgrade.log 和 agent.out。排在它后面的节"
        "点没有改动。",
    ),
    "errors.install_no_ssh": ("There is no ssh on the server.", "服务器上没有 ssh。"),
    "errors.install_no_ssh.hint": (
        "Install the package openssh-client there, or run danlu join on the node itself.",
        "请在服务器上安装 openssh-client，或在节点上直接运行 danlu join。",
    ),
    "errors.install_no_bundle": (
        "What is installed on the server cannot be packed for other machines: {reason}",
        "无法打包服务器上的安装：{reason}",
    ),
    "errors.install_no_bundle.hint": (
        "Install Danlu on the server with pip in a virtual environment: pip install 'danlu[cluster]'.",
        "请在服务器的虚拟环境中用 pip 安装丹炉：pip install 'danlu[cluster]'。",
    ),
    "errors.install_key_refused": (
        "{target} does not let the server in: {reason}",
        "{target} 拒绝服务器登录：{reason}",
    ),
    "errors.install_key_refused.hint": (
        "Add this line to ~/.ssh/authorized_keys of that account, or name another key with danlu nodes "
        "add --identity: {public_key}",
        "请把下面这一行加入该账号的 ~/.ssh/authorized_keys，或用 danlu nodes add --identity 指定其他密钥："
        "{public_key}",
    ),
    "errors.install_unknown_host": (
        "{target}: no machine called {host} is known.",
        "{target}：找不到名为 {host} 的机器。",
    ),
    "errors.install_unknown_host.hint": (
        "Correct the name, or write the machine's IP address.",
        "请更正名称，或直接写 IP 地址。",
    ),
    "errors.install_unreachable": (
        "{target} cannot be reached by ssh: {reason}",
        "无法通过 ssh 连接 {target}：{reason}",
    ),
    "errors.install_unreachable.hint": (
        "Is it switched on? Is sshd running there? Is the port right (USER@HOST:PORT)? Is there a "
        "firewall in between?",
        "机器是否开机？sshd 是否运行？端口是否正确（USER@HOST:PORT）？中间是否有防火墙？",
    ),
    "errors.install_host_key_changed": (
        "{target} may not be the machine it was: its host key has changed.",
        "{target} 的主机密钥变了，可能不是原来的机器。",
    ),
    "errors.install_host_key_changed.hint": (
        "If it was reinstalled, remove its line from {file} and try again.",
        "如果该机器重装过系统，请从 {file} 中删除对应行后重试。",
    ),
    "errors.install_ssh_failed": ("ssh to {target} failed: {reason}", "ssh 连接 {target} 失败：{reason}"),
    "errors.install_ssh_failed.hint": (
        "Try it by hand on the server, as the account that Danlu runs as.",
        "请在服务器上用运行丹炉的账号手动试一次。",
    ),
    "errors.install_no_python": (
        "There is no Python on {target}; it needs Python {wanted}, like the server.",
        "{target} 上没有 Python；需要与服务器相同的 Python {wanted}。",
    ),
    "errors.install_no_python.hint": (
        "Install python{wanted} there. If it is in an unusual place, say where: danlu nodes add --python "
        "PATH",
        "请在该机器上安装 python{wanted}。如果装在特殊位置，请指明：danlu nodes add --python 路径",
    ),
    "errors.install_wrong_python": (
        "{target} has Python {found}; it needs Python {wanted}, like the server.",
        "{target} 上的 Python 是 {found}；需要与服务器相同的 Python {wanted}。",
    ),
    "errors.install_wrong_python.hint": (
        "Install python{wanted} beside it. If it is in an unusual place, say where: danlu nodes add "
        "--python PATH. Or install Danlu there with pip and run danlu join.",
        "请在该机器上另装 python{wanted}。如果装在特殊位置，请指明：danlu nodes add --python 路径；或在该"
        "机器上用 pip 安装丹炉后运行 danlu join。",
    ),
    "errors.install_wrong_machine": (
        "What runs on the server does not run on {target}: that is {found}, and it needs {wanted} or newer.",
        "服务器上的程序无法在 {target} 上运行：该机器为 {found}，需要 {wanted} 或更新。",
    ),
    "errors.install_wrong_machine.hint": (
        "Install Danlu there with pip and run danlu join.",
        "请在该机器上用 pip 安装丹炉后运行 danlu join。",
    ),
    "errors.install_not_writable": (
        "The account on {target} may not write in {folder}.",
        "{target} 上的账号无权写入 {folder}。",
    ),
    "errors.install_not_writable.hint": (
        "Choose another folder (danlu nodes add --data FOLDER), or another account.",
        "请选择其他目录（danlu nodes add --data 目录），或换一个账号。",
    ),
    "errors.install_no_space": (
        "There is not enough room on {target}: {folder} has {free} free, and {needed} is needed.",
        "{target} 空间不足：{folder} 剩余 {free}，需要 {needed}。",
    ),
    "errors.install_no_space.hint": (
        "Make room there, or choose another disk: danlu nodes add --data FOLDER",
        "请清理空间，或选择其他磁盘：danlu nodes add --data 目录",
    ),
    "errors.install_cannot_reach": (
        "{target} cannot reach the server at {address}: {reason}",
        "{target} 无法连接服务器 {address}：{reason}",
    ),
    "errors.install_cannot_reach.hint": (
        "Open this port in the server's firewall; if nodes know the server by another address, start it with "
        "danlu up --cluster --advertise HOST.",
        "请在服务器防火墙中放行该端口；如果节点要用其他地址访问服务器，请用 "
        "danlu up --cluster --advertise 主机 启动。",
    ),
    "errors.install_other_cluster": (
        "{target} is node {node} of another cluster, and its agent is running.",
        "{target} 是另一集群的节点 {node}，其代理正在运行。",
    ),
    "errors.install_other_cluster.hint": (
        "Take it out of that cluster first; run there: danlu leave",
        "请先在该机器上退出：danlu leave。",
    ),
    "errors.install_unpack_failed": (
        "Danlu could not be set up on {target}: {reason}",
        "无法在 {target} 上安装丹炉：{reason}",
    ),
    "errors.install_unpack_failed.hint": (
        "Fix what it says and try again; nothing else was changed there.",
        "请按提示解决后重试；该机器上没有其他改动。",
    ),
    "errors.install_join_refused": (
        "{target} has Danlu now, but could not join: {reason}",
        "{target} 已装好丹炉，但无法加入：{reason}",
    ),
    "errors.install_join_refused.hint": (
        "Fix what it says and run the same command again; what was sent is already there.",
        "请按提示解决后重新运行；已发送的内容不会重复发送。",
    ),
    "errors.node_file_unreadable": ("{path} cannot be read: {reason}", "无法读取 {path}：{reason}"),
    "errors.node_file_unreadable.hint": (
        "The nodes stay as they are. The file is read again when it changes.",
        "节点保持不变。文件变化后会重新读取。",
    ),
    "errors.node_file_bad_json": (
        "{path} is not a list of nodes in JSON: {reason}",
        "{path} 不是 JSON 格式的节点列表：{reason}",
    ),
    "errors.node_file_bad_json.hint": (
        'Write [{{"name": "n1", "ip": "192.168.1.11", "user_name": "li", "gpu_count": 2, '
        '"gpu_info": ["RTX3090", "RTX3090"]}}]. The nodes stay as they are meanwhile.',
        '请写成 [{{"name": "n1", "ip": "192.168.1.11", "user_name": "li", "gpu_count": 2, '
        '"gpu_info": ["RTX3090", "RTX3090"]}}]。在此期间节点保持不变。',
    ),
    "errors.node_file_bad_entry": (
        "{path}: node {number} is ignored: {reason}",
        "{path}：第 {number} 个节点被忽略：{reason}",
    ),
    "errors.node_file_bad_entry.hint": (
        "A node needs name, ip and user_name; gpu_count is a number and gpu_info a list of names.",
        "必须有 name、ip 和 user_name；gpu_count 为数字，gpu_info 为名称列表。",
    ),
    "errors.no_such_example": ("There is no example '{example}'.", "没有名为“{example}”的示例。"),
    "errors.no_such_example.hint": ("The examples are: {possible}.", "现有示例：{possible}。"),
    "errors.no_command": ("The job has no command.", "任务没有命令。"),
    "errors.no_command.hint": (
        "Say what to run, for example: danlu submit -- python train.py",
        "请给出要运行的命令，例如：danlu submit -- python train.py",
    ),
    "errors.no_command.hint.page": (
        "Say what to run, for example: python train.py",
        "请给出要运行的命令，例如：python train.py",
    ),
    "errors.relative_directory": (
        "The working directory must be an absolute path, not {directory}.",
        "工作目录必须是绝对路径，而不是 {directory}。",
    ),
    "errors.relative_directory.hint": ("Write the full path: /home/…", "请从根目录写起：/home/…"),
    "errors.bad_job_id": (
        "'{job}' is not a job number. Write 12 for a job, or 12[3] for an element of an array.",
        "“{job}”不是任务编号：任务写作 12，数组中的子任务写作 12[3]。",
    ),
    "errors.bad_job_id.hint": ("danlu ps lists jobs.", "可用 danlu ps 查看任务。"),
    "errors.bad_job_id.hint.page": ("Choose one from the list of jobs.", "请从任务列表中选择。"),
    "errors.bad_array": ("'{array}' is not a valid array.", "“{array}”不是有效的数组写法。"),
    "errors.bad_array.hint": (
        "Write indices and ranges, optionally with how many may run at a time: 0-99, 1,3,5-9, 0-100:10, "
        "0-99%10. Up to {most} elements, with indices up to {largest}.",
        "请写下标和范围，可加同时运行上限：0-99、1,3,5-9、0-100:10、0-99%10。最多 {most} 个子任务，下标不"
        "超过 {largest}。",
    ),
    "errors.array_has_run": (
        "Job {job} has already run: it cannot become an array.",
        "任务 {job} 已经运行过，不能再变成数组。",
    ),
    "errors.array_has_run.hint": (
        "Submit a new job with {option:array}.",
        "请用 {option:array} 提交新任务。",
    ),
    "errors.array_begun": (
        "Array {job} has started: it can no longer be edited.",
        "数组 {job} 已经开始运行，不能再修改。",
    ),
    "errors.array_begun.hint": (
        "Cancel the rest (danlu cancel {job}), and submit a copy: danlu resubmit {job}.",
        "可取消剩余部分（danlu cancel {job}），再提交副本：danlu resubmit {job}。",
    ),
    "errors.array_begun.hint.page": (
        "Cancel the rest, then run it again as a new job.",
        "请取消剩余部分，再作为新任务运行。",
    ),
    "errors.too_many_predecessors": (
        "Together, the jobs in this request name more than {most} predecessors.",
        "此请求中的任务合计指定了超过 {most} 个前驱。",
    ),
    "errors.too_many_predecessors.hint": (
        "Submit them in several requests, or have them wait for one job that waits for the others.",
        "请分多次提交，或让它们等待同一个任务，再由该任务等待其他任务。",
    ),
    "errors.element_of_array": (
        "{job} is one element of array {array}; this works only on the whole array.",
        "{job} 是数组 {array} 的一个子任务，此操作只能针对整个数组。",
    ),
    "errors.element_of_array.hint": (
        "Name the array: {array}. A single element can be cancelled, and you can read its log.",
        "请使用数组编号 {array}。单个子任务可以取消，也可以查看日志。",
    ),
    "errors.array_has_no_log": (
        "Job {job} is an array: each of its elements has its own log.",
        "任务 {job} 是数组，每个子任务有各自的日志。",
    ),
    "errors.array_has_no_log.hint": (
        "Name one of its elements, for example {job}[0]; danlu elements {job} lists them.",
        "请指定其中一个子任务，例如 {job}[0]；danlu elements {job} 可列出全部子任务。",
    ),
    "errors.array_has_no_log.hint.page": ("Open one of its elements.", "请打开其中一个子任务。"),
    "errors.no_array": ("Job {job} is not an array.", "任务 {job} 不是数组。"),
    "errors.no_array.hint": (
        "Only a job submitted with {option:array} has elements; danlu show {job} shows this one.",
        "只有用 {option:array} 提交的任务才有子任务；本任务可用 danlu show {job} 查看。",
    ),
    "errors.no_array.hint.page": (
        "Only a job submitted with {option:array} has elements; see the page of job {job}.",
        "只有用 {option:array} 提交的任务才有子任务；请查看任务 {job} 的页面。",
    ),
    "errors.share_or_not": (
        "A job cannot both share a GPU and have it to itself.",
        "任务不能既共享 GPU 又独占 GPU。",
    ),
    "errors.share_or_not.hint": (
        "Use either {option:share} or {option:no_sharing}.",
        "{option:share} 与 {option:no_sharing} 请只选其一。",
    ),
    "errors.no_cpus_without_gpus": (
        "A job without GPUs counts for at least one CPU: otherwise any number of them would run at once.",
        "不使用 GPU 的任务至少计 1 个 CPU，否则会有任意多个同时运行。",
    ),
    "errors.no_cpus_without_gpus.hint": (
        "Leave {option:cpus} out, which means 1, or set it higher. With GPUs, 0 means that no CPUs are "
        "counted.",
        "请不写 {option:cpus}（即 1 个），或写更大的数。使用 GPU 时，0 表示不计 CPU。",
    ),
    "errors.gpu_memory_without_gpus": (
        "The job asks for GPU memory, but not for a GPU.",
        "要求了显存，却没有要求 GPU。",
    ),
    "errors.gpu_memory_without_gpus.hint": (
        "Set {option:gpus} to 1, or use {option:share} to join a GPU that others use.",
        "请将 {option:gpus} 设为 1，或用 {option:share} 与他人共用一块。",
    ),
    "errors.bad_nodes": ("'{nodes}' is not a number of nodes.", "“{nodes}”不是有效的节点数。"),
    "errors.bad_nodes.hint": (
        "Write 2, or 1:4 for at least one and at most four; no more than {most}.",
        "请写成 2，或用 1:4 表示至少一个、至多四个；不超过 {most} 个。",
    ),
    "errors.node_for_many": (
        "The job names a single node, {node}, but asks for {nodes} nodes.",
        "指定了单个节点 {node}，却要求 {nodes} 个节点。",
    ),
    "errors.node_for_many.hint": (
        "Leave out {option:node}, or name several with {option:only_nodes}.",
        "请去掉 {option:node}，或用 {option:only_nodes} 列出多个节点。",
    ),
    "errors.node_not_among": (
        "The job names node {node}, but its lists of nodes rule that node out.",
        "指定了节点 {node}，但节点名单又把它排除在外。",
    ),
    "errors.node_not_among.hint": (
        "With {option:node}, leave out {option:only_nodes} and {option:exclude_nodes}.",
        "使用 {option:node} 时，请去掉 {option:only_nodes} 和 {option:exclude_nodes}。",
    ),
    "errors.too_few_nodes_named": (
        "The job asks for at least {least} nodes, but may use only {left} of them.",
        "至少要求 {least} 个节点，但允许使用的只有 {left} 个。",
    ),
    "errors.too_few_nodes_named.hint": (
        "Name more nodes in {option:only_nodes}, fewer in {option:exclude_nodes}, or ask for fewer with "
        "{option:nodes}.",
        "请在 {option:only_nodes} 中多列、在 {option:exclude_nodes} 中少列几个节点，或用 {option:nodes} "
        "减少要求。",
    ),
    "errors.call_on_many_nodes": (
        "A Python function runs on one node, not on {nodes}.",
        "Python 函数只能在一个节点上运行，不能用 {nodes} 个。",
    ),
    "errors.call_on_many_nodes.hint": (
        "Submit a script with {option:nodes} instead, or many calls with client.map.",
        "请改为用 {option:nodes} 提交脚本，或用 client.map 提交多次调用。",
    ),
    "errors.gpu_model_without_gpus": (
        "The job asks for a GPU model, but not for a GPU.",
        "要求了 GPU 型号，却没有要求 GPU。",
    ),
    "errors.gpu_model_without_gpus.hint": (
        "Set {option:gpus} to 1 or more.",
        "请将 {option:gpus} 设为 1 或更多。",
    ),
    "errors.auto_gpu_ids": (
        "The job names its GPUs, but leaves their number to Danlu.",
        "既指定了 GPU 编号，又让系统自动决定数量。",
    ),
    "errors.auto_gpu_ids.hint": (
        "Leave out {option:gpu_ids}, or set {option:gpus} to a number.",
        "请去掉 {option:gpu_ids}，或将 {option:gpus} 设为具体数量。",
    ),
    "errors.auto_share": (
        "A job that shares GPUs must say how many; the number cannot be left to Danlu.",
        "共享 GPU 时须写明数量，不能自动决定。",
    ),
    "errors.auto_share.hint": (
        "Set {option:gpus} to 1, or leave out {option:share}.",
        "请将 {option:gpus} 设为 1，或去掉 {option:share}。",
    ),
    "errors.auto_too_large": (
        "The nodes it may use do not have {wanted_mb} of GPU memory together; the most is {most_mb}.",
        "可用节点的显存合计不足 {wanted_mb}，最多 {most_mb}。",
    ),
    "errors.auto_too_large.hint": (
        "Ask for less with {option:gpu_memory_mb}, or set {option:gpus} and {option:nodes} to numbers of "
        "your own. For auto, at most {gpus} GPUs of a node count.",
        "请减小 {option:gpu_memory_mb}，或将 {option:gpus} 和 {option:nodes} 设为具体数量。自动选择时每个"
        "节点最多算 {gpus} 块 GPU。",
    ),
    "errors.auto_too_large_for_node": (
        "No node it may use has {wanted_mb} of GPU memory; the most is {most_mb}.",
        "没有哪个可用节点的显存达到 {wanted_mb}，最多 {most_mb}。",
    ),
    "errors.auto_too_large_for_node.hint": (
        "Set {option:nodes} to auto to spread it over several nodes, or ask for less with "
        "{option:gpu_memory_mb}. For auto, at most {gpus} GPUs of a node count.",
        "请将 {option:nodes} 设为 auto 以分布到多个节点，或减小 {option:gpu_memory_mb}。自动选择时每个节"
        "点最多算 {gpus} 块 GPU。",
    ),
    "errors.other_home": (
        "{path} would be in another user's home folder ({name}).",
        "{path} 位于他人的主目录（{name}）中。",
    ),
    "errors.other_home.hint": (
        "`~/` is your own home folder. Write any other path out in full, and a name that begins with ~ "
        "as ./~name.",
        "~/ 表示您自己的主目录。其他路径请完整写出；以 ~ 开头的文件名请写成 ./~名称。",
    ),
    "errors.stage_without_name": (
        "{path} has no name by which the job could find it.",
        "{path} 没有可供任务查找的名称。",
    ),
    "errors.stage_without_name.hint": (
        "Name a file or folder in {option:stage}, without `..` at its end.",
        "请在 {option:stage} 中指定一个文件或目录，末尾不要写 ..。",
    ),
    "errors.stage_same_name": (
        "{path} and {other} would both become $DANLU_STAGED/{name}.",
        "{path} 与 {other} 都会成为 $DANLU_STAGED/{name}。",
    ),
    "errors.stage_same_name.hint": (
        "Stage their parent folder, or rename one of them.",
        "请改为预复制它们的上级目录，或将其中一个改名。",
    ),
    "errors.relative_stage_folder": (
        "{folder} is not an absolute path.",
        "{folder} 不是绝对路径。",
    ),
    "errors.relative_stage_folder.hint": (
        "Write a folder that every node has, such as /scratch.",
        "请写每个节点上都有的目录，例如 /scratch。",
    ),
    "errors.service_array": ("A service cannot be an array.", "服务不能同时是数组。"),
    "errors.service_array.hint": (
        "Submit one service for each element, or leave out {option:service}.",
        "请为每个子任务分别提交服务，或去掉 {option:service}。",
    ),
    "errors.service_time_limit": (
        "A service runs until it is cancelled: it cannot have a time limit.",
        "服务会一直运行到被取消为止，不能设时间限制。",
    ),
    "errors.service_time_limit.hint": (
        "Leave out {option:time_limit_s} (in your defaults, too: danlu defaults clear time), or leave "
        "out {option:service}.",
        "请去掉 {option:time_limit_s}（若来自默认值：danlu defaults clear time），或去掉 {option:service}。",
    ),
    "errors.service_time_limit.hint.page": (
        "Leave {option:time_limit_s} empty, or leave out {option:service}.",
        "请清空 {option:time_limit_s}，或去掉 {option:service}。",
    ),
    "errors.service_call": (
        "A Python function returns a result, but a service never ends.",
        "Python 函数要返回结果，而服务不会结束。",
    ),
    "errors.service_call.hint": (
        "Submit a script as the service, or leave out {option:service}.",
        "请以脚本提交服务，或去掉 {option:service}。",
    ),
    "errors.service_on_debug_node": (
        "Node {node} is for debugging: services do not run there.",
        "节点 {node} 用于调试，不能长期运行服务。",
    ),
    "errors.service_on_debug_node.hint": (
        "Leave out {option:node}, or name another node.",
        "请去掉 {option:node}，或改用其他节点。",
    ),
    "errors.service_awaited": (
        "Job {job} waits for this one to succeed, but a service never does.",
        "任务 {job} 在等待它成功，而服务不会以成功结束。",
    ),
    "errors.service_awaited.hint": (
        "Edit the predecessors of job {job} first: danlu edit {job} --clear after-ok.",
        "请先修改任务 {job} 的前驱：danlu edit {job} --clear after-ok。",
    ),
    "errors.service_awaited.hint.page": (
        "Edit the predecessors of job {job} first.",
        "请先修改任务 {job} 的前驱。",
    ),
    "errors.after_ok_service": (
        "Job {job} is a service and never succeeds: a job that needs it to succeed would never start.",
        "任务 {job} 是服务，不会以成功结束：要求它成功的任务永远不会启动。",
    ),
    "errors.after_ok_service.hint": (
        "Leave it out of {option:after_ok}.",
        "请从 {option:after_ok} 中去掉它。",
    ),
    "errors.debug_time_limit": (
        "Node {node} is for debugging: jobs there may run for {minutes} minutes at most.",
        "节点 {node} 用于调试，任务最长运行 {minutes} 分钟。",
    ),
    "errors.debug_time_limit.hint": (
        "Set {option:time_limit_s} to {minutes}m at most, or leave out {option:node}.",
        "请将 {option:time_limit_s} 设为不超过 {minutes}m，或去掉 {option:node}。",
    ),
    "errors.no_such_hardware": (
        "No node can ever run this: the job asks for {ask}; the largest node is {best}.",
        "没有节点能满足：要求 {ask}；最大的节点是 {best}。",
    ),
    "errors.no_such_hardware.hint": (
        "Ask for less, or use {option:wait_for_hardware} to wait until such a node joins.",
        "请减少要求，或用 {option:wait_for_hardware} 等待这样的节点加入。",
    ),
    "errors.no_node_for_it": ("No node may run this: {ask}.", "没有可以运行它的节点：{ask}。"),
    "errors.no_node_for_it.hint": (
        "See danlu nodes: login nodes take no jobs, and debug and transfer nodes only those that name "
        "them. Allow other nodes, or use {option:wait_for_hardware} to wait until one joins.",
        "请查看 danlu nodes：登录节点不运行任务，调试和传输节点只接受指定它们的任务。请允许使用其他节点，"
        "或用 {option:wait_for_hardware} 等待节点加入。",
    ),
    "errors.no_node_for_it.hint.page": (
        "Login nodes take no jobs, and debug and transfer nodes only those that name them. Allow other "
        "nodes, or use {option:wait_for_hardware} to wait until one joins.",
        "登录节点不运行任务，调试和传输节点只接受指定它们的任务。请允许使用其他节点，或用 "
        "{option:wait_for_hardware} 等待节点加入。",
    ),
    "errors.no_such_directory": (
        "There is no folder {directory} where the job would run.",
        "任务运行的机器上没有文件夹 {directory}。",
    ),
    "errors.no_such_directory.hint": (
        "Create it, or set {option:directory} to another folder. If another job creates it, name that "
        "job with {option:after}: then this is not checked.",
        "请先创建它，或将 {option:directory} 设为其他文件夹；若由前驱任务创建，请用 {option:after} 指明，"
        "届时不作此检查。",
    ),
    "errors.not_a_directory": ("{directory} is not a folder.", "{directory} 不是文件夹。"),
    "errors.not_a_directory.hint": (
        "Set {option:directory} to a folder.",
        "请将 {option:directory} 设为文件夹。",
    ),
    "errors.directory_closed": (
        "The account that the job would run as may not enter {directory}.",
        "任务所用的账号无权进入 {directory}。",
    ),
    "errors.directory_closed.hint": (
        "Change the folder's permissions, or set {option:directory} to another folder.",
        "请修改该文件夹的权限，或将 {option:directory} 设为其他文件夹。",
    ),
    "errors.no_such_environment": (
        "There is no environment {environment} where the job would run.",
        "任务运行的机器上没有环境 {environment}。",
    ),
    "errors.no_such_environment.hint": (
        "Give the name or path of a venv or conda environment (the form for a new job lists them), or "
        "leave out {option:environment}.",
        "请用名称或路径指定 venv 或 conda 环境（新建任务的表单会列出），或去掉 {option:environment}。",
    ),
    "errors.no_such_environment.hint.page": (
        "Choose one from the list, give the path of a venv or conda environment, or leave "
        "{option:environment} empty.",
        "请从列表中选择，填写 venv 或 conda 环境的路径，或将 {option:environment} 留空。",
    ),
    "errors.no_such_program": (
        "There is no program {program} where the job would run.",
        "任务运行的机器上没有程序 {program}。",
    ),
    "errors.no_such_program.hint": (
        "Check the spelling, write its full path, or set {option:environment} to the environment it is "
        "in. If another job creates it, name that job with {option:after}.",
        "请检查拼写、写出完整路径，或将 {option:environment} 设为其所在的环境；若由前驱任务生成，请用 "
        "{option:after} 指明。",
    ),
    "errors.program_not_executable": (
        "The account that the job would run as may not execute {program}.",
        "任务所用的账号无法执行 {program}。",
    ),
    "errors.program_not_executable.hint": (
        "Make it executable (chmod +x), or put its interpreter first: bash {program}.",
        "请加上可执行权限（chmod +x），或在前面写上解释器：bash {program}。",
    ),
    "errors.start_unchecked": (
        "It could not be checked from here whether these exist: {what}.",
        "以下内容无法在此检查是否存在：{what}。",
    ),
    "errors.start_unchecked.hint": (
        "The node looks for them when the job starts.",
        "任务启动时会在其节点上查找。",
    ),
    "errors.no_such_gpu_model": (
        "None of the GPUs it may use is a {model}; there are: {models}.",
        "可用的 GPU 中没有型号 {model}；现有型号：{models}。",
    ),
    "errors.no_such_gpu_model.hint": (
        "Part of the name is enough, in upper or lower case. Or use {option:wait_for_hardware} to wait "
        "until such a GPU joins.",
        "只写型号的一部分即可，不区分大小写；或用 {option:wait_for_hardware} 等待这样的 GPU 加入。",
    ),
    "errors.too_few_such_nodes": (
        "There are too few nodes for this: the job asks for {ask}; only {able} could ever provide that "
        "({names}).",
        "节点不够：要求 {ask}；能满足的只有 {able} 个（{names}）。",
    ),
    "errors.too_few_such_nodes.hint": (
        "Ask for fewer nodes ({option:nodes}) or for less on each of them, or use "
        "{option:wait_for_hardware} to wait until more such nodes join.",
        "请减少节点数（{option:nodes}）或每个节点上的要求，或用 {option:wait_for_hardware} 等待更多这样的"
        "节点加入。",
    ),
    "errors.only_for_cancel": ("{field} is only for cancelling.", "{field} 只用于取消。"),
    "errors.only_for_cancel.hint": ("Leave it out.", "请去掉它。"),
    "errors.only_mixed_nodes": (
        "The job asks for {ask}; {mixed} nodes could provide that, but their GPU models differ: at most "
        "{able} have the same model, and all tasks of a job use the same one.",
        "要求 {ask}；有 {mixed} 个节点能满足，但它们的 GPU 型号不同：型号相同的最多 {able} 个，而一个任务"
        "的所有进程使用同一型号的 GPU。",
    ),
    "errors.only_mixed_nodes.hint": (
        "Ask for fewer nodes ({option:nodes}), or use {option:wait_for_hardware} to wait until more such "
        "nodes join.",
        "请减少节点数（{option:nodes}），或用 {option:wait_for_hardware} 等待更多这样的节点加入。",
    ),
    "errors.node_not_for_jobs": (
        "Node {node} does not take such jobs: it is a {role} node.",
        "节点 {node} 是{role}节点，不接受这样的任务。",
    ),
    "errors.node_not_for_jobs.hint": (
        "Name another node, or none: login nodes take no jobs, transfer nodes only jobs without GPUs.",
        "请改用其他节点，或不指定节点：登录节点不运行任务，传输节点只接受不使用 GPU 的任务。",
    ),
    "errors.no_such_node": ("There is no node called {node}.", "没有名为 {node} 的节点。"),
    "errors.no_such_node.hint": ("The nodes are: {nodes}.", "现有节点：{nodes}。"),
    "errors.node_answers": (
        "Node {node} can be reached; only a lost node can be declared dead.",
        "节点 {node} 可以访问，只有失联的节点才能宣告死亡。",
    ),
    "errors.node_answers.hint": (
        "To end what runs there, cancel its jobs; to start nothing new there, run danlu drain {node}.",
        "如需停止其上的任务，请取消任务；如不再分配任务，请用 danlu drain {node}。",
    ),
    "errors.node_answers.hint.page": (
        "To end what runs there, cancel its jobs; to start nothing new there, drain the node.",
        "如需停止其上的任务，请取消任务；如不再分配任务，请排空该节点。",
    ),
    "errors.no_such_gpu": ("Node {node} has no GPU {gpu}.", "节点 {node} 没有 GPU {gpu}。"),
    "errors.no_such_gpu.hint": ("`danlu gpus` lists them.", "可用 danlu gpus 查看。"),
    "errors.no_such_gpu.hint.page": ("The page of the node lists its GPUs.", "节点页面列出了它的 GPU。"),
    "errors.no_such_predecessor": ("There is no job {job} to wait for.", "没有可等待的任务 {job}。"),
    "errors.no_such_predecessor.hint": (
        "Check the number with danlu ps --all.",
        "请用 danlu ps --all 核对编号。",
    ),
    "errors.no_such_predecessor.hint.page": ("Choose it from the list of jobs.", "请从任务列表中选择。"),
    "errors.dependency_cycle": (
        "Job {job} would wait for itself through its predecessors.",
        "任务 {job} 的前驱关系形成了循环。",
    ),
    "errors.dependency_cycle.hint": ("Leave out one of the predecessors.", "请去掉其中一个前驱。"),
    "errors.reason_not_retryable": ("{reason} cannot be retried.", "{reason} 不能重试。"),
    "errors.reason_not_retryable.hint": ("Possible: {possible}.", "可选：{possible}。"),
    "errors.reserved_variable": ("Danlu sets the variable {name} itself.", "变量 {name} 由 Danlu 设置。"),
    "errors.reserved_variable.hint": (
        "Leave it out; ask for GPUs with {option:gpus} or {option:gpu_ids}.",
        "请去掉它；用 {option:gpus} 或 {option:gpu_ids} 申请 GPU。",
    ),
    "errors.start_too_large": (
        "The command, arguments and variables together are larger than {limit_kb} KB: no process can "
        "start like that.",
        "命令、参数和变量合计超过 {limit_kb} KB，没有进程能这样启动。",
    ),
    "errors.start_too_large.hint": (
        "Put the large part into a file and name the file.",
        "请把大的部分放进文件，再引用该文件。",
    ),
    "errors.word_too_long": (
        "One word of the command line is longer than {limit_kb} KB: Linux cannot start a program with it.",
        "命令行中有一个词超过 {limit_kb} KB，Linux 无法用它启动程序。",
    ),
    "errors.word_too_long.hint": (
        "Put it into a file and name the file, or write the command as a script of several lines.",
        "请把它放进文件再引用该文件，或把命令写成多行脚本。",
    ),
    "errors.no_such_field": ("A job has no field called {name}.", "任务没有名为 {name} 的字段。"),
    "errors.no_such_field.hint": ("Fields that can be cleared: {possible}.", "可清除的字段：{possible}。"),
    "errors.key_reused": (
        "This idempotency key was already used for another job ({job}) with different values.",
        "该幂等键已用于内容不同的任务（{job}）。",
    ),
    "errors.key_reused.hint": ("Use a new key for a new job.", "新任务请使用新的键。"),
    "errors.no_such_job": ("There is no job {job}.", "没有任务 {job}。"),
    "errors.no_such_job.hint": ("danlu ps --all lists jobs.", "可用 danlu ps --all 查看任务。"),
    "errors.no_such_job.hint.page": ("Look for it in the list of jobs.", "请在任务列表中查找。"),
    "errors.not_yours": (
        "Job {job} belongs to {owner}; only its owner or an administrator may do this.",
        "任务 {job} 属于 {owner}，只有其本人或管理员可以操作。",
    ),
    "errors.not_yours.hint": ("Ask {owner} or an administrator.", "请联系 {owner} 或管理员。"),
    "errors.admin_only": ("Only an administrator may do this.", "只有管理员可以这样做。"),
    "errors.admin_only.hint": ("Ask an administrator.", "请联系管理员。"),
    "errors.server_log_closed": (
        "The server's log is for administrators.",
        "服务器日志仅供管理员查看。",
    ),
    "errors.server_log_closed.hint": (
        "An administrator can open it to members: danlu settings --server-log-for-members on.",
        "管理员可以对成员开放：danlu settings --server-log-for-members on。",
    ),
    "errors.server_log_closed.hint.page": (
        "An administrator can open it to members in the settings.",
        "管理员可以在设置中对成员开放。",
    ),
    "errors.attempt_over": (
        "Attempt {attempt} of this job is over: its secret is no longer valid.",
        "该任务的第 {attempt} 次运行已经结束，其凭据不再有效。",
    ),
    "errors.attempt_over.hint": (
        "An ended attempt must not go on: end this process.",
        "已结束的运行不应继续工作，请结束该进程。",
    ),
    "errors.job_secret_elsewhere": (
        "A job's secret is valid only for locks and the key-value store.",
        "任务凭据只能用于锁和键值存储。",
    ),
    "errors.job_secret_elsewhere.hint": (
        "Use your own token for this: danlu login.",
        "请使用您自己的令牌：danlu login。",
    ),
    "errors.lock_held": ("Another holder has lock {name}.", "锁 {name} 正被占用。"),
    "errors.lock_held.hint": (
        "Wait for it, or release it by force: danlu locks release NAME.",
        "请等待它释放，或强制释放：danlu locks release 名称。",
    ),
    "errors.lock_held_by_job": ("Lock {name} is held by job {job}.", "锁 {name} 由任务 {job} 占用。"),
    "errors.lock_held_by_job.hint": (
        "It is free again when the job releases it or ends.",
        "任务释放它或结束后即可使用。",
    ),
    "errors.lock_not_held": (
        "Number {fence} no longer holds lock {name}.",
        "编号 {fence} 不再持有锁 {name}。",
    ),
    "errors.lock_not_held.hint": (
        "It was not renewed in time, or was released by force. Acquire it again.",
        "可能没有及时续期，或已被强制释放。请重新获取。",
    ),
    "errors.no_such_lock": ("There is no lock called {name}.", "没有人占用锁 {name}。"),
    "errors.no_such_lock.hint": (
        "`danlu locks` lists those that are held.",
        "可用 danlu locks 查看被占用的锁。",
    ),
    "errors.not_your_lock": ("This lock belongs to {owner}.", "该锁属于 {owner}。"),
    "errors.not_your_lock.hint": (
        "Only its owner and administrators may release it by force.",
        "只有其所有者和管理员可以强制释放。",
    ),
    "errors.too_many_locks": (
        "You already hold {most} locks, which is the most allowed.",
        "您已持有 {most} 个锁，不能再多。",
    ),
    "errors.too_many_locks.hint": ("Release some first.", "请先释放一些。"),
    "errors.no_such_key": ("There is no key {name}.", "没有键 {name}。"),
    "errors.no_such_key.hint": ("`danlu kv list` shows your keys.", "可用 danlu kv list 查看您的键。"),
    "errors.too_many_keys": (
        "You already have {most} keys, which is the most allowed.",
        "您已有 {most} 个键，不能再多。",
    ),
    "errors.too_many_keys.hint": (
        "Delete some first; put larger things into files.",
        "请先删除一些；较大的内容请存入文件。",
    ),
    "errors.value_too_large": ("A value may have at most {limit_kb} KiB.", "值最大为 {limit_kb} KiB。"),
    "errors.value_too_large.hint": (
        "Put it into a file, and store the file's name here.",
        "请把内容存入文件，在这里保存文件名。",
    ),
    "errors.revision_differs": (
        "Key {name} has changed in the meantime: its revision is {revision}.",
        "键 {name} 已被修改，当前版本为 {revision}。",
    ),
    "errors.revision_differs.hint": (
        "Read it again, and apply your change to that.",
        "请重新读取，再在其基础上修改。",
    ),
    "errors.viewers_only_look": ("Your account can only look.", "您的账号只能查看。"),
    "errors.viewers_only_look.hint": ("Ask an administrator to make you a member.", "请联系管理员改为成员。"),
    "errors.wrong_state": (
        "Job {job} is {state}; this works only while it is {allowed}.",
        "任务 {job} 目前是 {state} 状态，只有在 {allowed} 状态下才能这样做。",
    ),
    "errors.wrong_state.hint": ("danlu show {job} says more.", "可用 danlu show {job} 查看详情。"),
    "errors.wrong_state.hint.page": ("The page of job {job} says more.", "详见任务 {job} 的页面。"),
    "errors.successors_running": (
        "Successors of job {job} are running: {jobs}.",
        "任务 {job} 的后继任务正在运行：{jobs}。",
    ),
    "errors.successors_running.hint": (
        "Say what to do with them: running=leave or running=cancel (danlu delete --with-successors "
        "--running leave|cancel).",
        "请说明如何处理它们：running=leave（保留）或 running=cancel（取消）（danlu delete "
        "--with-successors --running leave|cancel）。",
    ),
    "errors.successors_running.hint.page": (
        "Choose what to do with them: leave them running, or cancel them.",
        "请说明如何处理它们：保留或取消。",
    ),
    "errors.changed_meanwhile": ("Job {job} changed in the meantime.", "任务 {job} 刚刚发生了变化。"),
    "errors.changed_meanwhile.hint": ("Look at it again, then repeat.", "请查看后重试。"),
    "errors.no_such_attempt": ("Job {job} has no attempt {attempt}.", "任务 {job} 没有第 {attempt} 次运行。"),
    "errors.no_such_attempt.hint": ("danlu show {job} lists its attempts.", "可用 danlu show {job} 查看。"),
    "errors.no_such_attempt.hint.page": (
        "The page of job {job} lists its attempts.",
        "任务 {job} 的页面列出了各次运行。",
    ),
    "errors.no_such_rank": (
        "Job {job} has no rank {rank}: the last one is {last}.",
        "任务 {job} 没有 rank {rank}：最后一个是 {last}。",
    ),
    "errors.no_such_rank.hint": (
        "danlu show {job} lists the ranks of each attempt.",
        "可用 danlu show {job} 查看每次运行的各个 rank。",
    ),
    "errors.no_such_rank.hint.page": (
        "The page of job {job} lists the ranks of each attempt.",
        "任务 {job} 的页面列出了每次运行的各个 rank。",
    ),
    "errors.log_out_of_reach": (
        "The log is on node {node}, which does not answer: {path}",
        "日志位于节点 {node}，而该节点没有响应：{path}",
    ),
    "errors.log_out_of_reach.hint": (
        "It can be read again when the node is back; danlu nodes shows how long it has been lost.",
        "节点恢复后即可读取；danlu nodes 可查看它何时失联。",
    ),
    "errors.log_out_of_reach.hint.page": (
        "It can be read again when the node is back; the node's page shows how long it has been lost.",
        "节点恢复后即可读取；节点页面会显示它何时失联。",
    ),
    "errors.no_such_call": (
        "There is no function stored as {digest}, or not any more.",
        "没有存储为 {digest} 的函数（可能已被清理）。",
    ),
    "errors.no_such_call.hint": (
        "Submit it again with client.submit(…); functions are kept for 30 days after their job has ended.",
        "请用 client.submit(…) 重新提交；任务结束 30 天后其函数会被清理。",
    ),
    "errors.too_many_calls": (
        "You have reached the limit for stored functions that no job uses: {most} of them, or {size_mb} MiB.",
        "您已存储而没有任务使用的函数已达上限：{most} 个，或共 {size_mb} MiB。",
    ),
    "errors.too_many_calls.hint": (
        "Submit jobs that use them, or wait: a function that no job uses is removed after a day or two.",
        "请提交使用这些函数的任务，或稍后再试：没有任务使用的函数一两天后会被清理。",
    ),
    "errors.no_result": ("Job {job} has no result.", "任务 {job} 没有返回值。"),
    "errors.no_result.hint": (
        "Only Python functions that ran to the end have one; the log says more: danlu logs {job}",
        "只有运行到结束的 Python 函数才有返回值；详情见日志：danlu logs {job}",
    ),
    "errors.result_not_yet": ("Job {job} has not ended yet.", "任务 {job} 尚未结束。"),
    "errors.result_not_yet.hint": ("Wait for it: danlu logs -f {job}", "请等它结束：danlu logs -f {job}"),
    "errors.result_unreadable": (
        "The result {path} cannot be read: {reason}.",
        "无法读取结果 {path}：{reason}。",
    ),
    "errors.result_unreadable.hint": (
        "Tell an administrator; submit the function again if you need it now.",
        "请告知管理员；如急需，请重新提交该函数。",
    ),
    "errors.log_without_account": (
        "The log {path} cannot be read: the account it belongs to no longer exists.",
        "无法读取日志 {path}：它所属的账号已不存在。",
    ),
    "errors.log_without_account.hint": ("Tell an administrator.", "请告知管理员。"),
    "errors.log_unreadable": ("The log {path} cannot be read: {reason}.", "无法读取日志 {path}：{reason}。"),
    "errors.log_unreadable.hint": (
        "The file must be a plain file that belongs to the job's account.",
        "该文件必须是属于任务账号的普通文件。",
    ),
    "errors.no_search_text": ("There is nothing to search for.", "没有要搜索的内容。"),
    "errors.no_search_text.hint": (
        "Give a text, or kind=error to find the first sign of trouble.",
        "请给出文本，或用 kind=error 查找第一处出错的迹象。",
    ),
    "errors.not_signed_in": ("You are not signed in.", "您尚未登录。"),
    "errors.not_signed_in.hint": (
        "Run danlu login URL, or open a login link.",
        "请用 danlu login URL 或打开登录链接。",
    ),
    "errors.not_signed_in.hint.page": ("Sign in, or open a login link.", "请登录，或打开登录链接。"),
    "errors.wrong_password": ("The user name or password is wrong.", "用户名或密码错误。"),
    "errors.wrong_password.hint": (
        "Check both; an administrator can set a new password.",
        "请核对；管理员可以重设密码。",
    ),
    "errors.link_used": (
        "This login link has already been used, or has expired.",
        "该登录链接已被使用或已过期。",
    ),
    "errors.link_used.hint": (
        "For a new one, start danlu up again, or run danlu login --link on the server.",
        "请重新运行 danlu up，或在服务器上运行 danlu login --link 获取新链接。",
    ),
    "errors.link_used.hint.page": (
        "Make a new one on the account page of a browser that is signed in, or run danlu login --link on "
        "the server.",
        "请在已登录浏览器的账号页面新建一个，或在服务器上运行 danlu login --link。",
    ),
    "errors.account_locked": ("The account {name} is locked.", "账号 {name} 已被锁定。"),
    "errors.account_locked.hint": ("Ask an administrator.", "请联系管理员。"),
    "errors.must_change_password": (
        "Another user set your password; change it first.",
        "您的密码由他人设置，请先修改。",
    ),
    "errors.must_change_password.hint": (
        "Run danlu login, which asks for a new one, or call POST /api/v1/me/password.",
        "请调用 /api/v1/me/password，或通过 danlu login 修改。",
    ),
    "errors.must_change_password.hint.page": ("Choose a new password.", "请设置新密码。"),
    "errors.csrf": ("The change did not come from Danlu's own page.", "该操作并非来自 Danlu 页面。"),
    "errors.csrf.hint": ("Reload the page and try again.", "请刷新页面后重试。"),
    "errors.wrong_host": ("{host} is not an address of this Danlu server.", "本丹炉服务不叫 {host}。"),
    "errors.wrong_host.hint": (
        "Use an address that danlu up printed, or start danlu up with --allowed-host NAME or --url URL; "
        "a proxy must be named with --trusted-proxy.",
        "请使用 danlu up 输出的地址，或在启动时加 --allowed-host 名称 或 --url 地址；经过代理时请用 "
        "--trusted-proxy 指明代理。",
    ),
    "errors.foreign_origin": (
        "The change came from a page of another site ({origin}).",
        "该操作来自其他网站的页面（{origin}）。",
    ),
    "errors.foreign_origin.hint": (
        "If that is Danlu's own page behind a proxy, start danlu up with --url {origin} or --trusted-proxy.",
        "如果那就是代理之后的丹炉页面，请在启动 danlu up 时加 --url {origin} 或 --trusted-proxy。",
    ),
    "errors.too_many_tries": (
        "Too many failed attempts; try again in {wait_s} seconds.",
        "失败次数过多，请在 {wait_s} 秒后重试。",
    ),
    "errors.too_many_tries.hint": ("Wait a little.", "请稍候。"),
    "errors.outlives_token": (
        "It would last longer than the token you are making it with, which expires in {most_s} seconds.",
        "它会比用来创建它的令牌更长久，而该令牌将在 {most_s} 秒后到期。",
    ),
    "errors.outlives_token.hint": (
        "Ask for at most {most_s} seconds, or sign in with your password.",
        "请不要超过 {most_s} 秒，或用密码登录后再创建。",
    ),
    "errors.password_outlives_token": (
        "You cannot set a password with a token that expires.",
        "不能用会到期的令牌设置长期有效的密码。",
    ),
    "errors.password_outlives_token.hint": (
        "Sign in with a login link from danlu up, or with a token that does not expire.",
        "请用 danlu up 给出的登录链接登录，或使用不会到期的令牌。",
    ),
    "errors.rights_changed": (
        "Your permissions changed while this was waiting.",
        "等待期间，您的权限发生了变化。",
    ),
    "errors.rights_changed.hint": ("Try again.", "请重新操作。"),
    "errors.too_many_logins": (
        "Too many people are signing in right now; try again in {wait_s} seconds.",
        "此刻登录的人太多，请在 {wait_s} 秒后重试。",
    ),
    "errors.too_many_logins.hint": ("Wait a little.", "请稍候。"),
    "errors.no_such_user": ("There is no user {name}.", "没有用户 {name}。"),
    "errors.no_such_user.hint": ("Check the name.", "请核对用户名。"),
    "errors.user_exists": ("User {name} already exists.", "用户 {name} 已存在。"),
    "errors.user_exists.hint": ("Choose another name.", "请换一个名字。"),
    "errors.last_admin": ("{name} is the last administrator.", "{name} 是最后一位管理员。"),
    "errors.last_admin.hint": ("Make another user an administrator first.", "请先指定另一位管理员。"),
    "errors.no_such_account": (
        "There is no Unix account {account} here.",
        "本机没有系统账号 {account}。",
    ),
    "errors.no_such_account.hint": ("Create it first, or choose another.", "请先创建，或换一个。"),
    "errors.no_account": (
        "{name} has no Unix account here, and Danlu runs as root: it needs an account to run their jobs.",
        "{name} 没有对应的系统账号；Danlu 以 root 运行，需要一个账号来运行任务。",
    ),
    "errors.no_account.hint": (
        "Ask an administrator to set one (PATCH /api/v1/users/{name}, unix_account).",
        "请联系管理员设置（PATCH /api/v1/users/{name}，unix_account）。",
    ),
    "errors.no_account.hint.page": (
        "Ask an administrator to set a Unix account for {name} on the Users page.",
        "请管理员在用户页面设置 {name} 的系统账号。",
    ),
    "errors.account_unusable": (
        "Jobs of {name} should run as {account}, but this server runs as {own} and is not root: it can "
        "run them only as {own}.",
        "{name} 的任务应以 {account} 身份运行，但本服务以 {own} 身份运行，不是 root：只能以 {own} 运行任务。",
    ),
    "errors.account_unusable.hint": (
        "Ask an administrator to start the server as root, or to set the account to {own} (PATCH "
        "/api/v1/users/{name}, unix_account).",
        "请管理员以 root 身份启动服务，或把账号改为 {own}（PATCH /api/v1/users/{name}，unix_account）。",
    ),
    "errors.account_unusable.hint.page": (
        "Ask an administrator to start the server as root, or to set the Unix account of {name} to {own}.",
        "请管理员以 root 身份启动服务，或把 {name} 的系统账号改为 {own}。",
    ),
    "errors.account_unmappable": (
        "This server runs as {own} and is not root: it cannot run jobs as {account}.",
        "本服务以 {own} 身份运行且不是 root：不能以 {account} 身份运行任务。",
    ),
    "errors.account_unmappable.hint": (
        "Leave unix_account out: every job runs as {own}. To run jobs as other accounts, start the server as "
        "root.",
        "请不填 unix_account：所有任务都以 {own} 身份运行。要以其他账号运行任务，请以 root 身份启动服务。",
    ),
    "errors.account_unmappable.hint.page": (
        "Leave the Unix account empty: every job runs as {own}. To run jobs as other accounts, start the "
        "server as root.",
        "请将系统账号留空：所有任务都以 {own} 身份运行。要以其他账号运行任务，请以 root 身份启动服务。",
    ),
    "errors.root_account": ("Jobs never run as root.", "任务不能以 root 身份运行。"),
    "errors.root_account.hint": ("Choose an ordinary account.", "请选择普通账号。"),
    "errors.no_such_token": ("There is no token {token}.", "没有令牌 {token}。"),
    "errors.no_such_token.hint": ("GET /api/v1/me/tokens lists them.", "可通过 /api/v1/me/tokens 查看。"),
    "errors.no_such_token.hint.page": ("The account page lists them.", "账号页面列出了现有令牌。"),
    "errors.bad_cursor": ("The page marker is not valid.", "分页标记无效。"),
    "errors.bad_cursor.hint": ("Start from the first page.", "请从第一页重新开始。"),
    "errors.no_such_page": ("There is nothing at {path}.", "{path} 不存在。"),
    "errors.no_such_page.hint": (
        "The API is described at /api/v1/openapi.json.",
        "接口说明见 /api/v1/openapi.json。",
    ),
    "errors.no_web_app": ("The web app was not built into this installation.", "此安装中没有构建网页应用。"),
    "errors.no_web_app.hint": (
        "Install the package again, or in a checkout run: python hatch_build.py",
        "请重新安装软件包；在源码目录中可运行：python hatch_build.py",
    ),
    "errors.wrong_method": ("{path} does not accept {method}.", "{path} 不支持 {method}。"),
    "errors.wrong_method.hint": (
        "The API is described at /api/v1/openapi.json.",
        "接口说明见 /api/v1/openapi.json。",
    ),
    "errors.too_large": ("The request is larger than {limit_kb} KB.", "请求超过 {limit_kb} KB。"),
    "errors.too_large.hint": (
        "Put large contents into files, and name the files in the command.",
        "请把大内容放入文件，在命令中引用。",
    ),
    "errors.headers_too_large": (
        "The request's headers are larger than {limit_kb} KB.",
        "请求头超过 {limit_kb} KB。",
    ),
    "errors.headers_too_large.hint": (
        "Send fewer or shorter headers and cookies.",
        "请减少或缩短请求头和 Cookie。",
    ),
    "errors.body_too_slow": (
        "Almost nothing of the request's body arrived within {seconds} seconds.",
        "{seconds} 秒内几乎没有收到请求体。",
    ),
    "errors.body_too_slow.hint": (
        "Send it again over a better connection.",
        "请换用更好的网络连接后重新发送。",
    ),
    "errors.too_many_connections": (
        "The server has reached its limit of connections, in total or from your address.",
        "服务器的连接数已达上限（合计，或来自您的地址）。",
    ),
    "errors.too_many_connections.hint": (
        "Close those you do not need, and try again.",
        "请关闭不需要的连接，然后重试。",
    ),
    "errors.no_such_stream": (
        "This session no longer has that live connection.",
        "该会话已没有这个实时连接。",
    ),
    "errors.no_such_stream.hint": ("Open a new one.", "请重新打开一个连接。"),
    "errors.too_many_channels": (
        "One live connection carries at most {most} channels.",
        "一个实时连接最多同时承载 {most} 项内容。",
    ),
    "errors.too_many_channels.hint": (
        "Close some of the windows that show a log, then try again.",
        "请关闭一些正在显示日志的窗口，然后重试。",
    ),
    "errors.channel_used": (
        "A new channel's number must be larger than those of all earlier channels.",
        "新通道的编号必须大于此前所有通道的编号。",
    ),
    "errors.channel_used.hint": ("Continue counting from the last one.", "请从上一个编号继续递增。"),
    "errors.too_many_streams": (
        "You are already following {most} things: logs, events or downloads.",
        "您已同时跟随 {most} 项内容：日志、事件或下载。",
    ),
    "errors.too_many_streams.hint": (
        "Close some pages or programs that follow logs, then try again.",
        "请关闭一些正在跟随日志的页面或程序，然后重试。",
    ),
    "errors.disk_full": (
        "The disk of the server's data folder is full: {reason}",
        "服务器数据目录所在的磁盘已满：{reason}",
    ),
    "errors.disk_full.hint": (
        "You can still cancel and delete jobs, and deleting frees their logs. New jobs are accepted "
        "again once there is room.",
        "取消和删除任务仍然可用，删除会释放其日志。腾出空间后即可继续提交任务。",
    ),
    "errors.stopped_not_stored": (
        "The disk of the server's data folder is full: the cancellation of job {job} could not be "
        "stored. Its nodes were told to stop it anyway.",
        "服务器数据目录所在的磁盘已满：无法保存任务 {job} 的取消操作。但已通知其节点停止它。",
    ),
    "errors.stopped_not_stored.hint": (
        "Make room on that disk, then cancel the job again if it is still there.",
        "请在该磁盘上腾出空间；如果任务还在，请再次取消。",
    ),
    "errors.storage_failed": ("The change could not be stored: {reason}", "无法保存该改动：{reason}"),
    "errors.storage_failed.hint": (
        "Is the disk of the data folder full? Nothing was changed.",
        "数据目录所在磁盘是否已满？没有做任何改动。",
    ),
    "errors.disk_nearly_full": (
        "The disk of the server's data folder is nearly full: {free_mb} MiB are free. Nothing was stored.",
        "服务数据目录所在磁盘即将写满：仅剩 {free_mb} MiB。没有保存任何内容。",
    ),
    "errors.disk_nearly_full.hint": (
        "Tell an administrator that it needs room. Jobs that are plain commands are still accepted.",
        "请告知管理员清理该磁盘。仍可提交以命令运行的任务。",
    ),
    "errors.database_unreachable": (
        "The database cannot be reached: {reason}",
        "无法连接数据库：{reason}",
    ),
    "errors.database_unreachable.hint": (
        "Danlu continues by itself once the database is back. Your last change may or may not have been "
        "stored: check before you repeat it.",
        "数据库恢复后 Danlu 会自动继续。刚才的改动是否已保存无法确定，请先查看再重试。",
    ),
    "errors.database_taken": (
        "Another Danlu server uses this database: {holder}.",
        "另一个 Danlu 服务正在使用该数据库：{holder}。",
    ),
    "errors.database_moved": (
        "The database of this server was moved to {to}; nothing was changed.",
        "本服务的数据库已搬到 {to}；没有做任何改动。",
    ),
    "errors.database_moved.hint": (
        "Use a server of the new database. An administrator starts this one with danlu up --database and "
        "that address.",
        "请使用新数据库的服务。管理员可用 danlu up --database 指定该地址启动本服务。",
    ),
    "errors.database_unfinished": (
        "Moving the data from {origin} into this server's database was not finished.",
        "从 {origin} 到本服务数据库的搬移没有完成。",
    ),
    "errors.database_unfinished.hint": (
        "An administrator must repeat the interrupted danlu database move or danlu restore.",
        "请管理员重复被中断的 danlu database move 或 danlu restore。",
    ),
    "errors.database_superseded": (
        "The nodes follow a server that uses another copy of this installation (number {fence}), so this "
        "one does nothing; nothing was changed.",
        "节点正跟随本系统另一份副本的服务（编号 {fence}），因此本服务不工作；没有做任何改动。",
    ),
    "errors.database_superseded.hint": (
        "Use the other server. To continue with this copy, an administrator stops the other one and runs "
        "danlu database reinstate here.",
        "请使用另一个服务。如果要用这一份继续，请管理员先停止另一个服务，再在这里运行 danlu database "
        "reinstate。",
    ),
    "errors.not_leading": (
        "This server no longer leads: another has taken over.",
        "本服务已不再是主服务：另一个服务已接管。",
    ),
    "errors.not_leading.hint": (
        "Try again: the request then goes to the leading server.",
        "请重试：请求会转到主服务。",
    ),
    "errors.database_silent": (
        "The database did not answer within {seconds} seconds.",
        "数据库在 {seconds} 秒内没有响应。",
    ),
    "errors.database_silent.hint": (
        "Look at the server's log, and at the database's disk and machine.",
        "请查看服务器日志，并检查数据库所在的磁盘和机器。",
    ),
    "errors.no_leader": ("No server is leading at the moment.", "目前没有主服务。"),
    "errors.no_leader.hint": (
        "Another one takes over within seconds; nothing was changed. Try again.",
        "另一个服务会在数秒内接管；没有做任何改动。请重试。",
    ),
    "errors.leader_unreachable": (
        "This server cannot reach the leading server, {url}; nothing was changed.",
        "本服务无法连接主服务 {url}；没有做任何改动。",
    ),
    "errors.leader_unreachable.hint": (
        "Use that server itself. An administrator starts it with danlu up --host and an address that the "
        "other servers can reach, and opens its port between them.",
        "请直接使用主服务。管理员应以 danlu up --host 指定其他服务能到达的地址启动它，并在各服务之间开放"
        "该端口。",
    ),
    "errors.no_such_lost_server": (
        "There is no lost server {url}.",
        "没有失联的服务 {url}。",
    ),
    "errors.no_such_lost_server.hint": (
        "danlu status lists the lost ones. A server that is up cannot be forgotten: stop it with danlu down.",
        "danlu status 会列出失联的服务。仍在运行的服务不能忘记：请用 danlu down 停止它。",
    ),
    "errors.no_such_lost_server.hint.page": (
        "The Nodes page lists the lost ones. A server that is up cannot be forgotten: stop it with danlu "
        "down.",
        "节点页面会列出失联的服务。仍在运行的服务不能忘记：请用 danlu down 停止它。",
    ),
    "errors.cut_off": (
        "This server cannot reach the database, so it does not know which server leads; nothing was changed.",
        "本服务无法连接数据库，因此不知道哪个服务是主服务；没有做任何改动。",
    ),
    "errors.cut_off.hint": (
        "Use another server of the installation, or try again later: it continues by itself once the "
        "database answers.",
        "请使用本系统的其他服务，或稍后重试：数据库恢复后它会自动继续。",
    ),
    "errors.leader_lost": (
        "The leading server went away before it answered.",
        "主服务在作出回答之前失去了联系。",
    ),
    "errors.leader_lost.hint": (
        "The change may or may not have been stored: check before you repeat it.",
        "改动是否已保存无法确定，请先查看再重试。",
    ),
    "errors.not_passed_on": (
        "This request claims that another server passed it on, but none did.",
        "该请求声称由另一个服务转来，但并非如此。",
    ),
    "errors.not_passed_on.hint": (
        "If it did come from a server of this installation, compare their clocks: they are more than "
        "five minutes apart.",
        "如果它确实来自本系统的服务，请核对两台机器的时钟：相差超过五分钟。",
    ),
    "errors.standing_by": (
        "This server is a standby; the jobs belong to the leading server.",
        "本服务处于待命状态；任务由主服务管理。",
    ),
    "errors.standing_by.hint": (
        "To stop this server alone, run danlu down without --stop-jobs. To stop the jobs, run it where "
        "the leading server runs (danlu status says where).",
        "只停止本服务请运行 danlu down，不加 --stop-jobs。要停止任务，请在主服务所在的机器上执行（danlu "
        "status 会显示其位置）。",
    ),
    "errors.database_taken.hint": (
        "Stop one of the two. Nothing was changed.",
        "请停止其中一个。没有做任何改动。",
    ),
    "errors.backup_running": ("A backup is already being made.", "已有备份正在进行。"),
    "errors.backup_running.hint": ("Try again when it has finished.", "请在其完成后重试。"),
    "errors.no_backup_yet": (
        "No backup has been made since the server started.",
        "服务启动以来还没有做过备份。",
    ),
    "errors.no_backup_yet.hint": ("danlu backup FILE makes one.", "danlu backup 文件 可以做一个备份。"),
    "errors.no_backup_yet.hint.page": ("Make one on the Backups page.", "请在备份页面做一个备份。"),
    "errors.backup_failed": ("The backup could not be made: {reason}", "无法进行备份：{reason}"),
    "errors.backup_failed.hint": (
        "It needs room in the data folder for a copy of the database. Nothing was left behind.",
        "数据目录需要能容纳一份数据库副本的空间。没有留下任何残余。",
    ),
    "errors.stopping": ("The server is stopping.", "服务正在停止。"),
    "errors.stopping.hint": ("Try again when it is up.", "请在服务启动后重试。"),
    "errors.internal": ("Something went wrong inside Danlu (id {id}).", "Danlu 内部出错（编号 {id}）。"),
    "errors.internal.hint": (
        "The server's log has the details under this id.",
        "服务日志中有该编号的详细信息。",
    ),
    # What is wrong with a single value, by the validator's name for it.
    "errors.kind.other": ("this value is not understood here", "不是这里能理解的值"),
    "errors.kind.of_key": ('"{named}": {reason}', "“{named}”：{reason}"),
    "errors.kind.json_invalid": (
        "it is not valid JSON (near character {place})",
        "不是合法的 JSON（第 {place} 个字符附近）",
    ),
    "errors.kind.unreadable": ("it cannot be read", "无法读取"),
    "errors.kind.is_not_blank": ("it must not be empty", "不能为空"),
    "errors.kind.are_different": ("each may be named only once", "不能重复"),
    "errors.kind.is_digest": (
        "it must be what POST /calls returned: 64 hexadecimal digits",
        "必须是 POST /calls 返回的 64 位十六进制数",
    ),
    "errors.kind.missing": ("it is required", "必须填写"),
    "errors.kind.string_type": ("it must be text", "必须是文本"),
    "errors.kind.string_too_long": (
        "at most {max_length} characters",
        "最多 {max_length} 个字符",
    ),
    "errors.kind.string_too_short": (
        "at least {min_length} characters",
        "至少 {min_length} 个字符",
    ),
    "errors.kind.string_unicode": ("it is not valid Unicode text", "不是合法的 Unicode 文本"),
    "errors.kind.too_short": ("at least {min_length} entries", "至少 {min_length} 项"),
    "errors.kind.too_long": ("at most {max_length} entries", "最多 {max_length} 项"),
    "errors.kind.int_type": ("it must be a whole number", "必须是整数"),
    "errors.kind.int_parsing": ("it must be a whole number", "必须是整数"),
    "errors.kind.int_parsing_size": ("the number is too large", "数字过大"),
    "errors.kind.int_from_float": ("it must be a whole number", "必须是整数"),
    "errors.kind.float_type": ("it must be a number", "必须是数字"),
    "errors.kind.float_parsing": ("it must be a number", "必须是数字"),
    "errors.kind.finite_number": ("it must be a finite number", "必须是有限的数字"),
    "errors.kind.bool_type": ("it must be true or false", "必须是 true 或 false"),
    "errors.kind.bool_parsing": ("it must be true or false", "必须是 true 或 false"),
    "errors.kind.list_type": ("it must be a list", "必须是列表"),
    "errors.kind.dict_type": ("it must be an object", "必须是对象"),
    "errors.kind.model_attributes_type": ("it must be an object", "必须是对象"),
    "errors.kind.dataclass_type": ("it must be an object", "必须是对象"),
    "errors.kind.greater_than": ("it must be greater than {gt}", "必须大于 {gt}"),
    "errors.kind.greater_than_equal": ("it must be at least {ge}", "至少为 {ge}"),
    "errors.kind.less_than": ("it must be less than {lt}", "必须小于 {lt}"),
    "errors.kind.less_than_equal": ("it must be at most {le}", "最多为 {le}"),
    "errors.kind.literal_error": ("it must be one of {expected}", "必须是 {expected} 之一"),
    "errors.kind.enum": ("it must be one of {expected}", "必须是 {expected} 之一"),
    "errors.kind.no_control_characters": (
        "it must be one line without control characters",
        "必须是一行，且不含控制字符",
    ),
    "errors.kind.no_nul": ("it must not contain a NUL character", "不能包含 NUL 字符"),
    "errors.kind.is_variable_name": (
        "a variable name may contain only letters, digits and _, and must not begin with a digit",
        "变量名只能包含字母、数字和下划线，且不能以数字开头",
    ),
    "errors.kind.is_user_name": (
        "a name may contain only letters, digits and . _ -, and must not begin with . or -",
        "名字只能包含文字、数字和 . _ -，且不能以 . 或 - 开头",
    ),
    "errors.kind.is_node_name": ("a node name has no spaces and no commas", "节点名不能包含空格和逗号"),
    "errors.kind.is_host": ("it is not the name or address of a machine", "不是合法的主机名或地址"),
    "errors.kind.is_login": ("it is not an account name", "不是合法的账号名"),
}
