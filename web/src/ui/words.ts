import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  retry: ["Try again", "重试"],
  loading: ["Loading", "加载中"],
  problem: ["This did not work", "操作未成功"],
  copied: ["Copied", "已复制"],
  copy: ["Copy", "复制"],
  clear: ["Clear", "清除"],
  brokenPage: ["Something went wrong on this page", "页面出错了"],
  notLoaded: ["This page could not be loaded", "页面未能加载"],
  notLoadedHint: [
    "The server cannot be reached. The page will load once it responds.",
    "无法连接服务器。连接恢复后页面会自动加载。",
  ],
  reload: ["Reload the page", "重新加载页面"],
  notFound: ["There is nothing here", "这里什么也没有"],
  onlyLooking: ["Your account can only look", "您的账号只能查看"],
  onlyLookingHint: [
    "Members, mentors and administrators submit and edit jobs. An administrator can change your role.",
    "成员、导师和管理员可以提交和修改任务。管理员可以更改您的角色。",
  ],
  notFoundHint: ["The address may be old or mistyped.", "地址可能已失效或输入有误。"],
  toOverview: ["Go to overview", "回到总览"],
  jobGone: ["There is no job {ref}", "没有任务 {ref}"],
  jobGoneHint: ["It may have been deleted, or never existed.", "它可能已被删除，或从未存在。"],
  noJobLikeThat: ["There is no job “{ref}”", "没有任务“{ref}”"],
  jobNumbers: [
    "Jobs have numbers, such as 12; an element of an array is written 12[3].",
    "任务以编号表示，例如 12；数组中的子任务写作 12[3]。",
  ],
  toJobs: ["All jobs", "全部任务"],
  newPassword: ["New password", "新密码"],
  repeatPassword: ["Repeat the new password", "再次输入新密码"],
  passwordRule: [
    "{count} characters or more; a short sentence works well.",
    "不少于 {count} 个字符，用一句短语最好。",
  ],
  passwordShort: ["At least {count} characters.", "至少 {count} 个字符。"],
  passwordDiffers: ["The two do not match.", "两次输入不一致。"],
  time: ["Time", "时间"],
  asNew: ["As a new job", "作为新任务"],
  asNewNote: [
    "It gets a new number; job {ref} keeps its number and log.",
    "使用新编号；任务 {ref} 的编号和日志保持不变。",
  ],
  asNewChanged: ["As a new job, with changes…", "修改后作为新任务…"],
  asNewChangedNote: [
    "Opens the form. The job gets a new number when you submit it.",
    "打开表单，提交后得到新编号。",
  ],
  asSame: ["As job {ref} again", "仍作为任务 {ref}"],
  asSameNote: [
    "It keeps its number; the current log is kept as attempt {attempt}.",
    "编号不变；现有日志保留为第 {attempt} 次运行。",
  ],
  asSameNoteUnrun: ["It keeps its number, and has no log yet.", "编号不变；尚无日志。"],
  asSameChanged: ["As job {ref} again, with changes…", "修改后仍作为任务 {ref}…"],
  asSameChangedNote: [
    "Opens the form. It keeps its number; the current log is kept as attempt {attempt}.",
    "打开表单；编号不变，现有日志保留为第 {attempt} 次运行。",
  ],
  asSameChangedNoteUnrun: [
    "Opens the form. It keeps its number, and has no log yet.",
    "打开表单；编号不变，尚无日志。",
  ],
  asSameDone: ["Job {ref} is back in the queue", "任务 {ref} 已重新排队"],
  unreachable: ["unreachable", "失联"],

  pauseScheduling: ["Pause scheduling", "暂停调度"],
  resumeScheduling: ["Resume scheduling", "恢复调度"],
  pauseQuestion: ["Pause scheduling?", "暂停调度？"],
  pauseWarning: [
    "Running jobs continue. No new job starts on any node until an administrator resumes scheduling; {waiting} {waiting|job is|jobs are} waiting now. All users will see a notice.",
    "正在运行的任务继续。在管理员恢复之前，任何节点都不会启动新任务；目前有 {waiting} 个任务在等待。所有人都会看到提示。",
  ],
  wasPaused: ["Scheduling is paused.", "调度已暂停。"],
  wasResumed: ["Scheduling has resumed.", "调度已恢复。"],
});
