"""What the command line says of users and groups."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "cli.heading.people": ("Users and groups", "用户与分组"),
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
