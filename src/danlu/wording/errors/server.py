"""The server itself: its disk, its database, who leads, backups."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.no_setting_changes": ("No setting was changed.", "没有修改过设置。"),
    "errors.no_setting_changes.hint": ("There is nothing to undo.", "没有可以撤销的修改。"),
    "errors.no_such_setting_change": (
        "There is no change {change} of the settings.",
        "没有编号为 {change} 的设置修改。",
    ),
    "errors.no_such_setting_change.hint": (
        "danlu settings history lists them.",
        "可用 danlu settings history 查看。",
    ),
    "errors.no_such_setting_change.hint.page": ("The history below lists them.", "见下方的修改记录。"),
    "errors.setting_changed_since": (
        "Since change {change}, these were changed again: {names}.",
        "在修改 {change} 之后，以下设置又被改过：{names}。",
    ),
    "errors.setting_changed_since.hint": (
        "Undo the later change first, or use --force to set them back all the same.",
        "请先撤销之后的修改，或用 --force 强制恢复。",
    ),
    "errors.setting_changed_since.hint.page": (
        "Undo the later change first, or undo this one all the same.",
        "请先撤销之后的修改，或强制撤销。",
    ),
    "errors.nothing_to_undo": (
        "Everything is already as it was before change {change}.",
        "设置已经和修改 {change} 之前一样。",
    ),
    "errors.nothing_to_undo.hint": ("There is nothing to do.", "无需操作。"),
    "errors.setting_gone": (
        "A setting of that change no longer exists: {name}.",
        "该修改中的设置已不存在：{name}。",
    ),
    "errors.setting_gone.hint": ("Set what you want directly.", "请直接设置需要的值。"),
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
}
