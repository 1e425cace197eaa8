"""Moves of a database, restores and archives."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
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
