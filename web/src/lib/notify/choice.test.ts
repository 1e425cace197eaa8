import { expect, test } from "vitest";
import { abilityOf } from "./choice";

test("whether the browser can show notifications, and why not", () => {
  expect(abilityOf(false, { permission: "granted" })).toBe("insecure");
  expect(abilityOf(true, undefined)).toBe("unsupported");
  expect(abilityOf(true, { permission: "denied" })).toBe("blocked");
  expect(abilityOf(true, { permission: "default" })).toBe("ask");
  expect(abilityOf(true, { permission: "granted" })).toBe("granted");
});
