import { expect, test } from "vitest";
import { textOf } from "./noticeLanguage";
import { msUntilChange } from "./noticeTimes";

test("a reader gets their own language, and the other one where there is none", () => {
  expect(textOf({ text_en: "Hello", text_zh: "你好" }, "zh")).toBe("你好");
  expect(textOf({ text_en: "Hello", text_zh: "" }, "zh")).toBe("Hello");
  expect(textOf({ text_en: "", text_zh: "你好" }, "en")).toBe("你好");
});

test("notices are asked for again when the next of them begins or ends", () => {
  expect(msUntilChange(null)).toBeNull();
  expect(msUntilChange(60)).toBe(60_250);
  expect(msUntilChange(0)).toBe(1000);
  expect(msUntilChange(1e9)).toBe(86_400_000);
});
