import type { Scheduling } from "@/lib/api/schema";
import { defineWords } from "@/lib/i18n/words";

/** The policies that can be chosen; each has a name and a hint among the words. */
export const policies = ["fifo", "balance"] as const satisfies readonly Scheduling["policy"][];

export const words = defineWords({
  administration: ["Administration", "管理"],
  scheduling: ["Scheduling", "调度"],
  users: ["Users", "用户"],
  settings: ["Settings", "设置"],
  backups: ["Backups", "备份"],
  notices: ["Notices", "公告"],
  audit: ["Audit log", "审计日志"],
  adminPages: ["Administration pages", "管理页面"],
  forAdmins: ["This page is for administrators", "此页面仅供管理员使用"],
  forAdminsHint: [
    "Ask an administrator if something here needs to change. Your own settings are on your account page.",
    "如需更改这里的内容，请联系管理员。您自己的设置在账号页面。",
  ],
  toAccount: ["Go to my account", "前往我的账号"],

  state: ["State", "状态"],
  runs: ["running", "运行中"],
  paused: ["paused", "已暂停"],
  runsHint: ["Waiting jobs start as soon as resources are free.", "等待中的任务一有资源就会启动。"],
  pausedHint: [
    "No new jobs start. Running jobs continue, and jobs can still be submitted.",
    "不启动新任务。正在运行的任务继续，也可以继续提交任务。",
  ],
  pausedBy: ["Paused by {name}", "由 {name} 暂停"],
  cancel: ["Cancel", "取消"],
  pass: ["Run the scheduler now", "立即调度一次"],
  passHint: [
    "The scheduler runs by itself whenever something changes. This runs it once more.",
    "有变化时系统会自动检查队列。手动调度会再检查一次。",
  ],
  passed: [
    "{started} {started|job|jobs} started, {waiting} still waiting.",
    "启动了 {started} 个任务，{waiting} 个继续等待。",
  ],

  policy: ["Scheduling policy", "排队策略"],
  policyHint: [
    "Urgent jobs always go first. The policy decides the order of the rest.",
    "加急任务总是优先，其余任务由策略决定先后。",
  ],
  fifo: ["First come, first served", "先来先得"],
  fifoHint: [
    "The oldest job goes first, unless an administrator has moved another ahead.",
    "最早提交的任务先启动，除非管理员调整过顺序。",
  ],
  balance: ["Fair shares", "公平分配"],
  balanceHint: [
    "The user with the fewest GPUs in use, divided by their priority, goes first; ties go to the oldest job.",
    "按“正在使用的 GPU 数 ÷ 优先级”，最小的用户先启动；相同时最早的任务优先。",
  ],
  policyQuestion: ['Switch to "{policy}"?', "改用“{policy}”排队？"],
  policyWarning: [
    "{waiting} waiting {waiting|job takes its|jobs take their} new place at once, for all users. Running jobs continue. You can switch back at any time.",
    "{waiting} 个等待中的任务会立即按新顺序排列，其他人的列表也会随之变化。正在运行的任务继续。随时可以改回。",
  ],
  changePolicy: ["Change policy", "更改策略"],
  policyChanged: ['The policy is now "{policy}".', "现在按“{policy}”排队。"],

  slots: ["Jobs per GPU", "共享 GPU 的任务数"],
  slotsHint: [
    "How many jobs may share a GPU is set per GPU, on the page of its node.",
    "每块 GPU 同时可以分给多少个任务，在节点页面上逐块设置。",
  ],
  toNodes: ["Go to nodes", "前往节点"],
});
