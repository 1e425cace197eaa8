/** The colours and weights that programs ask a terminal for, as they look on our dark ground. */
import type { CSSProperties } from "react";
import { PALETTE, TERMINAL_COLORS } from "@/ui/look/colors";

/** A number of the terminal's palette (0–255), or a colour of its own. */
export type Colour = number | `#${string}`;

export interface Style {
  readonly fg?: Colour;
  readonly bg?: Colour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
  readonly hidden?: boolean;
}

export const PLAIN: Style = {};

const { "code-ground": GROUND, "code-ink": INK } = PALETTE.light;

const known = new Map<string, Style>([["{}", PLAIN]]);

/** The same style is the same object, so that neighbours can be compared by identity. */
function intern(style: Style): Style {
  const entries = Object.entries(style).filter(([, value]) => value !== undefined && value !== false);
  const key = JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
  const found = known.get(key);
  if (found) return found;
  // A program may ask for millions of colours; only what is drawn now matters.
  if (known.size > 5000) known.clear();
  known.set("{}", PLAIN);
  const made = Object.freeze(Object.fromEntries(entries)) as Style;
  known.set(key, made);
  return made;
}

const SWITCHES: Record<number, Partial<Style>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  8: { hidden: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: undefined, dim: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  28: { hidden: undefined },
  29: { strike: undefined },
  39: { fg: undefined },
  49: { bg: undefined },
};

/** A log has few sequences, and each many times. */
const steps = new WeakMap<Style, Map<string, Style>>();
const MOST_STEPS = 1000;

/** `style` after an SGR sequence, whose parameters are the text between `ESC [` and `m`. */
export function applySgr(style: Style, parameters: string): Style {
  const after = steps.get(style) ?? new Map<string, Style>();
  const found = after.get(parameters) ?? changed(style, parameters);
  if (after.size >= MOST_STEPS) after.clear();
  steps.set(style, after.set(parameters, found));
  return found;
}

/** The numbers of one parameter: `38:2::r:g:b` is the same as `38;2;r;g;b`, `4:3` is some underline, `4:0` is none. */
function numbersOf(parameter: string): number[] {
  if (parameter === "4:0") return [24];
  const parts = /^[345]8:/.test(parameter)
    ? parameter.replace(/^(\d8):2:\d*:(\d+:\d+:\d+)/, "$1:2:$2").split(":")
    : [parameter.split(":", 1)[0] ?? ""];
  return parts.map((part) => (part === "" ? 0 : Number(part)));
}

function changed(style: Style, parameters: string): Style {
  const numbers = parameters.split(";").flatMap(numbersOf);
  let after: Style = style;
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) after = PLAIN;
    else if (code >= 30 && code <= 37) after = { ...after, fg: code - 30 };
    else if (code >= 40 && code <= 47) after = { ...after, bg: code - 40 };
    else if (code >= 90 && code <= 97) after = { ...after, fg: code - 82 };
    else if (code >= 100 && code <= 107) after = { ...after, bg: code - 92 };
    else if (code === 38 || code === 48 || code === 58) {
      const [colour, used] = longColour(numbers, at + 1);
      // 58 is the colour of the underline, which is drawn in that of the text.
      if (colour !== undefined && code !== 58) after = { ...after, [code === 38 ? "fg" : "bg"]: colour };
      at += used;
    } else after = { ...after, ...SWITCHES[code] };
  }
  return intern(after);
}

/** The parameters of an SGR sequence that asks for a style where nothing else was asked for. */
export function codesOf(style: Style): string {
  const switches = Object.entries(SWITCHES)
    .filter(([code, given]) => code !== "21" && isOf(style, given))
    .map(([code]) => code);
  return [...switches, ...colourCodes(style.fg, 30), ...colourCodes(style.bg, 40)].join(";");
}

function isOf(style: Style, given: Partial<Style>): boolean {
  return Object.entries(given).every(
    ([name, value]) => value === true && style[name as keyof Style] === true,
  );
}

/** `from` is 30 for the ink and 40 for the ground. */
function colourCodes(colour: Colour | undefined, from: number): (number | string)[] {
  if (colour === undefined) return [];
  if (typeof colour === "string") return [from + 8, 2, ...fromHex(colour)];
  if (colour < 8) return [from + colour];
  return colour < 16 ? [from + 52 + colour] : [from + 8, 5, colour];
}

/** A colour out of many, and how many numbers it took to say it. */
function longColour(numbers: readonly number[], at: number): [Colour | undefined, number] {
  if (numbers[at] === 5) {
    const index = numbers[at + 1];
    return [index !== undefined && index >= 0 && index <= 255 ? index : undefined, 2];
  }
  if (numbers[at] === 2) {
    const rgb = numbers.slice(at + 1, at + 4);
    return [rgb.length === 3 && rgb.every((part) => part >= 0 && part <= 255) ? toHex(rgb) : undefined, 4];
  }
  return [undefined, 0];
}

export function hexOf(colour: Colour): string {
  if (typeof colour === "string") return colour;
  const named = TERMINAL_COLORS[colour];
  if (named) return named;
  if (colour >= 232) return toHex(Array(3).fill(8 + (colour - 232) * 10));
  const cube = colour - 16;
  return toHex(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => (step ? 55 + step * 40 : 0)),
  );
}

function toHex(rgb: readonly number[]): `#${string}` {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function fromHex(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = fromHex(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** `colour`, or what is nearest to it and can be read on `ground`. */
export function readable(colour: string, ground: string): string {
  const goal = luminance(ground) > 0.18 ? 0 : 255;
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = toHex(fromHex(colour).map((part) => part + (goal - part) * share));
    if (contrast(mixed, ground) >= 4.5) return mixed;
  }
  return toHex([goal, goal, goal]);
}

const drawn = new WeakMap<Style, CSSProperties>();

/** How a style is drawn. Whatever a program asks for, it can be read. */
export function cssOf(style: Style): CSSProperties | undefined {
  if (style === PLAIN) return undefined;
  const made = drawn.get(style) ?? makeCss(style);
  drawn.set(style, made);
  return made;
}

function makeCss(style: Style): CSSProperties {
  let ink = style.fg === undefined ? INK : hexOf(style.fg);
  let ground = style.bg === undefined ? GROUND : hexOf(style.bg);
  if (style.inverse) [ink, ground] = [ground, ink];
  if (style.dim) ink = mix(ink, ground);
  const css: CSSProperties = { color: style.hidden ? "transparent" : readable(ink, ground) };
  if (ground !== GROUND) css.backgroundColor = ground;
  if (style.bold) css.fontWeight = 700;
  if (style.italic) css.fontStyle = "italic";
  const lines = [style.underline && "underline", style.strike && "line-through"].filter(Boolean);
  if (lines.length > 0) css.textDecoration = lines.join(" ");
  return css;
}

function mix(ink: string, ground: string): string {
  const under = fromHex(ground);
  return toHex(fromHex(ink).map((part, at) => part * 0.65 + (under[at] ?? 0) * 0.35));
}
