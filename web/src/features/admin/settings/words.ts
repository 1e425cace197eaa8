import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  settings: ["Settings", "设置"],
  note: [
    "Settings apply to the whole lab as soon as they are saved.",
    "对整个实验室生效，保存后立即起作用。",
  ],
  find: ["Find settings", "查找设置"],
  nothing: ["No setting matches", "没有匹配的设置"],
  nothingHint: ["The search looks at names and descriptions.", "可按名称和说明查找。"],
  clearFind: ["Show all settings", "显示全部设置"],
  list: ["Lab settings", "实验室设置"],
  on: ["on", "开"],
  off: ["off", "关"],
  empty: ["empty", "空"],
  isDefault: ["Default", "默认值"],
  standard: ["Default: {value}", "默认值：{value}"],
  changedBy: ["Changed by {name}", "由 {name} 修改"],
  save: ["Save", "保存"],
  saveNamed: ['Save "{title}"', "保存“{title}”"],
  cancel: ["Cancel", "取消"],
  reset: ["Reset", "恢复默认"],
  resetNamed: ['Reset "{title}" to {value}', "恢复默认：“{title}”改回 {value}"],
  saved: ['"{title}" is now {value}.', "“{title}”现在是 {value}。"],
  missing: ["Enter a number.", "请输入数字。"],
  whole: ["Enter a whole number.", "请输入整数。"],
  between: ["Enter a value between {least} and {most}.", "应在 {least} 到 {most} 之间。"],
});
