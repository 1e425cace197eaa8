import { defineWords } from "../i18n/words";

export const words = defineWords({
  no_answer: [
    "The server has not answered for {seconds} seconds. Try again in a moment.",
    "服务器已有 {seconds} 秒没有应答，请稍后重试。",
  ],
  maybe_done: [
    "The server has not answered for {seconds} seconds. It may still have done what you asked.",
    "服务器已有 {seconds} 秒没有应答。您的请求可能已被执行。",
  ],
  doneOnce: ["Send it again: it will not be done twice.", "请重新提交，不会重复执行。"],
  unreachable: ["The server cannot be reached.", "无法连接服务器。"],
});
