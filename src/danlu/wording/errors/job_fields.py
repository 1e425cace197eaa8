"""What is wrong with the fields of a job."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
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
}
