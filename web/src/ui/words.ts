import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  retry: ["Try again", "重试"],
  loading: ["Loading", "加载中"],
  problem: ["This did not work", "操作未成功"],
  copied: ["Copied", "已复制"],
  copy: ["Copy", "复制"],
  clear: ["Clear", "清除"],
  brokenPage: ["This page has a fault", "页面出错了"],
  notLoaded: ["This page could not be loaded", "页面未能加载"],
  notLoadedHint: [
    "The server cannot be reached. The page comes as soon as it answers.",
    "无法连接服务器。连接恢复后页面会自动加载。",
  ],
  reload: ["Reload the page", "重新加载页面"],
  notFound: ["There is nothing here", "这里什么也没有"],
  notFoundHint: ["The address may be old or mistyped.", "地址可能已失效或输入有误。"],
  toOverview: ["To the overview", "回到总览"],
  jobGone: ["There is no job {ref}", "没有任务 {ref}"],
  jobGoneHint: ["It was deleted, or there never was one.", "它可能已被删除，或从未存在。"],
  noJobLikeThat: ["There is no job “{ref}”", "没有任务“{ref}”"],
  jobNumbers: [
    "Jobs have numbers, like 12; a task of an array is written 12[3].",
    "任务以编号表示，例如 12；数组中的子任务写作 12[3]。",
  ],
  toJobs: ["All jobs", "全部任务"],
  newPassword: ["New password", "新密码"],
  repeatPassword: ["Repeat the new password", "再次输入新密码"],
  passwordRule: [
    "{count} characters or more; a short sentence is good.",
    "不少于 {count} 个字符，用一句短语最好。",
  ],
  passwordShort: ["At least {count} characters.", "至少 {count} 个字符。"],
  passwordDiffers: ["The two do not match.", "两次输入不一致。"],
  time: ["Time", "时间"],
  asNew: ["As a new job", "作为新任务"],
  asNewNote: [
    "It gets a new number; job {ref} keeps its own, and its log.",
    "使用新编号；任务 {ref} 的编号和日志保持不变。",
  ],
  asNewChanged: ["As a new job, with changes…", "修改后作为新任务…"],
  asNewChangedNote: [
    "Opens the form. It gets a new number once you submit it.",
    "打开表单，提交后得到新编号。",
  ],
  asSame: ["As job {ref} again", "仍作为任务 {ref}"],
  asSameNote: [
    "It keeps its number; the log so far stays as attempt {attempt}.",
    "编号不变；现有日志保留为第 {attempt} 次运行。",
  ],
  asSameNoteUnrun: ["It keeps its number, and has no log yet.", "编号不变；尚无日志。"],
  asSameChanged: ["As job {ref} again, with changes…", "修改后仍作为任务 {ref}…"],
  asSameChangedNote: [
    "Opens the form. It keeps its number; the log so far stays as attempt {attempt}.",
    "打开表单；编号不变，现有日志保留为第 {attempt} 次运行。",
  ],
  asSameChangedNoteUnrun: [
    "Opens the form. It keeps its number, and has no log yet.",
    "打开表单；编号不变，尚无日志。",
  ],
  asSameDone: ["Job {ref} is in line again", "任务 {ref} 已重新排队"],
  unreachable: ["unreachable", "失联"],
});
