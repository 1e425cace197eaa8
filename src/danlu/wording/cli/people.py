"""What the command line says of users and groups."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "cli.heading.people": ("Users and groups", "用户与分组"),
    "cli.help.users": (
        "List users, add or change them (administrators).",
        "列出、添加或修改用户（管理员）。",
    ),
    "cli.examples.users": (
        "danlu users\ndanlu users add li --group vision\ndanlu users lock li",
        "danlu users\ndanlu users add li --group vision\ndanlu users lock li",
    ),
    "cli.help.users.list": ("List the users.", "列出用户。"),
    "cli.examples.users.list": (
        "danlu users list\ndanlu users list --json",
        "danlu users list\ndanlu users list --json",
    ),
    "cli.help.users.add": (
        "Add a user. The first password is shown once, and must be changed before anything else works.",
        "添加用户。初始密码只显示一次，用户须先修改密码才能进行其他操作。",
    ),
    "cli.examples.users.add": (
        "danlu users add li --group vision --email li@example.com\ndanlu users add zhao --role mentor",
        "danlu users add li --group vision --email li@example.com\ndanlu users add zhao --role mentor",
    ),
    "cli.help.users.set": ("Change a user.", "修改用户。"),
    "cli.examples.users.set": (
        "danlu users set zhao --role mentor\ndanlu users set li --clear group",
        "danlu users set zhao --role mentor\ndanlu users set li --clear group",
    ),
    "cli.help.users.lock": (
        "Lock a user: sessions and tokens end, waiting jobs are held, what runs goes on.",
        "锁定用户：会话和令牌终止，等待中的任务挂起，正在运行的继续。",
    ),
    "cli.examples.users.lock": ("danlu users lock li", "danlu users lock li"),
    "cli.help.users.unlock": ("Lift the lock of a user.", "解除用户锁定。"),
    "cli.examples.users.unlock": ("danlu users unlock li", "danlu users unlock li"),
    "cli.help.users.reset-password": (
        "Give a user a new password, shown once; it must be changed before anything else works. All their "
        "sessions and tokens end.",
        "为用户设置新密码，只显示一次；用户须先修改密码才能进行其他操作。其所有会话和令牌都会终止。",
    ),
    "cli.examples.users.reset-password": (
        "danlu users reset-password li",
        "danlu users reset-password li",
    ),
    "cli.argument.user": ("Name of the user.", "用户名。"),
    "cli.option.user_account": (
        "The Linux account that their jobs run as.",
        "其任务运行所用的 Linux 账号。",
    ),
    "cli.option.user_language": ("Language of messages to them.", "发给该用户的消息所用语言。"),
    "cli.option.user_email": ("Mail address.", "电子邮箱。"),
    "cli.option.user_student_id": ("Student id.", "学号。"),
    "cli.option.user_full_name": ("Full name.", "姓名。"),
    "cli.option.user_group": ("The group they are in.", "所属分组。"),
    "cli.option.user_role": (
        "member, mentor, admin or viewer.",
        "member（成员）、mentor（导师）、admin（管理员）或 viewer（只读用户）。",
    ),
    "cli.option.user_priority": (
        "Priority in balance scheduling; 1 is usual.",
        "均衡调度中的优先级，通常为 1。",
    ),
    "cli.option.user_clear": (
        "Unset these, separated by commas: group, language, unix-account.",
        "清除这些字段，以逗号分隔：group、language、unix-account。",
    ),
    "cli.option.password_stdin": (
        "Read the password from standard input instead of making one.",
        "从标准输入读取密码，而不是自动生成。",
    ),
    "cli.user_added": ("User {name} was added.", "已添加用户 {name}。"),
    "cli.user_changed": ("User {name} was changed.", "已修改用户 {name}。"),
    "cli.user_locked": (
        "User {name} is locked: {waiting} waiting jobs are held, {running} running ones go on.",
        "已锁定用户 {name}：{waiting} 个等待中的任务被挂起，{running} 个运行中的任务继续。",
    ),
    "cli.user_unlocked": ("User {name} is no longer locked.", "已解除用户 {name} 的锁定。"),
    "cli.password_reset": ("{name} has a new password.", "已为 {name} 设置新密码。"),
    "cli.first_password": (
        "Password for {name}, shown this once: {password}",
        "{name} 的密码（仅显示这一次）：{password}",
    ),
    "cli.nothing_to_set": ("Nothing was named that shall change.", "没有指定要修改的内容。"),
    "cli.nothing_to_set.hint": (
        "Name an option, for example --role mentor.",
        "请指定一个选项，例如 --role mentor。",
    ),
    "cli.user_state.locked": ("locked", "已锁定"),
    "cli.user_state.active": ("active", "正常"),
    "cli.column.user_role": ("ROLE", "角色"),
    "cli.column.seen": ("LAST SEEN", "最近活动"),
    "cli.help.groups": ("List groups of users, or change them.", "列出用户分组，或进行修改。"),
    "cli.about.groups": (
        "A group is led by mentors. They see the commands, logs and files of its members' jobs and may "
        "cancel, hold and release them. Administrators make groups; others see those "
        "that they lead or are in.",
        "分组由导师负责。导师可以查看组内成员任务的命令、日志和文件，并可取消、暂停、恢复这些任务。"
        "分组由管理员建立；其他用户只能看到自己负责或所在的分组。",
    ),
    "cli.examples.groups": (
        "danlu groups\ndanlu groups add vision --mentors zhao --members li,wang",
        "danlu groups\ndanlu groups add vision --mentors zhao --members li,wang",
    ),
    "cli.help.groups.list": ("List the groups.", "列出分组。"),
    "cli.examples.groups.list": ("danlu groups list", "danlu groups list"),
    "cli.help.groups.add": ("Make a group (administrators).", "新建分组（管理员）。"),
    "cli.examples.groups.add": (
        "danlu groups add vision --mentors zhao --members li,wang",
        "danlu groups add vision --mentors zhao --members li,wang",
    ),
    "cli.help.groups.set": (
        "Change who leads a group, or its description (administrators).",
        "修改分组的导师或说明（管理员）。",
    ),
    "cli.examples.groups.set": (
        "danlu groups set vision --mentors zhao,sun",
        "danlu groups set vision --mentors zhao,sun",
    ),
    "cli.help.groups.members": (
        "List the members of a group, or change who is in it (administrators).",
        "列出分组成员，或修改成员（管理员）。",
    ),
    "cli.examples.groups.members": (
        "danlu groups members vision\ndanlu groups members vision --add li --remove wang",
        "danlu groups members vision\ndanlu groups members vision --add li --remove wang",
    ),
    "cli.help.groups.remove": (
        "Remove a group; its members are in none then (administrators).",
        "删除分组，其成员不再属于任何分组（管理员）。",
    ),
    "cli.examples.groups.remove": ("danlu groups remove vision", "danlu groups remove vision"),
    "cli.argument.group": ("Name of the group.", "分组名称。"),
    "cli.option.group_description": ("What the group is.", "分组说明。"),
    "cli.option.group_mentors": (
        "The users who lead it, separated by commas. They need the role mentor or admin.",
        "负责该组的用户，以逗号分隔。其角色须为导师或管理员。",
    ),
    "cli.option.group_members": ("The users who are in it.", "组内用户。"),
    "cli.option.group_add": (
        "Put these users into it; who is in another group leaves that.",
        "将这些用户加入该组；原属其他分组的会离开原组。",
    ),
    "cli.option.group_remove": ("Take these users out of it.", "将这些用户移出该组。"),
    "cli.option.in_group": ("Only those of this group's members.", "只看该分组成员的。"),
    "cli.group_added": (
        "Group {name} was made: {mentors} mentors, {members} members.",
        "已建立分组 {name}：{mentors} 位导师，{members} 位成员。",
    ),
    "cli.group_changed": ("Group {name} was changed.", "已修改分组 {name}。"),
    "cli.group_removed": ("Group {name} was removed.", "已删除分组 {name}。"),
    "cli.group_empty": ("Group {name} has no members.", "分组 {name} 没有成员。"),
    "cli.groups_empty": ("There are no groups.", "没有分组。"),
    "cli.no_group_seen": (
        "There is no group {name} that you lead or are in.",
        "没有您负责或所在的分组 {name}。",
    ),
    "cli.no_group_seen.hint": ("See which there are: danlu groups.", "查看有哪些分组：danlu groups。"),
    "cli.column.group": ("GROUP", "分组"),
    "cli.column.mentors": ("MENTORS", "导师"),
    "cli.column.members": ("MEMBERS", "成员数"),
    "cli.column.description": ("DESCRIPTION", "说明"),
    "cli.column.full_name": ("FULL NAME", "姓名"),
    "cli.column.running": ("RUNNING", "运行中"),
    "cli.column.waiting": ("WAITING", "等待中"),
    "cli.column.user": ("USER", "用户"),
}
