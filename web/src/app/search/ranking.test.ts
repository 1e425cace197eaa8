import { describe, expect, it } from "vitest";
import { type Candidate, Fit, fitOf, jobRefIn, type Kind, rank } from "./ranking";

const MOST = { page: 3, action: 3, node: 3, user: 3, job: 3 };

function a(kind: Kind, ...names: string[]): Candidate {
  return { key: `${kind}:${names[0]}`, kind, names };
}

function keysOf(text: string, candidates: readonly Candidate[]): string[] {
  return rank(text, candidates, MOST).flatMap(({ found }) => found.map(({ key }) => key));
}

describe("how well a text fits a name", () => {
  it.each([
    ["nodes", "Nodes", Fit.Whole],
    ["set", "Settings", Fit.Beginning],
    ["log", "Server log", Fit.Word],
    ["fold", "resnet50-fold-3", Fit.Word],
    ["net", "resnet50", Fit.Inside],
    ["e", "Nodes", Fit.None],
    ["日志", "服务器日志", Fit.Word],
    ["ｌｏｇ", "Server log", Fit.Word],
    ["log server", "Server log", Fit.Word],
    ["log nothing", "Server log", Fit.None],
    ["  ", "Server log", Fit.None],
    ["+*(", "Server log", Fit.None],
  ])("%s: %s", (text, name, fit) => {
    expect(fitOf(text, [name])).toBe(fit);
  });

  it("takes the best of several, so that both languages are understood", () => {
    expect(fitOf("节点", ["Nodes", "节点"])).toBe(Fit.Whole);
  });
});

it("knows the number of a job when it sees one", () => {
  expect(["12", "#12", " 12 ", "１２", "12[3]"].map(jobRefIn)).toEqual(["12", "12", "12", "12", "12[3]"]);
  expect(["", "12a", "-1", "run-12", "[3]"].map(jobRefIn)).toEqual([null, null, null, null, null]);
});

describe("what is offered", () => {
  it("begins with what fits best, whatever it is", () => {
    const all = [a("page", "Jobs"), a("action", "Light appearance"), a("user", "li"), a("node", "lion")];
    expect(keysOf("li", all)).toEqual(["user:li", "action:Light appearance", "node:lion"]);
  });

  it("has jobs before what merely has the text inside, and after what is called so", () => {
    const jobs = [a("job", "7", "resettle"), a("job", "6", "settings-sweep")];
    expect(keysOf("sett", [a("page", "Settings"), ...jobs])).toEqual(["page:Settings", "job:6", "job:7"]);
    expect(keysOf("ettle", [a("page", "Resettlement"), ...jobs])).toEqual(["job:7", "page:Resettlement"]);
  });

  it("begins with the job whose number was typed", () => {
    const all = [a("node", "12"), a("job", "112", "x"), a("job", "3", "run-12"), a("job", "12", "y")];
    expect(keysOf("#12", all)).toEqual(["job:12", "job:3", "job:112", "node:12"]);
  });

  it("keeps what the server answered, even where it looks unlike the text", () => {
    const answer = { ...a("job", "5", "Ünlike"), isAnswer: true };
    expect(keysOf("unlike", [answer, a("job", "6", "other")])).toEqual(["job:5"]);
  });

  it("knows other words, but not by what is inside of them", () => {
    const all = [{ ...a("page", "New job", "新建任务"), also: ["submit create", "提交"] }];
    expect(["create", "submit job", "提交"].map((text) => keysOf(text, all).length)).toEqual([1, 1, 1]);
    expect(["re", "bmit"].map((text) => keysOf(text, all).length)).toEqual([0, 0]);
  });

  it("is never too much of one kind", () => {
    const nodes = Array.from({ length: 50 }, (_, n) => a("node", `gpu-${n}`));
    expect(keysOf("gpu", nodes)).toEqual(["node:gpu-0", "node:gpu-1", "node:gpu-2"]);
  });
});
