// @vitest-environment node
import { describe, expect, test } from "vitest";
import { applySgr, contrast, cssOf, hexOf, PLAIN, readable } from "./ansi";

describe("styles", () => {
  test("of 16, 256 and all colours", () => {
    expect(applySgr(PLAIN, "31")).toEqual({ fg: 1 });
    expect(applySgr(PLAIN, "1;92;44")).toEqual({ bold: true, fg: 10, bg: 4 });
    expect(applySgr(PLAIN, "38;5;208")).toEqual({ fg: 208 });
    expect(applySgr(PLAIN, "48;2;255;0;128;4")).toEqual({ bg: "#ff0080", underline: true });
    expect(applySgr(PLAIN, "38:2::1:2:3")).toEqual({ fg: "#010203" });
    expect(applySgr(PLAIN, "4:3;31")).toEqual({ underline: true, fg: 1 });
    expect(applySgr(applySgr(PLAIN, "4:3"), "4:0")).toEqual({});
    expect(applySgr(PLAIN, "58;5;1;58:2::1:2:3;32")).toEqual({ fg: 2 });
  });

  test("end one by one or all at once", () => {
    const styled = applySgr(PLAIN, "1;3;31");
    expect(applySgr(styled, "22")).toEqual({ italic: true, fg: 1 });
    expect(applySgr(styled, "39;23;22")).toBe(PLAIN);
    expect(applySgr(styled, "")).toBe(PLAIN);
  });

  test("that make no sense change nothing", () => {
    expect(applySgr(PLAIN, "38;5")).toBe(PLAIN);
    expect(applySgr(PLAIN, "38;2;1;2")).toBe(PLAIN);
    expect(applySgr(PLAIN, "777")).toBe(PLAIN);
  });

  test("that are the same are one object", () => {
    expect(applySgr(applySgr(PLAIN, "1"), "31")).toBe(applySgr(applySgr(PLAIN, "31"), "1"));
  });
});

describe("colours", () => {
  test("of the palette", () => {
    expect(hexOf(196)).toBe("#ff0000");
    expect(hexOf(232)).toBe("#080808");
    expect(hexOf(231)).toBe("#ffffff");
  });

  test("can be read, whatever a program asks for", () => {
    for (let fg = 0; fg < 256; fg += 1) {
      for (const bg of [undefined, 0, 1, 7, 15, 226, 244]) {
        const css = cssOf(applySgr(PLAIN, bg === undefined ? `38;5;${fg}` : `38;5;${fg};48;5;${bg}`));
        const ground = bg === undefined ? "#10141c" : hexOf(bg);
        expect(contrast(String(css?.color), ground)).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(readable("#7aa7ff", "#10141c")).toBe("#7aa7ff");
  });
});
