import { defineWords } from "../i18n/words";

export const words = defineWords({
  unreachable: ["The server cannot be reached.", "无法连接服务器。"],
});
