import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useDark } from "@/lib/dark";
import { useWords } from "@/lib/i18n/language";
import { words } from "../words";
import "./Chart.css";

export interface Line {
  label: string;
  color: string;
  values: readonly (number | null)[];
}

interface ChartProps {
  /** What the chart shows, for those who do not see it. */
  label: string;
  times: readonly number[];
  lines: readonly Line[];
  /** How a value is written on the axis and in the legend. */
  format: (value: number) => string;
  max?: number;
  height?: number;
}

function cssColor(color: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  return name ? getComputedStyle(document.documentElement).getPropertyValue(name).trim() : color;
}

/** A time series. Redrawn in place as it grows; nothing around it moves. */
export function Chart({ label, times, lines, format, max, height = 140 }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const writer = useRef(format);
  writer.current = format;
  const dark = useDark();
  const time = useWords(words)("time");
  const shape = JSON.stringify([lines.map(({ label, color }) => [label, color]), max, height, dark, time]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const [drawn] = JSON.parse(shape) as [[string, string][]];
    const ink = cssColor("var(--ink-soft)");
    const grid = { stroke: cssColor("var(--line)"), width: 1 };
    const axis = { stroke: ink, grid, ticks: { show: false }, font: "11px sans-serif" };
    const made = new uPlot(
      {
        width: element.clientWidth || 300,
        height,
        padding: [8, 24, 0, 0],
        cursor: { points: { size: 6 }, drag: { x: false, y: false } },
        legend: { live: true },
        hooks: { setLegend: [showLatest] },
        scales: {
          x: { time: true },
          y: { range: (_u, _low, high) => [0, max ?? Math.max(1, (high ?? 0) * 1.1)] },
        },
        axes: [
          { ...axis, size: 24, space: 80, values: writeTimes },
          {
            ...axis,
            size: 64,
            splits: (_u, _axis, low, high) => [low, (low + high) / 2, high],
            values: (_u, values) => values.map((value) => writer.current(value)),
          },
        ],
        series: [
          { label: time, value: (u, at) => (at === null ? "–" : moment(at, spanOf(u))) },
          ...drawn.map(([name, color]) => ({
            label: name,
            stroke: cssColor(color),
            width: 1.5,
            points: { show: false },
            spanGaps: false,
            value: (_u: uPlot, value: number | null) => (value === null ? "–" : writer.current(value)),
          })),
        ],
      },
      [[], ...drawn.map(() => [])],
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, max, height, time]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart made anew (`shape`) is empty and needs its data.
  useEffect(() => {
    plot.current?.setData([times as number[], ...lines.map(({ values }) => values as (number | null)[])]);
    if (plot.current) showLatest(plot.current);
  }, [times, lines, shape]);

  return <div ref={box} role="img" aria-label={label} className="chart" style={{ minHeight: height }} />;
}

/** While the user points at no moment, the legend tells the last one. */
function showLatest(plot: uPlot): void {
  const last = plot.data[0].length - 1;
  if (last >= 0 && (plot.cursor.left ?? -1) < 0 && plot.legend.idx !== last)
    plot.setLegend({ idx: last }, false);
}

const DAY_S = 86_400;

function spanOf({ scales: { x } }: uPlot): number {
  return (x?.max ?? 0) - (x?.min ?? 0);
}

/** A time of day is enough where the whole chart is about hours. */
function writeTimes(plot: uPlot, seconds: number[]): string[] {
  const span = spanOf(plot);
  return seconds.map((at) => (span > 3 * DAY_S ? day(at) : span > DAY_S / 2 ? moment(at, span) : clock(at)));
}

function moment(at: number, span: number): string {
  return span > DAY_S / 2 ? `${day(at)} ${clock(at).slice(0, 5)}` : clock(at);
}

function day(at: number): string {
  const date = new Date(at * 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function clock(at: number): string {
  return new Date(at * 1000).toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}
