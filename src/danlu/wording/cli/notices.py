"""Notices on the command line."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "cli.help.notices": (
        "Show the notices of your administrators, or post them (administrators).",
        "查看管理员发布的公告，或发布公告（管理员）。",
    ),
    "cli.examples.notices": (
        "danlu notices list\ndanlu notices add 'The file server is slow today.'",
        "danlu notices list\ndanlu notices add 'The file server is slow today.' --zh '今天文件服务器较慢。'",
    ),
    "cli.help.notices.list": ("Show the notices that are for you now.", "查看当前的公告。"),
    "cli.examples.notices.list": (
        "danlu notices list\ndanlu notices list --all",
        "danlu notices list\ndanlu notices list --all",
    ),
    "cli.help.notices.add": ("Post a notice (administrators).", "发布公告（管理员）。"),
    "cli.about.notices.add": (
        "Users see it at the top of every page, and in the terminal after `danlu ps` and `danlu login`, "
        "until it ends, is removed, or they dismiss it. The text is Markdown. A time is written "
        "2026-11-20 18:00, or as how long from now: 2h.",
        "公告显示在每个页面顶部，并在终端的 danlu ps 和 danlu login 之后显示，直到它结束、被删除或被用户"
        "关闭。"
        "正文使用 Markdown。时间写作 2026-11-20 18:00，或距现在多久，例如 2h。",
    ),
    "cli.examples.notices.add": (
        "danlu notices add 'Maintenance on **Friday**.' --level warning --until '2027-01-08 20:00'\n"
        "danlu notices add 'Quota reports are due.' --for mentor,admin --from 2h",
        "danlu notices add 'Maintenance on **Friday**.' --zh '**周五**维护。' --level warning "
        "--until '2027-01-08 20:00'\n"
        "danlu notices add 'Quota reports are due.' --for mentor,admin --from 2h",
    ),
    "cli.help.notices.edit": ("Change a notice (administrators).", "修改公告（管理员）。"),
    "cli.about.notices.edit": (
        "What is not said stays. Where the words or the level change, users who dismissed the notice see it "
        "again.",
        "未指定的部分保持不变。正文或级别变化后，已关闭该公告的用户会再次看到它。",
    ),
    "cli.examples.notices.edit": (
        "danlu notices edit 3 --level urgent\ndanlu notices edit 3 --until never",
        "danlu notices edit 3 --level urgent\ndanlu notices edit 3 --until never",
    ),
    "cli.help.notices.remove": ("Remove a notice (administrators).", "删除公告（管理员）。"),
    "cli.examples.notices.remove": ("danlu notices remove 3", "danlu notices remove 3"),
    "cli.help.notices.dismiss": ("See a notice no more.", "不再显示某条公告。"),
    "cli.examples.notices.dismiss": ("danlu notices dismiss 3", "danlu notices dismiss 3"),
    "cli.argument.text": (
        "The text, in Markdown; - reads it from standard input.",
        "正文（Markdown）；- 表示从标准输入读取。",
    ),
    "cli.argument.notice": ("Number of the notice.", "公告编号。"),
    "cli.option.all_notices": (
        "Also those that are over or still to come, for whomever they are (administrators).",
        "包括已结束、尚未开始和面向其他人的公告（管理员）。",
    ),
    "cli.option.notice_text": (
        "The new text; - reads it from standard input.",
        "新的正文；- 表示从标准输入读取。",
    ),
    "cli.option.notice_zh": (
        "The text in Chinese, for those who read Chinese.",
        "中文正文，显示给使用中文的用户。",
    ),
    "cli.option.notice_level": ("info (usual), warning or urgent.", "info（默认）、warning 或 urgent。"),
    "cli.option.notice_from": ("When it begins to be shown (usual: at once).", "何时开始显示（默认立即）。"),
    "cli.option.notice_until": (
        "When it ends; never (usual): when it is removed.",
        "何时结束；never（默认）表示直到被删除。",
    ),
    "cli.option.notice_for": (
        "Whom it is for: roles, separated by commas, or all (usual).",
        "面向哪些角色，以逗号分隔；all（默认）为所有人。",
    ),
    "cli.option.notice_public": (
        "Whether the sign-in page shows it too, to all who can reach the server.",
        "登录页是否也显示（任何能访问服务的人都能看到）。",
    ),
    "cli.bad.moment": ("{value} is not a time.", "{value} 不是时间。"),
    "cli.bad.moment.hint": (
        "Write 2026-11-20 18:00, or how long from now: 30m, 2h, 1d.",
        "请写 2026-11-20 18:00，或距现在多久：30m、2h、1d。",
    ),
    "cli.bad.moment_or_never": ("{value} is not a time.", "{value} 不是时间。"),
    "cli.bad.moment_or_never.hint": (
        "Write 2026-11-20 18:00, how long from now (30m, 2h, 1d), or never.",
        "请写 2026-11-20 18:00、距现在多久（30m、2h、1d），或 never。",
    ),
    "cli.no_such_notice": ("There is no notice {notice}.", "没有公告 {notice}。"),
    "cli.no_such_notice.hint": (
        "`danlu notices list --all` shows all.",
        "可用 danlu notices list --all 查看全部公告。",
    ),
    "cli.notice.info": ("Notice", "公告"),
    "cli.notice.warning": ("Warning", "警告"),
    "cli.notice.urgent": ("Urgent", "紧急"),
    "cli.notice.title": (
        "{level} (danlu notices dismiss {notice} hides it)",
        "{level}（danlu notices dismiss {notice} 可关闭）",
    ),
    "cli.notices.empty": ("There are no notices for you.", "没有公告。"),
    "cli.notices.none": (
        "There are no notices. Post one: danlu notices add TEXT",
        "没有公告。发布公告：danlu notices add 正文",
    ),
    "cli.notices.added": ("Notice {notice} is shown from now on.", "公告 {notice} 已发布。"),
    "cli.notices.planned": (
        "Notice {notice} will be shown when its time comes.",
        "公告 {notice} 将按时显示。",
    ),
    "cli.notices.edited": ("Notice {notice} is changed.", "公告 {notice} 已修改。"),
    "cli.notices.removed": ("Notice {notice} is removed.", "公告 {notice} 已删除。"),
    "cli.notices.dismissed": ("Notice {notice} is not shown to you any more.", "不再显示公告 {notice}。"),
    "cli.notices.for_all": ("all", "所有人"),
    "cli.notices.public": ("sign-in page", "登录页"),
    "cli.notices.removed_by_hand": ("removed", "删除为止"),
    "cli.notices.state.shown": ("shown", "显示中"),
    "cli.notices.state.planned": ("planned", "未开始"),
    "cli.notices.state.over": ("over", "已结束"),
    "cli.column.notice": ("NOTICE", "公告"),
    "cli.column.level": ("LEVEL", "级别"),
    "cli.column.from": ("FROM", "开始"),
    "cli.column.until": ("UNTIL", "结束"),
    "cli.column.for": ("FOR", "面向"),
    "cli.column.text": ("TEXT", "正文"),
}
