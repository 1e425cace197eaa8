"""Groups of users and their mentors."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    "errors.no_such_group": ("There is no group {name}.", "没有分组 {name}。"),
    "errors.no_such_group.hint": (
        "Make it first: danlu groups add {name}.",
        "请先建立：danlu groups add {name}。",
    ),
    "errors.no_such_group.hint.page": ("Make it first, under Groups.", "请先在“分组”中建立。"),
    "errors.group_exists": ("Group {name} already exists.", "分组 {name} 已存在。"),
    "errors.group_exists.hint": ("Choose another name, or change that one.", "请换一个名称，或修改该分组。"),
    "errors.not_a_mentor": (
        "{name} cannot lead a group: their role is neither mentor nor administrator.",
        "{name} 不能负责分组：其角色既不是导师也不是管理员。",
    ),
    "errors.not_a_mentor.hint": (
        "Change the role first: danlu users set {name} --role mentor.",
        "请先修改角色：danlu users set {name} --role mentor。",
    ),
    "errors.not_a_mentor.hint.page": ("Change their role first, under Users.", "请先在“用户”中修改其角色。"),
    "errors.not_in_group": ("{name} is not in the group {group}.", "{name} 不在分组 {group} 中。"),
    "errors.not_in_group.hint": ("Check the name.", "请核对用户名。"),
}
