"""Who is asking: sessions, passwords, tokens, users and Unix accounts."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.not_signed_in": ("You are not signed in.", "您尚未登录。"),
    "errors.not_signed_in.hint": (
        "Run danlu login URL, or open a login link.",
        "请用 danlu login URL 或打开登录链接。",
    ),
    "errors.not_signed_in.hint.page": ("Sign in, or open a login link.", "请登录，或打开登录链接。"),
    "errors.wrong_password": ("The user name or password is wrong.", "用户名或密码错误。"),
    "errors.wrong_password.hint": (
        "Check both; an administrator can set a new password.",
        "请核对；管理员可以重设密码。",
    ),
    "errors.link_used": (
        "This login link has already been used, or has expired.",
        "该登录链接已被使用或已过期。",
    ),
    "errors.link_used.hint": (
        "For a new one, start danlu up again, or run danlu login --link on the server.",
        "请重新运行 danlu up，或在服务器上运行 danlu login --link 获取新链接。",
    ),
    "errors.link_used.hint.page": (
        "Make a new one on the account page of a browser that is signed in, or run danlu login --link on "
        "the server.",
        "请在已登录浏览器的账号页面新建一个，或在服务器上运行 danlu login --link。",
    ),
    "errors.account_locked": ("The account {name} is locked.", "账号 {name} 已被锁定。"),
    "errors.account_locked.hint": ("Ask an administrator.", "请联系管理员。"),
    "errors.must_change_password": (
        "Another user set your password; change it first.",
        "您的密码由他人设置，请先修改。",
    ),
    "errors.must_change_password.hint": (
        "Run danlu login, which asks for a new one, or call POST /api/v1/me/password.",
        "请调用 /api/v1/me/password，或通过 danlu login 修改。",
    ),
    "errors.must_change_password.hint.page": ("Choose a new password.", "请设置新密码。"),
    "errors.csrf": ("The change did not come from Danlu's own page.", "该操作并非来自 Danlu 页面。"),
    "errors.csrf.hint": ("Reload the page and try again.", "请刷新页面后重试。"),
    "errors.wrong_host": ("{host} is not an address of this Danlu server.", "本丹炉服务不叫 {host}。"),
    "errors.wrong_host.hint": (
        "Use an address that danlu up printed, or start danlu up with --allowed-host NAME or --url URL; "
        "a proxy must be named with --trusted-proxy.",
        "请使用 danlu up 输出的地址，或在启动时加 --allowed-host 名称 或 --url 地址；经过代理时请用 "
        "--trusted-proxy 指明代理。",
    ),
    "errors.foreign_origin": (
        "The change came from a page of another site ({origin}).",
        "该操作来自其他网站的页面（{origin}）。",
    ),
    "errors.foreign_origin.hint": (
        "If that is Danlu's own page behind a proxy, start danlu up with --url {origin} or --trusted-proxy.",
        "如果那就是代理之后的丹炉页面，请在启动 danlu up 时加 --url {origin} 或 --trusted-proxy。",
    ),
    "errors.too_many_tries": (
        "Too many failed attempts; try again in {wait_s} seconds.",
        "失败次数过多，请在 {wait_s} 秒后重试。",
    ),
    "errors.too_many_tries.hint": ("Wait a little.", "请稍候。"),
    "errors.outlives_token": (
        "It would last longer than the token you are making it with, which expires in {most_s} seconds.",
        "它会比用来创建它的令牌更长久，而该令牌将在 {most_s} 秒后到期。",
    ),
    "errors.outlives_token.hint": (
        "Ask for at most {most_s} seconds, or sign in with your password.",
        "请不要超过 {most_s} 秒，或用密码登录后再创建。",
    ),
    "errors.password_outlives_token": (
        "You cannot set a password with a token that expires.",
        "不能用会到期的令牌设置长期有效的密码。",
    ),
    "errors.password_outlives_token.hint": (
        "Sign in with a login link from danlu up, or with a token that does not expire.",
        "请用 danlu up 给出的登录链接登录，或使用不会到期的令牌。",
    ),
    "errors.rights_changed": (
        "Your permissions changed while this was waiting.",
        "等待期间，您的权限发生了变化。",
    ),
    "errors.rights_changed.hint": ("Try again.", "请重新操作。"),
    "errors.too_many_logins": (
        "Too many people are signing in right now; try again in {wait_s} seconds.",
        "此刻登录的人太多，请在 {wait_s} 秒后重试。",
    ),
    "errors.too_many_logins.hint": ("Wait a little.", "请稍候。"),
    "errors.no_such_user": ("There is no user {name}.", "没有用户 {name}。"),
    "errors.no_such_user.hint": ("Check the name.", "请核对用户名。"),
    "errors.user_exists": ("User {name} already exists.", "用户 {name} 已存在。"),
    "errors.user_exists.hint": ("Choose another name.", "请换一个名字。"),
    "errors.last_admin": ("{name} is the last administrator.", "{name} 是最后一位管理员。"),
    "errors.last_admin.hint": ("Make another user an administrator first.", "请先指定另一位管理员。"),
    "errors.no_such_account": (
        "There is no Unix account {account} here.",
        "本机没有系统账号 {account}。",
    ),
    "errors.no_such_account.hint": ("Create it first, or choose another.", "请先创建，或换一个。"),
    "errors.no_account": (
        "{name} has no Unix account here, and Danlu runs as root: it needs an account to run their jobs.",
        "{name} 没有对应的系统账号；Danlu 以 root 运行，需要一个账号来运行任务。",
    ),
    "errors.no_account.hint": (
        "Ask an administrator to set one (PATCH /api/v1/users/{name}, unix_account).",
        "请联系管理员设置（PATCH /api/v1/users/{name}，unix_account）。",
    ),
    "errors.no_account.hint.page": (
        "Ask an administrator to set a Unix account for {name} on the Users page.",
        "请管理员在用户页面设置 {name} 的系统账号。",
    ),
    "errors.account_unusable": (
        "Jobs of {name} should run as {account}, but this server runs as {own} and is not root: it can "
        "run them only as {own}.",
        "{name} 的任务应以 {account} 身份运行，但本服务以 {own} 身份运行，不是 root：只能以 {own} 运行任务。",
    ),
    "errors.account_unusable.hint": (
        "Ask an administrator to start the server as root, or to set the account to {own} (PATCH "
        "/api/v1/users/{name}, unix_account).",
        "请管理员以 root 身份启动服务，或把账号改为 {own}（PATCH /api/v1/users/{name}，unix_account）。",
    ),
    "errors.account_unusable.hint.page": (
        "Ask an administrator to start the server as root, or to set the Unix account of {name} to {own}.",
        "请管理员以 root 身份启动服务，或把 {name} 的系统账号改为 {own}。",
    ),
    "errors.account_unmappable": (
        "This server runs as {own} and is not root: it cannot run jobs as {account}.",
        "本服务以 {own} 身份运行且不是 root：不能以 {account} 身份运行任务。",
    ),
    "errors.account_unmappable.hint": (
        "Leave unix_account out: every job runs as {own}. To run jobs as other accounts, start the server as "
        "root.",
        "请不填 unix_account：所有任务都以 {own} 身份运行。要以其他账号运行任务，请以 root 身份启动服务。",
    ),
    "errors.account_unmappable.hint.page": (
        "Leave the Unix account empty: every job runs as {own}. To run jobs as other accounts, start the "
        "server as root.",
        "请将系统账号留空：所有任务都以 {own} 身份运行。要以其他账号运行任务，请以 root 身份启动服务。",
    ),
    "errors.root_account": ("Jobs never run as root.", "任务不能以 root 身份运行。"),
    "errors.root_account.hint": ("Choose an ordinary account.", "请选择普通账号。"),
    "errors.no_such_token": ("There is no token {token}.", "没有令牌 {token}。"),
    "errors.no_such_token.hint": ("GET /api/v1/me/tokens lists them.", "可通过 /api/v1/me/tokens 查看。"),
    "errors.no_such_token.hint.page": ("The account page lists them.", "账号页面列出了现有令牌。"),
}
