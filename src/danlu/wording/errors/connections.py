"""Pages, bodies, connections and streams."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.bad_cursor": ("The page marker is not valid.", "分页标记无效。"),
    "errors.bad_cursor.hint": ("Start from the first page.", "请从第一页重新开始。"),
    "errors.no_such_page": ("There is nothing at {path}.", "{path} 不存在。"),
    "errors.no_such_page.hint": (
        "The API is described at /api/v1/openapi.json.",
        "接口说明见 /api/v1/openapi.json。",
    ),
    "errors.no_web_app": ("The web app was not built into this installation.", "此安装中没有构建网页应用。"),
    "errors.no_web_app.hint": (
        "Install the package again, or in a checkout run: python hatch_build.py",
        "请重新安装软件包；在源码目录中可运行：python hatch_build.py",
    ),
    "errors.wrong_method": ("{path} does not accept {method}.", "{path} 不支持 {method}。"),
    "errors.wrong_method.hint": (
        "The API is described at /api/v1/openapi.json.",
        "接口说明见 /api/v1/openapi.json。",
    ),
    "errors.too_large": ("The request is larger than {limit_kb} KB.", "请求超过 {limit_kb} KB。"),
    "errors.too_large.hint": (
        "Put large contents into files, and name the files in the command.",
        "请把大内容放入文件，在命令中引用。",
    ),
    "errors.headers_too_large": (
        "The request's headers are larger than {limit_kb} KB.",
        "请求头超过 {limit_kb} KB。",
    ),
    "errors.headers_too_large.hint": (
        "Send fewer or shorter headers and cookies.",
        "请减少或缩短请求头和 Cookie。",
    ),
    "errors.body_too_slow": (
        "Almost nothing of the request's body arrived within {seconds} seconds.",
        "{seconds} 秒内几乎没有收到请求体。",
    ),
    "errors.body_too_slow.hint": (
        "Send it again over a better connection.",
        "请换用更好的网络连接后重新发送。",
    ),
    "errors.too_many_connections": (
        "The server has reached its limit of connections, in total or from your address.",
        "服务器的连接数已达上限（合计，或来自您的地址）。",
    ),
    "errors.too_many_connections.hint": (
        "Close those you do not need, and try again.",
        "请关闭不需要的连接，然后重试。",
    ),
    "errors.no_such_stream": (
        "This session no longer has that live connection.",
        "该会话已没有这个实时连接。",
    ),
    "errors.no_such_stream.hint": ("Open a new one.", "请重新打开一个连接。"),
    "errors.too_many_channels": (
        "One live connection carries at most {most} channels.",
        "一个实时连接最多同时承载 {most} 项内容。",
    ),
    "errors.too_many_channels.hint": (
        "Close some of the windows that show a log, then try again.",
        "请关闭一些正在显示日志的窗口，然后重试。",
    ),
    "errors.channel_used": (
        "A new channel's number must be larger than those of all earlier channels.",
        "新通道的编号必须大于此前所有通道的编号。",
    ),
    "errors.channel_used.hint": ("Continue counting from the last one.", "请从上一个编号继续递增。"),
    "errors.too_many_streams": (
        "You are already following {most} things: logs, events or downloads.",
        "您已同时跟随 {most} 项内容：日志、事件或下载。",
    ),
    "errors.too_many_streams.hint": (
        "Close some pages or programs that follow logs, then try again.",
        "请关闭一些正在跟随日志的页面或程序，然后重试。",
    ),
}
