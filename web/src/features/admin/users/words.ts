import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  users: ["Users", "用户"],
  note: [
    "{count} {count|user|users}, {admins} {admins|administrator|administrators}",
    "{count} 个用户，其中 {admins} 个管理员",
  ],
  find: ["Find users", "查找用户"],
  noUserMatches: ["No user matches", "没有匹配的用户"],
  noUserMatchesHint: [
    "The search looks at names, roles and Unix accounts.",
    "可按用户名、角色和系统账号查找。",
  ],
  clearFind: ["Show all users", "显示全部用户"],
  add: ["Add user", "添加用户"],
  name: ["Name", "用户名"],
  role: ["Role", "角色"],
  account: ["Unix account", "系统账号"],
  state: ["State", "状态"],
  seen: ["Last seen", "上次活动"],
  notSeen: ["not recently", "近期没有"],
  jobs: ["Jobs", "任务"],
  actions: ["Actions", "操作"],
  actionsOf: ["Actions for {name}", "{name} 的操作"],
  you: ["you", "您自己"],
  active: ["active", "正常"],
  locked: ["locked", "已锁定"],
  none: ["none", "无"],
  jobsOf: ["{running} running, {waiting} waiting", "{running} 个运行，{waiting} 个等待"],
  noJobs: ["none at the moment", "目前没有"],

  edit: ["Edit", "编辑"],
  editTitle: ["Edit {name}", "编辑 {name}"],
  save: ["Save", "保存"],
  cancel: ["Cancel", "取消"],
  saved: ["{name} saved.", "已修改 {name}。"],
  admin_role: ["administrator: can do everything", "管理员：可以做任何操作"],
  mentor_role: [
    "mentor: a member who sees and may stop the jobs of their group",
    "导师：成员权限，并可查看、停止本组成员的任务",
  ],
  member_role: ["member: submits jobs", "成员：可提交任务"],
  viewer_role: ["viewer: can look but not submit", "只读用户：只能查看，不能提交"],
  accountHint: [
    "The account their jobs run as on the nodes. Leave empty for none.",
    "任务在节点上以该账号的权限运行。留空表示不设置。",
  ],
  priority: ["Priority", "优先级"],
  priorityHint: [
    "Used by the “Fair shares” policy only: with 2, the fair share is twice as many GPUs. Usually 1.",
    "仅在“公平分配”策略下有效：2 表示应得的 GPU 是别人的两倍。通常为 1。",
  ],
  priorityMissing: ["Enter a number from -1000000 to 1000000.", "请输入 -1000000 到 1000000 之间的数字。"],
  demoteYourself: [
    "You are removing your own administrator rights. You will lose access to these pages, and only another administrator can restore it.",
    "您将取消自己的管理员权限：这些页面会对您关闭，只有其他管理员才能恢复。",
  ],
  lockYourself: [
    "You are locking yourself out. You will be signed out at once, and only another administrator can unlock you.",
    "您将锁定自己：会立即退出登录，只有其他管理员才能解锁。",
  ],
  lastAdmin: [
    "{name} is the only administrator who can sign in. Make another user an administrator first.",
    "{name} 是唯一能登录的管理员。请先把别人设为管理员。",
  ],

  lock: ["Lock", "锁定"],
  lockQuestion: ["Lock {name}?", "锁定 {name}？"],
  lockWarning: [
    "{name} will be signed out everywhere and their tokens revoked. Waiting jobs ({waiting}) will not start until the user is unlocked; running jobs ({running}) continue.",
    "{name} 会在所有地方退出登录，令牌失效。等待中的任务（{waiting} 个）在解锁前不会启动；正在运行的任务（{running} 个）继续。",
  ],
  wasLocked: ["{name} is locked.", "{name} 已锁定。"],
  unlock: ["Unlock", "解锁"],
  wasUnlocked: ["{name} can sign in again.", "{name} 可以重新登录了。"],

  newPassword: ["Reset password", "重置密码"],
  passwordQuestion: ["Reset the password of {name}?", "为 {name} 重置密码？"],
  passwordWarning: [
    "{name} will be signed out everywhere and their tokens revoked. When they sign in with the new password, they must choose their own.",
    "{name} 会在所有地方退出登录，令牌失效。用新密码登录后需要自行设置密码。",
  ],
  passwordYours: ["Change your own password on your account page.", "自己的密码请在账号页面修改。"],
  makePassword: ["Reset password", "生成新密码"],

  addTitle: ["Add a user", "添加用户"],
  nameHint: ["Letters, digits, dots, dashes and underscores", "字母、数字、点、连字符和下划线"],
  nameMissing: ["Enter a name.", "请输入用户名。"],
  nameWrong: [
    "Use only letters, digits, dots, dashes and underscores, and do not begin with a dot or dash.",
    "只能用字母、数字、点、连字符和下划线，且不能以点或连字符开头。",
  ],
  nameTaken: ["This name is already taken.", "已有同名用户。"],
  addHint: [
    "Danlu generates an initial password, which is shown once. The user chooses their own when they first sign in.",
    "系统会生成初始密码，仅显示一次。用户首次登录后需要自行设置密码。",
  ],

  secretTitle: ["Password for {name}", "{name} 的密码"],
  shownOnce: [
    "Copy it now: it will not be shown again. Give it to {name} in a way you trust.",
    "请立即复制：它只显示这一次。请用可靠的方式交给 {name}。",
  ],
  signInAt: ["Sign in at", "登录地址"],
  password: ["Password", "密码"],
  kept: ["I have saved it", "我已保存好"],
});
