import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  backups: ["Backups", "备份"],
  make: ["Create a backup", "制作备份"],
  makeHint: [
    "A single archive of everything as it is now: jobs, users, history and settings. Your browser saves it; the server keeps no copy. Work goes on undisturbed.",
    "一个包含当前全部内容的归档：任务、用户、历史和设置。由本浏览器保存，服务器上不保留。制作期间不影响任何人。",
  ],
  secrets: [
    "It contains the server's keys and password hashes. Keep it where no one else can read it.",
    "归档含有服务器密钥和密码的哈希值，请保存在他人无法读取的地方。",
  ],
  withLogs: ["Include job logs", "包含任务日志"],
  withLogsHint: [
    "Adds the jobs' output and what Python functions returned. This can be large; for many gigabytes, use the command line.",
    "还包含日志输出和 Python 函数的返回值。可能很大：达到许多 GB 时请使用命令行。",
  ],
  begin: ["Create a backup now", "立即制作备份"],
  stop: ["Stop", "停止"],
  going: ["Creating a backup: {size} so far", "正在制作备份：已有 {size}"],
  goingHint: [
    "You can visit other Danlu pages meanwhile, but keep this tab open.",
    "可以浏览其他页面，但请不要关闭此标签页。",
  ],
  stopped: ["Stopped. Nothing was saved.", "已停止：没有保存任何内容。"],
  done: ["Saved {file} ({size}).", "{file} 已保存（{size}）。"],
  brokenOff: [
    "The backup was interrupted and nothing was saved. Try again.",
    "备份中断，没有保存任何内容。请重试。",
  ],
  leftOut: ["{count} {count|file is|files are} missing from it", "有 {count} 个文件不在归档中"],
  left_unreachable: [
    "{node} does not respond: {files} of its files {files|is|are} missing, such as {first}.",
    "{node} 没有响应：缺少 {files} 个文件，例如 {first}。",
  ],
  left_broken_off: [
    "{node} stopped responding: {files} of its files {files|is|are} missing, such as {first}.",
    "{node} 中途失去响应：缺少 {files} 个文件，例如 {first}。",
  ],
  left_unreadable: [
    "{node} cannot read {files} {files|file|files}, such as {first}.",
    "{node} 无法读取 {files} 个文件，例如 {first}。",
  ],
  left_hole: [
    "{files} {files|log|logs} on {node} {files|has|have} a gap in the middle, such as {first}; the rest is included.",
    "{node} 上有 {files} 个日志中间有缺口，例如 {first}：其余部分都在归档中。",
  ],

  taken: ["Past backups", "备份记录"],
  takenHint: [
    "Everything created on this page or on the command line. Danlu does not know where the archives are kept; ask the person who created them.",
    "通过网页和命令行制作的备份都有记录。归档存放在哪里，只有制作者知道。",
  ],
  none: ["No backups yet", "还没有制作过备份"],
  noneHint: [
    "These records are kept as long as events are; see Settings.",
    "记录随事件一起保留，天数见设置。",
  ],
  when: ["When", "时间"],
  by: ["By", "制作者"],
  size: ["Size", "大小"],
  holds: ["Contents", "内容"],
  dataAndLogs: ["data and logs", "数据和日志"],
  data: ["data", "数据"],
  missing: ["{count} {count|file|files} missing", "缺少 {count} 个文件"],

  restore: ["Restore", "恢复"],
  restoreHint: [
    "Run this on the machine that will host the server. The target folder must be empty or not exist yet. Stop the old server first: the restored one starts waiting jobs, and puts jobs that were running on hold.",
    "在要运行服务的机器上执行，目标文件夹必须不存在或为空。请先停止旧服务：恢复后等待中的任务会启动，备份时正在运行的任务会处于挂起状态。",
  ],
  automatic: ["Regular backups", "定期备份"],
  automaticHint: [
    "Danlu does not create backups on its own. Add a line to an administrator's crontab, for example every night at three:",
    "丹炉不会自动备份。可在管理员账号的 crontab 中添加一行，例如每天凌晨三点：",
  ],
});
