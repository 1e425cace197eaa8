import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Loading } from "./Loading";

test("it is said that something is on its way, and nothing that is drawn is read out", () => {
  render(<Loading lines={3} className="here" />);
  const status = screen.getByRole("status");
  expect(status.getAttribute("aria-busy")).toBe("true");
  expect(status.classList.contains("here")).toBe(true);
  const heard = [...status.children].filter((each) => each.getAttribute("aria-hidden") !== "true");
  expect(heard.map(({ textContent }) => textContent)).toEqual(["Loading"]);
  expect(status.querySelectorAll("i")).toHaveLength(3);
  expect(screen.queryAllByRole("heading", { hidden: true })).toEqual([]);
});
