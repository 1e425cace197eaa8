"""The command that shows who did what."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "cli.help.audit": (
        "Who did what, from where (administrators).",
        "谁在何处做了什么（管理员）。",
    ),
    "cli.about.audit": (
        "Every administrative and every destructive act: sign-ins, tokens, passwords, users, settings, nodes "
        "and GPUs, other users' jobs, deletions, backups. Entries cannot be changed.",
        "所有管理操作和破坏性操作：登录、令牌、密码、用户、设置、节点和 GPU、他人的任务、删除、备份。记录不"
        "可修改。",
    ),
    "cli.examples.audit": (
        "danlu audit\ndanlu audit --user li --since 7d\ndanlu audit --action user --csv > audit.csv",
        "danlu audit\ndanlu audit --user li --since 7d\ndanlu audit --action user --csv > audit.csv",
    ),
    "cli.help.settings.history": (
        "What was changed of the settings, when and by whom (administrators).",
        "谁在何时改了哪些设置（管理员）。",
    ),
    "cli.examples.settings.history": ("danlu settings history", "danlu settings history"),
    "cli.help.settings.undo": (
        "Take back a change of the settings, or the newest one (administrators).",
        "撤销一次设置修改，默认撤销最近一次（管理员）。",
    ),
    "cli.about.settings.undo": (
        "Refused if a setting was changed again since. The undo is a change of its own, which can be undone.",
        "如果之后设置又被改过，则拒绝撤销。撤销本身也是一次修改，可以再撤销。",
    ),
    "cli.examples.settings.undo": (
        "danlu settings undo\ndanlu settings undo 17 --force",
        "danlu settings undo\ndanlu settings undo 17 --force",
    ),
    "cli.argument.change": (
        "Number of the change, as danlu settings history shows it.",
        "修改的编号，见 danlu settings history。",
    ),
    "cli.option.changes_limit": (
        "At most so many changes, the newest (50).",
        "最多显示多少次最近的修改（默认 50）。",
    ),
    "cli.option.undo_force": (
        "Also if a setting was changed again since.",
        "之后设置又被改过也撤销。",
    ),
    "cli.settings_never_changed": ("No setting was changed.", "没有修改过设置。"),
    "cli.setting_undone": ("Change {number} is undone: {change}.", "已撤销修改 {number}：{change}。"),
    "cli.undoes": ("{change} (undoes {number})", "{change}（撤销 {number}）"),
    "cli.column.number": ("NUMBER", "编号"),
    "cli.audit_empty": ("No entries.", "没有记录。"),
    "cli.audit_no_user": ("(unknown)", "（未知）"),
    "cli.option.audit_days": (
        "How many days entries of the audit log are kept; 0: for ever.",
        "审计日志保留多少天；0 表示一直保留。",
    ),
    "cli.option.audit_user": ("Only what this user did.", "只看该用户的操作。"),
    "cli.option.audit_action": (
        "Only this action, such as user.changed, or all that begin with a word, such as user.",
        "只看该操作，例如 user.changed；或某一类操作，例如 user。",
    ),
    "cli.option.audit_object": (
        "Only what was done to this job, node, user, …, or to all of a kind (job, node, user).",
        "只看对该任务、节点、用户等的操作，或对某一类对象（job、node、user）的操作。",
    ),
    "cli.option.audit_limit": (
        "At most so many entries, the newest (50).",
        "最多显示多少条最新的记录（默认 50）。",
    ),
    "cli.option.audit_csv": ("Print all entries as CSV.", "以 CSV 输出全部记录。"),
    "cli.option.since": (
        "From then on: so long ago (7d), a day (2026-11-18) or a time (2026-11-18T09:30).",
        "从何时起：多久以前（7d）、某天（2026-11-18）或某时刻（2026-11-18T09:30）。",
    ),
    "cli.option.until": ("Up to then, given likewise.", "到何时止，写法相同。"),
    "cli.bad.past": ("{value} is not a time.", "{value} 不是时间。"),
    "cli.bad.past.hint": (
        "Write how long ago, as 7d or 12h, a day, as 2026-11-18, or a time, as 2026-11-18T09:30.",
        "请写多久以前（7d、12h）、某天（2026-11-18）或某时刻（2026-11-18T09:30）。",
    ),
    "cli.column.when": ("WHEN", "时间"),
    "cli.column.from": ("FROM", "来源"),
    "cli.column.action": ("ACTION", "操作"),
    "cli.column.object": ("OBJECT", "对象"),
    "cli.column.change": ("CHANGE", "变化"),
}
