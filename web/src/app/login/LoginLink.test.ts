import { describe, expect, it } from "vitest";
import { codeOf } from "./LoginLink";

const CODE = "Ab3_-x9Ab3_-x9Ab3_-x9Ab3_-x9Ab3_";

describe("the code of a one-time link", () => {
  it.each([
    `http://127.0.0.1:8642/#login=${CODE}`,
    `https://lab.example/danlu/#login=${CODE}`,
    `  #login=${CODE}\n`,
    CODE,
  ])("is found in %j", (text) => {
    expect(codeOf(text)).toBe(CODE);
  });

  it.each(["", "http://127.0.0.1:8642/", "#login=", "#content", "my password", "%", "#login=%E0%A4%A"])(
    "is not found in %j",
    (text) => {
      expect(codeOf(text)).toBeNull();
    },
  );

  it("is unpacked", () => {
    expect(codeOf("#login=a%2Bb")).toBe("a+b");
  });
});
