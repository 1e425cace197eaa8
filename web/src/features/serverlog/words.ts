import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  title: ["Server log", "服务器日志"],
  live: ["Live", "实时"],
  paused: ["Paused", "已暂停"],
  pause: ["Pause", "暂停"],
  resume: ["Resume", "继续"],
  resumeWith: ["Resume ({count} new)", "继续（{count} 条新日志）"],
  level: ["Level", "级别"],
  debug: ["Debug", "调试"],
  info: ["Info", "信息"],
  warning: ["Warning", "警告"],
  error: ["Error", "错误"],
  andAbove: ["{level} and above", "{level}及以上"],
  text: ["Text in the log", "日志内容"],
  textHint: ["Filter by text or source", "按内容或来源筛选"],
  toNewest: ["To the newest", "回到最新"],
  beginning: ["This is the beginning of what the server remembers.", "已到服务器所保留日志的开头。"],
  loadingOlder: ["Loading older entries…", "正在加载更早的日志…"],
  entries: ["Log entries", "日志条目"],
  nothing: ["Nothing here", "没有日志"],
  nothingHint: [
    "No entry fits the level and the text. Choose a lower level or clear the text.",
    "没有符合级别和内容的日志。请降低级别或清空筛选内容。",
  ],
  clearFilters: ["Show all", "显示全部"],
  closedTitle: ["The server log is for administrators", "服务器日志仅供管理员查看"],
  closedHint: [
    "An administrator can open it to members: Account, Administration. The logs of your own jobs are on their pages.",
    "管理员可以在“账号 → 管理”中对成员开放。您自己任务的日志在任务页面上查看。",
  ],
  toJobs: ["To my jobs", "查看我的任务"],
});
