import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  title: ["Examples", "示例"],
  note: [
    "New here? Start one of these. They need nothing but Python, end on their own, and you can look at everything they do.",
    "还没写过任务？先运行一个示例。它们只需要 Python，会自行结束，您可以随意查看。",
  ],
  noteOfViewer: [
    "Small jobs that need nothing but Python. Your account can only look: members, mentors and administrators start them.",
    "只需要 Python 的小任务。您的账号只能查看：成员、导师和管理员可以启动它们。",
  ],
  start: ["Start", "开始"],
  startNamed: ["Start: {title}", "开始：{title}"],
  script: ["Show what it runs", "查看运行内容"],
  scriptOf: ["What job {n} runs", "第 {n} 个任务的内容"],
  asks: ["Needs", "所需资源"],
  cpuOnly: ["CPU only", "仅用 CPU"],
  cpus: ["{count} {count|CPU|CPUs}", "{count} 个 CPU"],
  gpus: ["{count} {count|GPU|GPUs}", "{count} 块 GPU"],
  sharedGpu: ["{size} of a shared GPU", "共享 GPU 上的 {size} 显存"],
  jobs: ["{count} {count|job|jobs}", "{count} 个任务"],
  elements: ["array {array}", "数组 {array}"],
  none: ["This server has no examples.", "此服务器上没有示例。"],
  noneHint: ["Create your own job instead.", "可以直接新建任务。"],
  newJob: ["New job", "新建任务"],
  watching: ["Your example", "您的示例"],
  watchingHint: [
    "Watch it to the end, or leave: it keeps running without you.",
    "可以看着它运行到结束，也可以离开：它会自行运行。",
  ],
  done: ["That was a complete job, from start to end.", "这就是一个任务从开始到结束的全过程。"],
  doneFailed: ["It did not succeed. See its page for details.", "它没有正常结束，任务页面有详细说明。"],
  doneNext: [
    "Now make it yours: change the script, ask for a GPU, point it at your folder.",
    "接下来把它变成您自己的：修改脚本、申请 GPU、选择您的文件夹。",
  ],
  makeYours: ["Make it yours", "改成自己的任务"],
  toJob: ["Open job {ref}", "打开任务 {ref}"],
  close: ["Close", "关闭"],
  lastLines: ["Last lines of the log of job {ref}", "任务 {ref} 日志的最后几行"],
  noLines: ["The log is still empty.", "日志暂无内容。"],
  arrayProgress: [
    "{ended} of {total} elements have ended, {active} are running.",
    "{total} 个子任务中 {ended} 个已结束，{active} 个正在运行。",
  ],
});
