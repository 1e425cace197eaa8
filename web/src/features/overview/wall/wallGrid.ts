/** How the GPUs of a cluster are laid out so that they fill a screen and none is beyond its edge. */

export interface WallGrid {
  /** Nodes side by side. */
  columns: number;
  /** GPUs of a node side by side. */
  perRow: number;
  /** So many that names and gaps have to be small, or nothing would be left for the GPUs. */
  small: boolean;
}

/** In em of the wall's own type, as its style sheet has them. */
interface Measures {
  title: number;
  nodeGap: number;
  rowGap: number;
  cellGap: number;
  /** Any narrower, and the name of a node cannot be read. */
  narrowest: number;
}
const USUAL: Measures = { title: 1.8, nodeGap: 1, rowGap: 0.6, cellGap: 0.35, narrowest: 5.5 };
const SMALL: Measures = { title: 1.2, nodeGap: 0.8, rowGap: 0.4, cellGap: 0.15, narrowest: 4.2 };
/** A cell reads best when it is somewhat wider than high. */
const ASPECT = 1.3;
/** A smaller one is no more than a line. */
const SMALLEST = 0.9;

/** The layout with the largest cells in a space that is so many em wide and high. */
export function arrange(nodes: number, gpusPerNode: number, width: number, height: number): WallGrid {
  const [count, gpus] = [Math.max(1, nodes), Math.max(1, gpusPerNode)];
  const usual = fill(count, gpus, width, height, USUAL);
  if (usual.size >= SMALLEST || width <= 0 || height <= 0)
    return { columns: usual.columns, perRow: usual.perRow, small: false };
  const { columns, perRow } = fill(count, gpus, width, height, SMALL);
  return { columns, perRow, small: true };
}

function fill(count: number, gpus: number, width: number, height: number, measures: Measures) {
  const { title, nodeGap, rowGap, cellGap, narrowest } = measures;
  const most = Math.max(1, Math.min(count, Math.floor((width + nodeGap) / (narrowest + nodeGap))));
  let best = { columns: 1, perRow: 1, size: Number.NEGATIVE_INFINITY };
  for (let columns = 1; columns <= most; columns += 1) {
    const blockWidth = part(width, columns, nodeGap);
    const blockHeight = part(height, Math.ceil(count / columns), rowGap) - title;
    for (let perRow = 1; perRow <= gpus; perRow += 1) {
      const rows = Math.ceil(gpus / perRow);
      const cell = Math.min(part(blockWidth, perRow, cellGap), part(blockHeight, rows, cellGap) * ASPECT);
      // A last row that is not full looks like something is missing.
      const size = cell * (gpus / (rows * perRow)) ** 2;
      if (size > best.size) best = { columns, perRow, size };
    }
  }
  return best;
}

/** The size of each of `count` things that share a length, with gaps between them. */
function part(length: number, count: number, gap: number): number {
  return (length - gap * (count - 1)) / count;
}
