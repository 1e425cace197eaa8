import { defineWords } from "../i18n/words";

export const words = defineWords({
  offer: ["Notify me when it ends", "结束时通知我"],
  offerAll: ["Notify me when they end", "结束时通知我"],
  title: ["Notifications", "通知"],
  hint: [
    "While Danlu is open in a tab, even in the background, this browser shows one notification for each of your jobs that ends; an array counts once. Jobs you cancel yourself are left out.",
    "只要有一个标签页开着丹炉（后台也可以），您的任务结束时浏览器就会通知一次；任务数组只通知一次。您自己取消的不通知。",
  ],
  switch: ["Notify me when my jobs end", "我的任务结束时通知我"],
  granted: ["This browser shows notifications.", "本浏览器会显示通知。"],
  ask: [
    "This browser has not been allowed to show notifications yet; until then the page itself tells you. Turn this off and on to be asked again.",
    "您尚未允许本浏览器显示通知；在此之前由页面提示。关闭再打开此开关，浏览器会再次询问。",
  ],
  blocked: [
    "This browser blocks notifications from Danlu. Allow them in the site's settings, beside the address; until then the page itself tells you.",
    "本浏览器已阻止丹炉的通知。请在地址栏旁的网站设置中允许；在此之前由页面提示。",
  ],
  insecure: [
    "Browsers show notifications only for pages opened over https or on the server itself. Here the page itself tells you, as soon as you look at it.",
    "只有通过 https 或在服务器本机打开页面时，浏览器才会显示通知。在这里，您查看页面时会在页面内提示。",
  ],
  unsupported: [
    "This browser cannot show notifications. The page itself tells you, as soon as you look at it.",
    "本浏览器不支持通知。您查看页面时会在页面内提示。",
  ],
  isOn: ["You will be notified when your jobs end.", "任务结束时会通知您。"],
  endedAfter: ["{sign} {job}: {state} after {time}", "{sign} {job}：{state}，用时 {time}"],
  ended: ["{sign} {job}: {state}", "{sign} {job}：{state}"],
  manyEnded: ["{count} jobs ended", "{count} 个任务已结束"],
  allSucceeded: ["All of them succeeded.", "全部成功。"],
  someFailed: ["{failed} did not succeed.", "其中 {failed} 个未成功。"],
});
