"""Commands about the server, its database and accounts."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "cli.help.server-log": (
        "Print the server's own log, or follow it.",
        "输出服务器自身的日志，或持续跟随。",
    ),
    "cli.about.server-log": (
        "For administrators, and for members if the settings allow it. It has the last 5,000 entries; "
        "more is in server.log in the data folder.",
        "供管理员查看；设置允许时成员也可查看。只有最近 5000 条，更早的在数据目录的 server.log 中。",
    ),
    "cli.examples.server-log": (
        "danlu server-log --level warning\ndanlu server-log -f --text keeper",
        "danlu server-log --level warning\ndanlu server-log -f --text keeper",
    ),
    "cli.help.settings": (
        "Show the settings, or change them (administrators).",
        "查看设置，或修改设置（管理员）。",
    ),
    "cli.examples.settings": (
        "danlu settings\ndanlu settings --server-log-for-members on",
        "danlu settings\ndanlu settings --server-log-for-members on",
    ),
    "cli.help.pause": (
        "Start no more jobs; running ones keep running (administrators).",
        "暂停调度：不再启动任务，运行中的不受影响（管理员）。",
    ),
    "cli.examples.pause": ("danlu pause", "danlu pause"),
    "cli.help.resume": ("Start jobs again after a pause (administrators).", "恢复调度（管理员）。"),
    "cli.examples.resume": ("danlu resume", "danlu resume"),
    "cli.help.scheduling": ("Control the scheduler (administrators).", "指挥调度器（管理员）。"),
    "cli.examples.scheduling": ("danlu scheduling pass", "danlu scheduling pass"),
    "cli.help.scheduling.pass": (
        "Run a scheduling pass now (administrators).",
        "立即进行一轮调度（管理员）。",
    ),
    "cli.about.scheduling.pass": (
        "Passes run by themselves whenever something happens. This one looks at everything afresh and "
        "says what it did.",
        "有变化时调度会自动进行；本命令会重新读取全部信息，立即调度一轮并报告结果。",
    ),
    "cli.examples.scheduling.pass": ("danlu scheduling pass", "danlu scheduling pass"),
    "cli.help.backup": (
        "Write a backup of the running server into a file (administrators).",
        "把正在运行的服务备份到文件（管理员）。",
    ),
    "cli.about.backup": (
        "One archive of one moment: users, jobs, history, settings. Also works from another machine. It "
        "holds hashes of passwords and tokens: keep it as safe as those.",
        "归档包含同一时刻的用户、任务、历史和设置，也可以从其他机器上执行。其中有密码和令牌的哈希，请妥善"
        "保管。",
    ),
    "cli.examples.backup": (
        "danlu backup danlu.tar.gz\ndanlu backup danlu.tar.gz --with-logs --force",
        "danlu backup danlu.tar.gz\ndanlu backup danlu.tar.gz --with-logs --force",
    ),
    "cli.help.restore": ("Make a data folder from a backup.", "从备份恢复数据目录。"),
    "cli.about.restore": (
        "The folder must be empty or missing. Jobs that were running when the backup was made are put on "
        "hold: they may still be running where they were.",
        "目录必须为空或不存在。备份时正在运行的任务会被挂起，因为它们可能仍在原处运行。",
    ),
    "cli.examples.restore": (
        "danlu restore danlu.tar.gz --data /srv/danlu\n"
        "danlu restore danlu.tar.gz --data /srv/danlu --database postgresql://danlu@db.lab/danlu",
        "danlu restore danlu.tar.gz --data /srv/danlu\n"
        "danlu restore danlu.tar.gz --data /srv/danlu --database postgresql://danlu@db.lab/danlu",
    ),
    "cli.help.database": (
        "Show where everything is stored, or move it.",
        "查看数据库，或把数据搬到另一个数据库。",
    ),
    "cli.examples.database": (
        "danlu database show\ndanlu database move postgresql://danlu@db.lab/danlu",
        "danlu database show\ndanlu database move postgresql://danlu@db.lab/danlu",
    ),
    "cli.help.database.show": (
        "Show which database is in use, its size and its schema.",
        "显示所用的数据库、大小和结构版本。",
    ),
    "cli.examples.database.show": ("danlu database show", "danlu database show"),
    "cli.help.database.move": (
        "Move everything to another database; the server must be stopped.",
        "把全部数据搬到另一个数据库；须先停止服务。",
    ),
    "cli.about.database.move": (
        "The target must be empty. Every row is compared before the new database is used; until then, "
        "and whatever goes wrong, the old one stays in use. Without a target, DANLU_DATABASE is used: "
        "put a password there, or in ~/.pgpass, not on the command line.",
        "目标必须为空。逐行核对无误后才会启用新数据库；在此之前无论出什么问题，旧数据库一直有效。未给出目"
        "标时使用 DANLU_DATABASE：密码应放在那里或 ~/.pgpass 中，不要写在命令行上。",
    ),
    "cli.examples.database.move": (
        "danlu database move postgresql://danlu@db.lab/danlu\ndanlu database move sqlite",
        "danlu database move postgresql://danlu@db.lab/danlu\ndanlu database move sqlite",
    ),
    "cli.help.database.reinstate": (
        "Use a database again after it was moved away, or after its nodes followed another copy.",
        "重新启用已搬走的数据库，或其节点曾跟随另一份副本的数据库。",
    ),
    "cli.about.database.reinstate": (
        "To undo a move, or to continue with this copy. The server must be stopped, and no server may "
        "keep using the other copy. New jobs get numbers that no copy has used; unfinished jobs are put "
        "on hold, sessions end, and the nodes follow the next server of this database.",
        "用于后悔的搬移，或要让某一份副本继续。须先停止服务，且任何服务都不得再使用另一份副本。新任务的编"
        "号不会与任何副本重复；曾在运行的任务被暂停，登录会话结束，节点将跟随本数据库的下一个服务。",
    ),
    "cli.examples.database.reinstate": (
        "danlu database reinstate\n"
        "danlu database reinstate ~/.local/share/danlu/danlu.db.moved-20260105-101500",
        "danlu database reinstate\n"
        "danlu database reinstate ~/.local/share/danlu/danlu.db.moved-20260105-101500",
    ),
    "cli.help.up": ("Start Danlu on this machine.", "在本机启动丹炉。"),
    "cli.about.up": (
        "Takes over the jobs that are still running from before. Ctrl-C or `danlu down` stops the server "
        "and leaves the jobs running.",
        "会接管之前仍在运行的任务。Ctrl-C 或 danlu down 停止服务，任务继续运行。",
    ),
    "cli.examples.up": (
        "danlu up\ndanlu up --data /srv/danlu --host 0.0.0.0 --port 8642   # for the network, encrypted\n"
        "danlu up --trusted-proxy 127.0.0.1 --url https://gpu.lab/danlu\ndanlu up --simulate 3x8",
        "danlu up\ndanlu up --data /srv/danlu --host 0.0.0.0 --port 8642   # 供局域网使用，自动加密\n"
        "danlu up --trusted-proxy 127.0.0.1 --url https://gpu.lab/danlu\ndanlu up --simulate 3x8",
    ),
    "cli.help.down": ("Stop the server; jobs keep running.", "停止服务；任务继续运行。"),
    "cli.examples.down": ("danlu down\ndanlu down --stop-jobs", "danlu down\ndanlu down --stop-jobs"),
    "cli.help.login": ("Log in to a server on another machine.", "登录其他机器上的服务。"),
    "cli.about.login": (
        "It asks for your password and exchanges it for a token, which is kept in a file that only you "
        "can read. A server whose certificate no authority vouches for is identified by the fingerprint "
        "of its key: compare it once, and from then on nothing is sent to a server with another key. For "
        "several servers, use one --profile each; the last one becomes the default.",
        "登录时会询问密码并换取令牌，令牌保存在只有您可读的文件中。证书没有权威机构担保的服务凭其密钥指纹"
        "辨认：核对一次，此后不会向密钥不同的任何人发送信息。多个服务可各用一个 --profile，最后登录的成为"
        "默认。",
    ),
    "cli.examples.login": (
        "danlu login https://gpu-master:8642\ndanlu login https://lab.edu/danlu --profile lab --user alice\n"
        "danlu login --link   # a fresh link for the browser",
        "danlu login https://gpu-master:8642\ndanlu login https://lab.edu/danlu --profile lab --user alice\n"
        "danlu login --link   # 获取新的浏览器登录链接",
    ),
    "cli.help.status": (
        "Show where the server is, how its identity is checked, and what it is doing.",
        "显示服务的地址、辨认方式和当前状况。",
    ),
    "cli.examples.status": ("danlu status\ndanlu status --json", "danlu status\ndanlu status --json"),
    "cli.help.logout": ("Revoke a profile's token and forget it.", "注销并删除保存的令牌。"),
    "cli.examples.logout": (
        "danlu logout\ndanlu logout --profile lab",
        "danlu logout\ndanlu logout --profile lab",
    ),
    "cli.help.whoami": ("Show who you are, and where.", "显示当前身份和所连接的服务。"),
    "cli.examples.whoami": ("danlu whoami", "danlu whoami"),
    "cli.help.version": ("Show the versions of this program and of the server.", "显示本程序和服务的版本。"),
    "cli.examples.version": ("danlu version", "danlu version"),
}
