import { defineWords } from "@/lib/i18n/words";

export const words = defineWords({
  retry: ["Try again", "重试"],
  loading: ["Loading", "加载中"],
  problem: ["This did not work", "操作未成功"],
  copied: ["Copied", "已复制"],
  copy: ["Copy", "复制"],
  clear: ["Clear", "清除"],
  brokenPage: ["This page has a fault", "页面出错了"],
  reload: ["Reload the page", "重新加载页面"],
  notFound: ["There is nothing here", "这里什么也没有"],
  notFoundHint: ["The address may be old or mistyped.", "地址可能已失效或输入有误。"],
  toOverview: ["To the overview", "回到总览"],
  newPassword: ["New password", "新密码"],
  repeatPassword: ["Repeat the new password", "再次输入新密码"],
  passwordRule: [
    "{count} characters or more; a short sentence is good.",
    "不少于 {count} 个字符，用一句短语最好。",
  ],
  passwordShort: ["At least {count} characters.", "至少 {count} 个字符。"],
  passwordDiffers: ["The two do not match.", "两次输入不一致。"],
  time: ["Time", "时间"],
  unreachable: ["unreachable", "失联"],
});
