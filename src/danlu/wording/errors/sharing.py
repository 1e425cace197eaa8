"""Locks and keys that jobs share."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.attempt_over": (
        "Attempt {attempt} of this job is over: its secret is no longer valid.",
        "该任务的第 {attempt} 次运行已经结束，其凭据不再有效。",
    ),
    "errors.attempt_over.hint": (
        "An ended attempt must not go on: end this process.",
        "已结束的运行不应继续工作，请结束该进程。",
    ),
    "errors.job_secret_elsewhere": (
        "A job's secret is valid only for locks and the key-value store.",
        "任务凭据只能用于锁和键值存储。",
    ),
    "errors.job_secret_elsewhere.hint": (
        "Use your own token for this: danlu login.",
        "请使用您自己的令牌：danlu login。",
    ),
    "errors.lock_held": ("Another holder has lock {name}.", "锁 {name} 正被占用。"),
    "errors.lock_held.hint": (
        "Wait for it, or release it by force: danlu locks release NAME.",
        "请等待它释放，或强制释放：danlu locks release 名称。",
    ),
    "errors.lock_held_by_job": ("Lock {name} is held by job {job}.", "锁 {name} 由任务 {job} 占用。"),
    "errors.lock_held_by_job.hint": (
        "It is free again when the job releases it or ends.",
        "任务释放它或结束后即可使用。",
    ),
    "errors.lock_not_held": (
        "Number {fence} no longer holds lock {name}.",
        "编号 {fence} 不再持有锁 {name}。",
    ),
    "errors.lock_not_held.hint": (
        "It was not renewed in time, or was released by force. Acquire it again.",
        "可能没有及时续期，或已被强制释放。请重新获取。",
    ),
    "errors.no_such_lock": ("There is no lock called {name}.", "没有人占用锁 {name}。"),
    "errors.no_such_lock.hint": (
        "`danlu locks` lists those that are held.",
        "可用 danlu locks 查看被占用的锁。",
    ),
    "errors.not_your_lock": ("This lock belongs to {owner}.", "该锁属于 {owner}。"),
    "errors.not_your_lock.hint": (
        "Only its owner and administrators may release it by force.",
        "只有其所有者和管理员可以强制释放。",
    ),
    "errors.too_many_locks": (
        "You already hold {most} locks, which is the most allowed.",
        "您已持有 {most} 个锁，不能再多。",
    ),
    "errors.too_many_locks.hint": ("Release some first.", "请先释放一些。"),
    "errors.no_such_key": ("There is no key {name}.", "没有键 {name}。"),
    "errors.no_such_key.hint": ("`danlu kv list` shows your keys.", "可用 danlu kv list 查看您的键。"),
    "errors.too_many_keys": (
        "You already have {most} keys, which is the most allowed.",
        "您已有 {most} 个键，不能再多。",
    ),
    "errors.too_many_keys.hint": (
        "Delete some first; put larger things into files.",
        "请先删除一些；较大的内容请存入文件。",
    ),
    "errors.value_too_large": ("A value may have at most {limit_kb} KiB.", "值最大为 {limit_kb} KiB。"),
    "errors.value_too_large.hint": (
        "Put it into a file, and store the file's name here.",
        "请把内容存入文件，在这里保存文件名。",
    ),
    "errors.revision_differs": (
        "Key {name} has changed in the meantime: its revision is {revision}.",
        "键 {name} 已被修改，当前版本为 {revision}。",
    ),
    "errors.revision_differs.hint": (
        "Read it again, and apply your change to that.",
        "请重新读取，再在其基础上修改。",
    ),
}
