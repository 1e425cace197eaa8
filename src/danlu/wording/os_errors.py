"""What the operating system, or an agent, says of a file or a disk, for readers of Chinese."""

from __future__ import annotations

import errno
import os

from danlu.wording.catalogue import Language, is_chinese

_CHINESE = {
    errno.ENOENT: "文件或目录不存在",
    errno.EACCES: "没有权限",
    errno.EPERM: "不允许该操作",
    errno.EEXIST: "文件已存在",
    errno.ENOTDIR: "不是目录",
    errno.EISDIR: "是一个目录",
    errno.ENOSPC: "磁盘空间不足",
    errno.EDQUOT: "超出磁盘配额",
    errno.EROFS: "文件系统只读",
    errno.EIO: "读写错误",
    errno.ESTALE: "文件句柄已失效",
    errno.ELOOP: "符号链接层数过多",
    errno.ENAMETOOLONG: "文件名过长",
    errno.ENOEXEC: "不是可执行的格式",
    errno.E2BIG: "参数列表过长",
    errno.EMFILE: "打开的文件过多",
    errno.ENOMEM: "内存不足",
    errno.ETXTBSY: "文件正在使用",
    errno.ENOTEMPTY: "目录不为空",
    errno.ENXIO: "设备不存在",
    errno.ECONNREFUSED: "连接被拒绝",
    errno.ECONNRESET: "连接被重置",
    errno.ETIMEDOUT: "连接超时",
    errno.EHOSTUNREACH: "无法到达主机",
    errno.EPIPE: "连接已断开",
}
_AGENTS_OWN = {
    "belongs to another account": "属于其他账号",
    # As agents of the version before say it:
    "belongs to somebody else": "属于其他账号",
    "is not a plain file": "不是普通文件",
    "not readable as a log": "不能作为日志读取",
    "is not Danlu's own": "不是丹炉自己的文件",
}
"""What an agent says of a file that it does not read."""
_WORDS = {os.strerror(number): chinese for number, chinese in _CHINESE.items()} | _AGENTS_OWN


def word_os_error(language: Language, text: str) -> str:
    """The same with what the system says in it in the reader's language; other text is as it was."""
    if not is_chinese(language):
        return text
    for english, chinese in _WORDS.items():
        text = text.replace(english, chinese)
    return text
