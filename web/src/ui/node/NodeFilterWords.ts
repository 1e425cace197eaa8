import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  findNode: ["Find a node", "查找节点"],
  findNodeHint: ["Name or address", "名称或地址"],
  condition: ["State", "状态"],
  anyCondition: ["Any state", "所有状态"],
  free: ["with free GPUs", "有空闲 GPU"],
  attention: ["needing attention", "需要关注"],
  withCount: ["{what} ({count})", "{what}（{count}）"],
  role: ["Role", "用途"],
  anyRole: ["Any role", "所有用途"],
  model: ["GPU model", "GPU 型号"],
  anyModel: ["Any GPU", "所有型号"],
  clear: ["Clear", "清除"],
  noneLike: ["No matching nodes", "没有符合条件的节点"],
  shownOf: ["{shown} of {total} nodes", "{total} 个节点，已显示 {shown} 个"],
  showMore: ["Show {count} more", "再显示 {count} 个"],
});
