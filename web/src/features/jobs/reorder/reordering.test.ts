import { describe, expect, it } from "vitest";
import { addMove, boundsOf, type Move, movesFrom, placeAfter, placeOf, withMoves } from "./reordering";

describe("where a job goes", () => {
  it("counts its own place out when it goes down", () => {
    expect(placeAfter(1, 4)).toBe(3);
    expect(placeAfter(3, 1)).toBe(1);
    expect(placeAfter(2, 2)).toBe(2);
    expect(placeAfter(2, 3)).toBe(2);
  });

  it("only where there is somewhere to go", () => {
    expect(movesFrom(0, [0, 2])).toEqual(["down", "toBottom"]);
    expect(movesFrom(1, [0, 2])).toEqual(["toTop", "up", "down", "toBottom"]);
    expect(movesFrom(2, [0, 2])).toEqual(["toTop", "up"]);
    expect(movesFrom(2, [0, Infinity])).toEqual(["toTop", "up", "down", "toBottom"]);
    expect(movesFrom(0, [0, 0])).toEqual([]);
  });

  it("among the urgent jobs, which lead, or behind them", () => {
    const [urgent, other] = [{ urgent: true }, { urgent: false }];
    const rows = [urgent, urgent, other, other, other];
    expect(boundsOf(rows, urgent, 9)).toEqual([0, 1]);
    expect(boundsOf(rows, other, 9)).toEqual([2, 8]);
    // Those that are not loaded yet may be urgent too.
    expect(boundsOf([urgent, urgent], urgent, 9)).toEqual([0, 8]);
    expect(movesFrom(2, [2, 8])).toEqual(["down", "toBottom"]);
    expect(placeOf("toTop", 4, [2, 8])).toBe(2);
    expect(placeOf("down", 1, [0, 1])).toBe(1);
  });

  it("by name", () => {
    expect(placeOf("toTop", 3, [0, 8])).toBe(0);
    expect(placeOf("up", 3, [0, 8])).toBe(2);
    expect(placeOf("down", 3, [0, 8])).toBe(4);
    expect(placeOf("toBottom", 3, [0, 8])).toBe(8);
  });
});

describe("moves while the server has not answered yet", () => {
  const rows = [..."abcdefghij"].map((ref) => ({ ref }));
  const order = (moves: readonly Move[]) =>
    withMoves(rows, moves)
      .map(({ ref }) => ref)
      .join("");

  it("add up, and only the last place of a job is asked for", () => {
    let moves: Move[] = [];
    for (let press = 0; press < 9; press += 1) {
      const index = withMoves(rows, moves).findIndex(({ ref }) => ref === "j");
      moves = addMove(moves, { ref: "j", to: placeOf("up", index, [0, rows.length - 1]) });
    }
    expect(moves).toEqual([
      { ref: "j", to: 8 },
      { ref: "j", to: 0 },
    ]);
    expect(order(moves)).toBe("jabcdefghi");
  });

  it("of different jobs are kept in their order", () => {
    const moves = addMove(addMove(addMove([], { ref: "b", to: 0 }), { ref: "c", to: 0 }), {
      ref: "b",
      to: 0,
    });
    expect(moves).toHaveLength(3);
    expect(order(moves)).toBe("bcadefghij");
  });

  it("of a job that has left the list change nothing", () => {
    expect(order([{ ref: "gone", to: 0 }])).toBe("abcdefghij");
    expect(withMoves(rows, [])).toBe(rows);
  });
});
