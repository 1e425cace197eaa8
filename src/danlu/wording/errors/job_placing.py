"""Why a job could start nowhere, or not as it asks: nodes, GPUs, folders, programs."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
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
        "的所有节点任务使用同一型号的 GPU。",
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
}
