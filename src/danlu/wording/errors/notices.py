"""Refusals of notices."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.no_such_notice": ("There is no notice {notice}.", "没有公告 {notice}。"),
    "errors.no_such_notice.hint": (
        "It may have been removed. `danlu notices list` shows those that are for you.",
        "它可能已被删除。可用 danlu notices list 查看公告。",
    ),
    "errors.no_such_notice.hint.page": ("It may have been removed.", "它可能已被删除。"),
    "errors.too_many_notices": (
        "There are {most} notices already, which is the most allowed.",
        "已有 {most} 条公告，不能再多。",
    ),
    "errors.too_many_notices.hint": ("Remove some that are over.", "请先删除一些已结束的公告。"),
    "errors.notice_without_text": ("The notice has no text.", "公告没有正文。"),
    "errors.notice_without_text.hint": (
        "Write it in English, in Chinese, or in both.",
        "请填写英文或中文正文，也可以两者都写。",
    ),
    "errors.notice_ends_before": (
        "The notice would end before it begins.",
        "公告的结束时间早于开始时间。",
    ),
    "errors.notice_ends_before.hint": (
        "Give it a later end, or none.",
        "请改为更晚的结束时间，或不设结束时间。",
    ),
    "errors.public_notice_for_some": (
        "What the sign-in page shows is for all, not for some roles.",
        "登录页上的公告面向所有人，不能只面向部分角色。",
    ),
    "errors.public_notice_for_some.hint": (
        "Leave out the roles, or do not make it public.",
        "请不要限定角色，或不在登录页显示。",
    ),
}
