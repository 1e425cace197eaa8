"""What is wrong with a single value, by the validator's name for it."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {
    # What is wrong with a single value, by the validator's name for it.
    "errors.kind.other": ("this value is not understood here", "不是这里能理解的值"),
    "errors.kind.of_key": ('"{named}": {reason}', "“{named}”：{reason}"),
    "errors.kind.json_invalid": (
        "it is not valid JSON (near character {place})",
        "不是合法的 JSON（第 {place} 个字符附近）",
    ),
    "errors.kind.unreadable": ("it cannot be read", "无法读取"),
    "errors.kind.is_not_blank": ("it must not be empty", "不能为空"),
    "errors.kind.are_different": ("each may be named only once", "不能重复"),
    "errors.kind.is_digest": (
        "it must be what POST /calls returned: 64 hexadecimal digits",
        "必须是 POST /calls 返回的 64 位十六进制数",
    ),
    "errors.kind.missing": ("it is required", "必须填写"),
    "errors.kind.string_type": ("it must be text", "必须是文本"),
    "errors.kind.string_too_long": (
        "at most {max_length} characters",
        "最多 {max_length} 个字符",
    ),
    "errors.kind.string_too_short": (
        "at least {min_length} characters",
        "至少 {min_length} 个字符",
    ),
    "errors.kind.string_unicode": ("it is not valid Unicode text", "不是合法的 Unicode 文本"),
    "errors.kind.too_short": ("at least {min_length} entries", "至少 {min_length} 项"),
    "errors.kind.too_long": ("at most {max_length} entries", "最多 {max_length} 项"),
    "errors.kind.int_type": ("it must be a whole number", "必须是整数"),
    "errors.kind.int_parsing": ("it must be a whole number", "必须是整数"),
    "errors.kind.int_parsing_size": ("the number is too large", "数字过大"),
    "errors.kind.int_from_float": ("it must be a whole number", "必须是整数"),
    "errors.kind.float_type": ("it must be a number", "必须是数字"),
    "errors.kind.float_parsing": ("it must be a number", "必须是数字"),
    "errors.kind.finite_number": ("it must be a finite number", "必须是有限的数字"),
    "errors.kind.bool_type": ("it must be true or false", "必须是 true 或 false"),
    "errors.kind.bool_parsing": ("it must be true or false", "必须是 true 或 false"),
    "errors.kind.list_type": ("it must be a list", "必须是列表"),
    "errors.kind.dict_type": ("it must be an object", "必须是对象"),
    "errors.kind.model_attributes_type": ("it must be an object", "必须是对象"),
    "errors.kind.dataclass_type": ("it must be an object", "必须是对象"),
    "errors.kind.greater_than": ("it must be greater than {gt}", "必须大于 {gt}"),
    "errors.kind.greater_than_equal": ("it must be at least {ge}", "至少为 {ge}"),
    "errors.kind.less_than": ("it must be less than {lt}", "必须小于 {lt}"),
    "errors.kind.less_than_equal": ("it must be at most {le}", "最多为 {le}"),
    "errors.kind.literal_error": ("it must be one of {expected}", "必须是 {expected} 之一"),
    "errors.kind.enum": ("it must be one of {expected}", "必须是 {expected} 之一"),
    "errors.kind.no_control_characters": (
        "it must be one line without control characters",
        "必须是一行，且不含控制字符",
    ),
    "errors.kind.no_nul": ("it must not contain a NUL character", "不能包含 NUL 字符"),
    "errors.kind.is_variable_name": (
        "a variable name may contain only letters, digits and _, and must not begin with a digit",
        "变量名只能包含字母、数字和下划线，且不能以数字开头",
    ),
    "errors.kind.is_user_name": (
        "a name may contain only letters, digits and . _ -, and must not begin with . or -",
        "名字只能包含文字、数字和 . _ -，且不能以 . 或 - 开头",
    ),
    "errors.kind.is_tag_key": (
        "a key of a tag begins with a letter or a digit and has letters, digits and . _ - / only",
        "标签的键以字母或数字开头，只能包含字母、数字和 . _ - /",
    ),
    "errors.kind.is_email": (
        "it is not a mail address such as ann@lab.example",
        "不是邮件地址，应形如 ann@lab.example",
    ),
    "errors.kind.is_node_name": ("a node name has no spaces and no commas", "节点名不能包含空格和逗号"),
    "errors.kind.is_host": ("it is not the name or address of a machine", "不是合法的主机名或地址"),
    "errors.kind.is_login": ("it is not an account name", "不是合法的账号名"),
}
