import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  backups: ["Backups", "备份"],
  make: ["Make a backup", "制作备份"],
  makeHint: [
    "One archive of everything as it is now: jobs, users, history and settings. It is saved by this browser; the server keeps none. Nobody is held up meanwhile.",
    "一个包含当前全部内容的归档：任务、用户、历史和设置。由本浏览器保存，服务器上不保留。制作期间不影响任何人。",
  ],
  secrets: [
    "It holds the server's keys and hashes of passwords. Keep it where nobody else can read it.",
    "归档含有服务器密钥和密码的哈希值，请保存在他人无法读取的地方。",
  ],
  withLogs: ["With the logs of jobs", "包含任务日志"],
  withLogsHint: [
    "Also the output in the logs, and what Python functions returned. It may be large: for many gigabytes, use the command line.",
    "还包含日志输出和 Python 函数的返回值。可能很大：达到许多 GB 时请使用命令行。",
  ],
  begin: ["Make a backup now", "立即制作备份"],
  stop: ["Stop", "停止"],
  going: ["Making a backup: {size} so far", "正在制作备份：已有 {size}"],
  goingHint: [
    "You may look at other pages of Danlu meanwhile; keep this tab open.",
    "可以浏览其他页面，但请不要关闭此标签页。",
  ],
  stopped: ["Stopped: nothing was saved.", "已停止：没有保存任何内容。"],
  done: ["{file} is saved ({size}).", "{file} 已保存（{size}）。"],
  brokenOff: [
    "The backup broke off and nothing was saved. Try again.",
    "备份中断，没有保存任何内容。请重试。",
  ],
  leftOut: ["{count} {count|file is|files are} not in it", "有 {count} 个文件不在归档中"],
  left_unreachable: [
    "{node} does not answer: {files} {files|file|files} of it, such as {first}.",
    "{node} 没有响应：缺少 {files} 个文件，例如 {first}。",
  ],
  left_broken_off: [
    "{node} stopped answering: {files} {files|file|files} of it, such as {first}.",
    "{node} 中途失去响应：缺少 {files} 个文件，例如 {first}。",
  ],
  left_unreadable: [
    "{node} cannot read {files} {files|file|files}, such as {first}.",
    "{node} 无法读取 {files} 个文件，例如 {first}。",
  ],
  left_hole: [
    "{files} {files|log|logs} on {node} with a hole in the middle, such as {first}: the rest is there.",
    "{node} 上有 {files} 个日志中间有缺口，例如 {first}：其余部分都在归档中。",
  ],

  taken: ["Backups taken", "备份记录"],
  takenHint: [
    "By whom and when, from the page and the command line alike. Where an archive lies, its maker knows.",
    "通过网页和命令行制作的备份都有记录。归档存放在哪里，只有制作者知道。",
  ],
  none: ["No backup was taken yet", "还没有制作过备份"],
  noneHint: [
    "Records go with the events, after the days that the settings say.",
    "记录随事件一起保留，天数见设置。",
  ],
  when: ["When", "时间"],
  by: ["By", "制作者"],
  size: ["Size", "大小"],
  holds: ["Holds", "内容"],
  dataAndLogs: ["data and logs", "数据和日志"],
  data: ["data", "数据"],
  missing: ["{count} {count|file|files} missing", "缺少 {count} 个文件"],

  restore: ["Restore", "恢复"],
  restoreHint: [
    "On the machine that shall run the server, into a folder that is missing or empty. Stop the old server first: waiting jobs start with the restored one, and jobs that were running are on hold there.",
    "在要运行服务的机器上执行，目标文件夹必须不存在或为空。请先停止旧服务：恢复后等待中的任务会启动，备份时正在运行的任务会处于挂起状态。",
  ],
  automatic: ["Regular backups", "定期备份"],
  automaticHint: [
    "Danlu makes none by itself. A line in the crontab of an administrator's account does, here every night at three:",
    "丹炉不会自动备份。可在管理员账户的 crontab 中添加一行，例如每天凌晨三点：",
  ],
});
