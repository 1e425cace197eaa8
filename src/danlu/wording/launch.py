"""What `danlu up` and `danlu down` say."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "launch.greeting": (
        """Danlu is running at {url}
  Log in (once, within 15 minutes): {link}
  Data: {data}
  Try: danlu submit -- echo hello   then: danlu ps
  Stop with Ctrl-C or `danlu down`; running jobs keep running.""",
        """丹炉已启动：{url}
  登录链接（一次有效，15 分钟内）：{link}
  数据目录：{data}
  试试：danlu submit -- echo hello   然后：danlu ps
  用 Ctrl-C 或 danlu down 停止；正在运行的任务会继续运行。""",
    ),
    "launch.simulated": (
        "  Simulated: {nodes} node(s) with {gpus} GPU(s) each; jobs really run, the GPUs are not there.",
        "  模拟模式：{nodes} 个节点，每个 {gpus} 块 GPU；任务真实运行，GPU 是虚拟的。",
    ),
    "launch.exposed": (
        "  WARNING: it listens on {host} in plain HTTP: passwords and tokens can be read on the way. "
        "Use it in a network you trust, or behind a proxy with TLS.",
        "  警告：正在 {host} 上以明文 HTTP 监听，密码和令牌可能在途中被窃听。"
        "请只在可信网络中使用，或放在带 TLS 的代理之后。",
    ),
    "launch.status": (
        "● {running} running · {waiting} waiting · {used}/{gpus} GPUs in use · {up}/{nodes} nodes",
        "● 运行 {running} · 等待 {waiting} · GPU {used}/{gpus} · 节点 {up}/{nodes}",
    ),
    "launch.status_paused": (
        "‖ scheduling paused · {running} running · {waiting} waiting · {used}/{gpus} GPUs in use",
        "‖ 调度已暂停 · 运行 {running} · 等待 {waiting} · GPU {used}/{gpus}",
    ),
    "launch.stopped": ("Danlu stopped.", "丹炉已停止。"),
    "launch.stopped_with_jobs": (
        "Danlu stopped. {jobs} job(s) keep running; `danlu up` takes them over again.",
        "丹炉已停止。{jobs} 个任务继续运行；再次运行 danlu up 即可接管。",
    ),
    "launch.already_running": (
        "Danlu is already running on {data}.\nUse `danlu down` first, or another --data folder.",
        "丹炉已在 {data} 上运行。\n请先运行 danlu down，或换一个 --data 目录。",
    ),
    "launch.no_folder": (
        "The data folder {data} cannot be used: {reason}\nChoose another with --data.",
        "无法使用数据目录 {data}：{reason}\n请用 --data 换一个。",
    ),
    "launch.no_port": (
        "Cannot listen on {host} port {port}: {reason}\nChoose another with --host and --port.",
        "无法监听 {host} 端口 {port}：{reason}\n请用 --host 和 --port 换一个。",
    ),
    "launch.cannot_start": (
        "Danlu cannot start: {reason}\nMore is in {log}.",
        "丹炉无法启动：{reason}\n详情见 {log}。",
    ),
    "launch.bad_simulation": (
        "--simulate: {text} is neither a number of GPUs (4) nor nodes x GPUs (3x8).",
        "--simulate：{text} 既不是 GPU 数量（如 4），也不是 节点x GPU（如 3x8）。",
    ),
    "launch.not_running": (
        "Danlu is not running on {data}.",
        "丹炉没有在 {data} 上运行。",
    ),
    "launch.stopping_jobs": (
        "Stopping the running jobs; they go back to the head of the line …",
        "正在停止运行中的任务，它们将回到队首……",
    ),
    "launch.stop_refused": ("The server did not agree: {reason}", "服务拒绝停止：{reason}"),
}
