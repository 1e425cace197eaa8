"""What went wrong with a request, and the remedy, by error code: `errors.CODE` and `errors.CODE.hint`."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.invalid_value": ("{field}: {reason}", "{field}：{reason}"),
    "errors.invalid_value.hint": (
        "Correct this field; nothing was changed.",
        "请修正该字段；没有做任何改动。",
    ),
    "errors.unknown_field": ("There is no field called {field}.", "没有名为 {field} 的字段。"),
    "errors.unknown_field.hint": (
        "See the API reference at /api/v1/openapi.json.",
        "请查看 /api/v1/openapi.json 的接口说明。",
    ),
    "errors.bad_request": ("The request could not be understood: {reason}", "无法理解该请求：{reason}"),
    "errors.bad_request.hint": ("Send valid JSON (UTF-8).", "请发送合法的 JSON（UTF-8）。"),
    "errors.no_such_example": ("There is no example '{example}'.", "没有名为“{example}”的示例。"),
    "errors.no_such_example.hint": ("There are: {possible}.", "现有示例：{possible}。"),
    "errors.no_command": ("The job has no command.", "任务没有命令。"),
    "errors.no_command.hint": (
        "Say what to run, for example: danlu submit -- python train.py",
        "请给出要运行的命令，例如：danlu submit -- python train.py",
    ),
    "errors.relative_directory": (
        "The working directory must be an absolute path, not {directory}.",
        "工作目录必须是绝对路径，而不是 {directory}。",
    ),
    "errors.relative_directory.hint": ("Write it from the root: /home/…", "请从根目录写起：/home/…"),
    "errors.bad_job_id": (
        "'{job}' is no job: a job is a number, 12, and a task of an array 12[3].",
        "“{job}”不是任务编号：任务写作 12，数组中的子任务写作 12[3]。",
    ),
    "errors.bad_job_id.hint": ("danlu ps lists jobs.", "可用 danlu ps 查看任务。"),
    "errors.bad_array": (
        "'{array}' is no array.",
        "“{array}”不是有效的数组写法。",
    ),
    "errors.bad_array.hint": (
        "Write indices and ranges, and perhaps how many run at a time: 0-99, 1,3,5-9, 0-100:10, 0-99%10. "
        "Up to {most} tasks, indices up to {largest}.",
        "请写下标和范围，可加同时运行上限：0-99、1,3,5-9、0-100:10、0-99%10。"
        "最多 {most} 个子任务，下标不超过 {largest}。",
    ),
    "errors.array_has_run": (
        "Job {job} has run: it does not become an array.",
        "任务 {job} 已经运行过，不能再变成数组。",
    ),
    "errors.array_has_run.hint": (
        "Submit an array of its own: danlu submit --array.",
        "请另行提交数组：danlu submit --array。",
    ),
    "errors.array_begun": (
        "Array {job} has begun: it cannot be edited any more.",
        "数组 {job} 已经开始运行，不能再修改。",
    ),
    "errors.array_begun.hint": (
        "Cancel what is left of it (danlu cancel {job}), and submit a copy: danlu resubmit {job}.",
        "可取消剩余部分（danlu cancel {job}），再提交副本：danlu resubmit {job}。",
    ),
    "errors.too_many_predecessors": (
        "The jobs of this request name more than {most} predecessors together.",
        "此请求中的任务合计指定了超过 {most} 个前驱。",
    ),
    "errors.too_many_predecessors.hint": (
        "Submit them in several requests, or let them wait for one job that waits for the others.",
        "请分多次提交，或让它们等待同一个任务，再由该任务等待其他任务。",
    ),
    "errors.task_of_array": (
        "{job} is one task of array {array}; this concerns the array as a whole.",
        "{job} 是数组 {array} 的一个子任务，此操作只能针对整个数组。",
    ),
    "errors.task_of_array.hint": (
        "Name the array: {array}. A single task can be cancelled, and its log read.",
        "请使用数组编号 {array}。单个子任务可以取消，也可以查看日志。",
    ),
    "errors.array_has_no_log": (
        "Job {job} is an array: each of its tasks has a log of its own.",
        "任务 {job} 是数组，每个子任务有各自的日志。",
    ),
    "errors.array_has_no_log.hint": (
        "Name a task of it, for example {job}[0]; danlu tasks {job} lists them.",
        "请指定其中一个子任务，例如 {job}[0]；danlu tasks {job} 可列出全部子任务。",
    ),
    "errors.no_array": ("Job {job} is no array.", "任务 {job} 不是数组。"),
    "errors.no_array.hint": (
        "Only a job submitted with --array has tasks; danlu show {job} shows this one.",
        "只有用 --array 提交的任务才有子任务；本任务可用 danlu show {job} 查看。",
    ),
    "errors.share_or_not": (
        "A job cannot share a GPU and have it to itself.",
        "任务不能既共享 GPU 又独占 GPU。",
    ),
    "errors.share_or_not.hint": (
        "Give either --share or --no-sharing.",
        "--share 与 --no-sharing 请只选其一。",
    ),
    "errors.gpu_memory_without_gpus": (
        "It asks for GPU memory, but for no GPU.",
        "要求了显存，却没有要求 GPU。",
    ),
    "errors.gpu_memory_without_gpus.hint": (
        "Add --gpus 1, or --share to join one that others use.",
        "请加上 --gpus 1，或用 --share 与他人共用一块。",
    ),
    "errors.no_such_hardware": (
        "No node can ever satisfy this: it asks for {ask}; the largest node is {best}.",
        "没有节点能满足：要求 {ask}；最大的节点是 {best}。",
    ),
    "errors.no_such_hardware.hint": (
        "Ask for less, or add --wait-for-hardware to wait until such a node joins.",
        "请减少要求，或加上 --wait-for-hardware 等待这样的节点加入。",
    ),
    "errors.no_such_node": ("There is no node called {node}.", "没有名为 {node} 的节点。"),
    "errors.no_such_node.hint": ("`danlu nodes` lists them: {nodes}.", "可用 danlu nodes 查看：{nodes}。"),
    "errors.no_such_gpu": ("Node {node} has no GPU {gpu}.", "节点 {node} 没有 GPU {gpu}。"),
    "errors.no_such_gpu.hint": ("`danlu gpus` lists them.", "可用 danlu gpus 查看。"),
    "errors.no_such_predecessor": ("There is no job {job} to wait for.", "没有可等待的任务 {job}。"),
    "errors.no_such_predecessor.hint": (
        "Check the id with danlu ps --all.",
        "请用 danlu ps --all 核对编号。",
    ),
    "errors.dependency_cycle": (
        "Job {job} would wait for itself through its predecessors.",
        "任务 {job} 的前驱关系形成了循环。",
    ),
    "errors.dependency_cycle.hint": ("Leave out one of the predecessors.", "请去掉其中一个前驱。"),
    "errors.reason_not_retryable": ("{reason} cannot be retried.", "{reason} 不能重试。"),
    "errors.reason_not_retryable.hint": ("Possible: {possible}.", "可选：{possible}。"),
    "errors.reserved_variable": (
        "The variable {name} is set by Danlu itself.",
        "变量 {name} 由 Danlu 设置。",
    ),
    "errors.reserved_variable.hint": (
        "Leave it out; ask for GPUs with --gpus or --gpu-ids.",
        "请去掉它；用 --gpus 或 --gpu-ids 申请 GPU。",
    ),
    "errors.start_too_large": (
        "Command, arguments and variables together are larger than {limit_kb} KB: no process can start so.",
        "命令、参数和变量合计超过 {limit_kb} KB，没有进程能这样启动。",
    ),
    "errors.start_too_large.hint": (
        "Put the large part into a file and name the file.",
        "请把大的部分放进文件，再引用该文件。",
    ),
    "errors.no_such_field": ("A job has no field called {name}.", "任务没有名为 {name} 的字段。"),
    "errors.no_such_field.hint": ("Fields that can be set back: {possible}.", "可清除的字段：{possible}。"),
    "errors.key_reused": (
        "This idempotency key was used for another job ({job}) with other values.",
        "该幂等键已用于内容不同的任务（{job}）。",
    ),
    "errors.key_reused.hint": ("Use a new key for a new job.", "新任务请使用新的键。"),
    "errors.no_such_job": ("There is no job {job}.", "没有任务 {job}。"),
    "errors.no_such_job.hint": ("danlu ps --all lists jobs.", "可用 danlu ps --all 查看任务。"),
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
    "errors.viewers_only_look": ("Your account may only look.", "您的账户只能查看。"),
    "errors.viewers_only_look.hint": (
        "Ask an administrator for the role member.",
        "请联系管理员改为成员。",
    ),
    "errors.wrong_state": (
        "Job {job} is {state}; this works only while it is {allowed}.",
        "任务 {job} 目前是 {state} 状态，只有在 {allowed} 状态下才能这样做。",
    ),
    "errors.wrong_state.hint": ("danlu show {job} tells more.", "可用 danlu show {job} 查看详情。"),
    "errors.successors_running": (
        "Successors of job {job} are running: {jobs}.",
        "任务 {job} 的后继任务正在运行：{jobs}。",
    ),
    "errors.successors_running.hint": (
        "Say what shall become of them: running=leave or running=cancel "
        "(danlu delete --with-successors --running leave|cancel).",
        "请说明如何处理它们：running=leave（保留）或 running=cancel（取消）"
        "（danlu delete --with-successors --running leave|cancel）。",
    ),
    "errors.changed_meanwhile": (
        "Job {job} changed while you were at it.",
        "任务 {job} 刚刚发生了变化。",
    ),
    "errors.changed_meanwhile.hint": ("Look at it again and repeat.", "请查看后重试。"),
    "errors.no_such_attempt": ("Job {job} has no attempt {attempt}.", "任务 {job} 没有第 {attempt} 次运行。"),
    "errors.no_such_attempt.hint": ("danlu show {job} lists its attempts.", "可用 danlu show {job} 查看。"),
    "errors.no_such_call": (
        "There is no function stored as {digest} (any more).",
        "没有存储为 {digest} 的函数（可能已被清理）。",
    ),
    "errors.no_such_call.hint": (
        "Submit it anew with client.submit(…); calls are kept for 30 days after their job ended.",
        "请用 client.submit(…) 重新提交；任务结束 30 天后其函数会被清理。",
    ),
    "errors.too_many_calls": (
        "You have stored all that you may in functions that no job runs: {most} of them, or {size_mb} MiB.",
        "您已存储而没有任务使用的函数已达上限：{most} 个，或共 {size_mb} MiB。",
    ),
    "errors.too_many_calls.hint": (
        "Submit jobs that run them, or wait: a function that no job runs is removed after a day or two.",
        "请提交使用这些函数的任务，或稍后再试：没有任务使用的函数一两天后会被清理。",
    ),
    "errors.no_result": ("Job {job} has no result.", "任务 {job} 没有返回值。"),
    "errors.no_result.hint": (
        "Only Python functions that came to their end have one; its log says more: danlu logs {job}",
        "只有运行到结束的 Python 函数才有返回值；详情见日志：danlu logs {job}",
    ),
    "errors.result_not_yet": ("Job {job} has not come to its end yet.", "任务 {job} 尚未结束。"),
    "errors.result_not_yet.hint": ("Wait for it: danlu logs -f {job}", "请等它结束：danlu logs -f {job}"),
    "errors.result_unreadable": (
        "The result {path} cannot be read: {reason}.",
        "无法读取结果 {path}：{reason}。",
    ),
    "errors.result_unreadable.hint": (
        "Tell an administrator; submit the function again if you need it now.",
        "请告知管理员；如急需，请重新提交该函数。",
    ),
    "errors.log_unreadable": ("The log {path} cannot be read: {reason}.", "无法读取日志 {path}：{reason}。"),
    "errors.log_unreadable.hint": (
        "The file must be a plain file that belongs to the job's account.",
        "该文件必须是属于任务账户的普通文件。",
    ),
    "errors.no_search_text": ("There is nothing to search for.", "没有要搜索的内容。"),
    "errors.no_search_text.hint": (
        "Give a text, or kind=error to find the first sign of trouble.",
        "请给出文本，或用 kind=error 查找第一处出错的迹象。",
    ),
    "errors.not_signed_in": ("You are not signed in.", "您尚未登录。"),
    "errors.not_signed_in.hint": (
        "danlu login URL, or open the login link.",
        "请用 danlu login URL 或打开登录链接。",
    ),
    "errors.wrong_password": ("The name or the password is wrong.", "用户名或密码错误。"),
    "errors.wrong_password.hint": (
        "Check both; an administrator can set a new password.",
        "请核对；管理员可以重设密码。",
    ),
    "errors.link_used": (
        "This login link was used already or is too old.",
        "该登录链接已被使用或已过期。",
    ),
    "errors.link_used.hint": (
        "Start `danlu up` again, or run `danlu login --link` on the server, for a new one.",
        "请重新运行 danlu up，或在服务器上运行 danlu login --link 获取新链接。",
    ),
    "errors.account_locked": ("The account {name} is locked.", "账户 {name} 已被锁定。"),
    "errors.account_locked.hint": ("Ask an administrator.", "请联系管理员。"),
    "errors.must_change_password": (
        "Your password was set by somebody else; change it first.",
        "您的密码由他人设置，请先修改。",
    ),
    "errors.must_change_password.hint": (
        "POST /api/v1/me/password, or danlu login asks for a new one.",
        "请调用 /api/v1/me/password，或通过 danlu login 修改。",
    ),
    "errors.csrf": ("The change did not come from Danlu's own page.", "该操作并非来自 Danlu 页面。"),
    "errors.csrf.hint": ("Reload the page and try again.", "请刷新页面后重试。"),
    "errors.wrong_host": (
        "This Danlu server is not called {host}.",
        "本丹炉服务不叫 {host}。",
    ),
    "errors.wrong_host.hint": (
        "Use an address that danlu up printed, or start it with --allowed-host NAME or --url URL; a proxy "
        "must be named with --trusted-proxy.",
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
        "Too many failed tries; come back in {wait_s} seconds.",
        "失败次数过多，请在 {wait_s} 秒后重试。",
    ),
    "errors.too_many_tries.hint": ("Wait a little.", "请稍候。"),
    "errors.no_such_user": ("There is no user {name}.", "没有用户 {name}。"),
    "errors.no_such_user.hint": ("Check the name.", "请核对用户名。"),
    "errors.user_exists": ("There is a user {name} already.", "用户 {name} 已存在。"),
    "errors.user_exists.hint": ("Choose another name.", "请换一个名字。"),
    "errors.last_admin": ("{name} is the last administrator.", "{name} 是最后一位管理员。"),
    "errors.last_admin.hint": ("Make somebody else an administrator first.", "请先指定另一位管理员。"),
    "errors.no_such_account": (
        "There is no Unix account {account} here.",
        "本机没有系统账户 {account}。",
    ),
    "errors.no_such_account.hint": ("Create it first, or choose another.", "请先创建，或换一个。"),
    "errors.no_account": (
        "{name} has no Unix account here, and Danlu runs as root: it needs one to run jobs as.",
        "{name} 没有对应的系统账户；Danlu 以 root 运行，需要一个账户来运行任务。",
    ),
    "errors.no_account.hint": (
        "Ask an administrator to map one (PATCH /api/v1/users/{name}, unix_account).",
        "请联系管理员设置（PATCH /api/v1/users/{name}，unix_account）。",
    ),
    "errors.root_account": ("Jobs never run as root.", "任务不能以 root 身份运行。"),
    "errors.root_account.hint": ("Choose an ordinary account.", "请选择普通账户。"),
    "errors.no_such_token": ("There is no token {token}.", "没有令牌 {token}。"),
    "errors.no_such_token.hint": ("GET /api/v1/me/tokens lists them.", "可通过 /api/v1/me/tokens 查看。"),
    "errors.bad_cursor": ("The page marker is not one of ours.", "分页标记无效。"),
    "errors.bad_cursor.hint": ("Start again from the first page.", "请从第一页重新开始。"),
    "errors.no_such_page": ("There is nothing at {path}.", "{path} 不存在。"),
    "errors.no_such_page.hint": (
        "The API is described at /api/v1/openapi.json.",
        "接口说明见 /api/v1/openapi.json。",
    ),
    "errors.no_web_app": (
        "The web app has not been built into this installation.",
        "此安装中没有构建网页应用。",
    ),
    "errors.no_web_app.hint": (
        "Install the package again, or in a checkout run: python hatch_build.py",
        "请重新安装软件包；在源码目录中可运行：python hatch_build.py",
    ),
    "errors.wrong_method": ("{path} does not take {method}.", "{path} 不支持 {method}。"),
    "errors.wrong_method.hint": (
        "The API is described at /api/v1/openapi.json.",
        "接口说明见 /api/v1/openapi.json。",
    ),
    "errors.too_large": ("The request is larger than {limit_kb} KB.", "请求超过 {limit_kb} KB。"),
    "errors.too_large.hint": (
        "Put large things into files and name those in the command.",
        "请把大内容放入文件，在命令中引用。",
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
        "Tell an administrator: room must be made on it. Jobs that are commands are still taken.",
        "请告知管理员清理该磁盘。仍可提交以命令运行的任务。",
    ),
    "errors.database_unreachable": (
        "The database cannot be reached: {reason}",
        "无法连接数据库：{reason}",
    ),
    "errors.database_unreachable.hint": (
        "Danlu goes on by itself once it is back. Whether a change made just now was stored is not known: "
        "look before you repeat it.",
        "数据库恢复后 Danlu 会自动继续。刚才的改动是否已保存无法确定，请先查看再重试。",
    ),
    "errors.database_taken": (
        "Another Danlu server uses this database: {holder}.",
        "另一个 Danlu 服务正在使用该数据库：{holder}。",
    ),
    "errors.database_taken.hint": (
        "Stop one of the two. Nothing was changed.",
        "请停止其中一个。没有做任何改动。",
    ),
    "errors.backup_running": ("A backup is being made already.", "已有备份正在进行。"),
    "errors.backup_running.hint": ("Try again when it is done.", "请在其完成后重试。"),
    "errors.backup_failed": ("The backup could not be made: {reason}", "无法进行备份：{reason}"),
    "errors.backup_failed.hint": (
        "It needs room in the data folder for a copy of the database. Nothing is left behind.",
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
    "errors.kind.too_long": ("at most {max_length} entries", "最多 {max_length} 项"),
    "errors.kind.int_type": ("it must be a whole number", "必须是整数"),
    "errors.kind.int_parsing": ("it must be a whole number", "必须是整数"),
    "errors.kind.int_from_float": ("it must be a whole number", "必须是整数"),
    "errors.kind.float_type": ("it must be a number", "必须是数字"),
    "errors.kind.float_parsing": ("it must be a number", "必须是数字"),
    "errors.kind.finite_number": ("it must be a finite number", "必须是有限的数字"),
    "errors.kind.bool_type": ("it must be true or false", "必须是 true 或 false"),
    "errors.kind.bool_parsing": ("it must be true or false", "必须是 true 或 false"),
    "errors.kind.list_type": ("it must be a list", "必须是列表"),
    "errors.kind.dict_type": ("it must be an object", "必须是对象"),
    "errors.kind.dataclass_type": ("it must be an object", "必须是对象"),
    "errors.kind.greater_than": ("it must be greater than {gt}", "必须大于 {gt}"),
    "errors.kind.greater_than_equal": ("it must be at least {ge}", "至少为 {ge}"),
    "errors.kind.less_than_equal": ("it must be at most {le}", "最多为 {le}"),
    "errors.kind.literal_error": ("it must be one of {expected}", "必须是 {expected} 之一"),
    "errors.kind.enum": ("it must be one of {expected}", "必须是 {expected} 之一"),
    "errors.kind.no_control_characters": (
        "it must be one line without control characters",
        "必须是一行，且不含控制字符",
    ),
    "errors.kind.no_nul": ("it must not contain a NUL character", "不能包含 NUL 字符"),
    "errors.kind.is_variable_name": (
        "a variable's name has letters, digits and _ only, and no digit first",
        "变量名只能包含字母、数字和下划线，且不能以数字开头",
    ),
    "errors.kind.is_user_name": (
        "a name has letters, digits and . _ - only, not starting with . or -",
        "名字只能包含文字、数字和 . _ -，且不能以 . 或 - 开头",
    ),
    "errors.kind.is_mail_address": ("it is not a mail address", "不是合法的邮件地址"),
}
