import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import Markdown from "./Markdown";

test("Markdown is drawn, and nothing in it becomes code, an image or a strange link", () => {
  const text = [
    "# Title",
    "**Friday** [page](https://example.org/a) [bad](javascript:alert(1))",
    "<script>alert(1)</script> <b onclick='x()'>raw</b>",
    "![seen](https://example.org/pixel.png)",
  ].join("\n\n");
  const { container } = render(<Markdown text={text} />);
  expect(container.querySelector("strong")?.textContent).toBe("Friday");
  expect(container.querySelectorAll("h1, script, img, [onclick]")).toHaveLength(0);
  const [page, bad] = container.querySelectorAll("a");
  expect(page?.getAttribute("href")).toBe("https://example.org/a");
  expect(page?.getAttribute("rel")).toBe("noopener noreferrer");
  expect(bad?.getAttribute("href")).not.toContain("javascript");
});
