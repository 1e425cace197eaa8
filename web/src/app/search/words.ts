import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  found: ["What was found", "搜索结果"],
  recent: ["Recent", "最近打开"],
  latest: ["Latest jobs", "最新任务"],
  myLatest: ["My latest jobs", "我最近的任务"],
  page: ["Pages", "页面"],
  action: ["Actions", "操作"],
  node: ["Nodes", "节点"],
  user: ["Users", "用户"],
  job: ["Jobs", "任务"],
  jobRef: ["Job {ref}", "任务 {ref}"],
  jobsOf: ["Jobs of {name}", "{name} 的任务"],
  allJobs: ["All jobs with “{text}”", "所有含“{text}”的任务"],
  searching: ["Searching…", "正在搜索…"],
  count: ["{count} {count|suggestion|suggestions}", "{count} 条建议"],
  choose: ["choose", "选择"],
  open: ["open", "打开"],
  close: ["close", "关闭"],
  stillHere: ["Pages and actions can still be found.", "仍可搜索页面和操作。"],
});
