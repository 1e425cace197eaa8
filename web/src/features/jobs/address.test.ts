import { describe, expect, it } from "vitest";
import {
  bestArea,
  countFilters,
  inArea,
  isWholeQueue,
  type JobsSearch,
  readJobsSearch,
  withoutFilters,
} from "./address";

/** As the router writes an address and reads it again. */
function roundTrip(search: JobsSearch): JobsSearch {
  return readJobsSearch(JSON.parse(JSON.stringify(search)));
}

describe("the address of a list", () => {
  it("says all there is to say, and comes back the same", () => {
    const all: JobsSearch = {
      area: "history",
      search: "resnet 训练",
      owner: "li",
      mine: true,
      state: "failed",
      end_reason: "time_limit",
      tag: "project=vit",
      sort: "longest",
    };
    expect(roundTrip(all)).toEqual(all);
    expect(roundTrip({})).toEqual({});
  });

  it("takes a number for the text that it was", () => {
    expect(readJobsSearch({ search: 2024 })).toEqual({ search: "2024" });
  });

  it("forgets what makes no sense", () => {
    expect(
      readJobsSearch({
        area: "elsewhere",
        sort: "best",
        state: "happy",
        end_reason: 3,
        mine: "no",
        owner: " ",
      }),
    ).toEqual({});
  });

  it("leaves behind what belongs to one area only", () => {
    expect(
      inArea(
        { area: "history", search: "x", state: "failed", end_reason: "signal", sort: "name" },
        "waiting",
      ),
    ).toEqual({ area: "waiting", search: "x", sort: "name" });
  });

  it("goes where something is", () => {
    expect(bestArea({ waiting: 3, running: 1, history: 9 })).toBe("running");
    expect(bestArea({ waiting: 3, running: 0, history: 9 })).toBe("waiting");
    expect(bestArea({})).toBe("history");
  });

  it("knows its filters from its order", () => {
    expect(countFilters({ area: "waiting", sort: "name" })).toBe(0);
    expect(countFilters({ search: "x", mine: true })).toBe(2);
    expect(withoutFilters({ area: "waiting", sort: "name", mine: true })).toEqual({
      area: "waiting",
      sort: "name",
    });
    expect(isWholeQueue({ area: "waiting" })).toBe(true);
    expect(isWholeQueue({ area: "waiting", sort: "name" })).toBe(false);
    expect(isWholeQueue({ area: "history" })).toBe(false);
  });
});
