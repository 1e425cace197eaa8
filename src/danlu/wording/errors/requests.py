"""What is wrong with a request itself."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.invalid_value": ("{field}: {reason}", "{field}：{reason}"),
    "errors.invalid_value.hint": (
        "Correct this field; nothing was changed.",
        "请修正该字段；没有做任何改动。",
    ),
    "errors.mail_not_sent": (
        "Mail about jobs is not available yet: nothing would be sent.",
        "尚不支持任务邮件通知：不会发送任何邮件。",
    ),
    "errors.mail_not_sent.hint": (
        "Leave out the mail address; the job's page shows when it has ended.",
        "请去掉邮箱地址；任务页面会显示任务何时结束。",
    ),
    "errors.unknown_field": ("There is no field called {field}.", "没有名为 {field} 的字段。"),
    "errors.unknown_field.hint": (
        "See the API reference at /api/v1/openapi.json.",
        "请查看 /api/v1/openapi.json 的接口说明。",
    ),
    "errors.connection_broke": ("The request was cut off before it was complete.", "请求尚未完整就中断了。"),
    "errors.connection_broke.hint": ("Send it again; nothing was changed.", "请重新发送；没有做任何改动。"),
    "errors.bad_request": ("The request could not be understood: {reason}", "无法理解该请求：{reason}"),
    "errors.bad_request.hint": ("Send valid JSON (UTF-8).", "请发送合法的 JSON（UTF-8）。"),
}
