/** How the GPUs of a cluster are laid out so that they fill a screen and none is beyond its edge. */

export interface WallGrid {
  /** Nodes side by side. */
  columns: number;
  /** GPUs of a node side by side. */
  perRow: number;
}

/** In em of the wall's own type, as its style sheet has them. */
const TITLE = 1.8;
const NODE_GAP = 1;
const ROW_GAP = 0.6;
const CELL_GAP = 0.35;
/** Any narrower, and the name of a node cannot be read. */
const NARROWEST = 5.5;
/** A cell reads best when it is somewhat wider than high. */
const ASPECT = 1.3;

/** The layout with the largest cells in a space that is so many em wide and high. */
export function arrange(nodes: number, gpusPerNode: number, width: number, height: number): WallGrid {
  const [count, gpus] = [Math.max(1, nodes), Math.max(1, gpusPerNode)];
  const most = Math.max(1, Math.min(count, Math.floor((width + NODE_GAP) / (NARROWEST + NODE_GAP))));
  let best: WallGrid = { columns: 1, perRow: 1 };
  let largest = Number.NEGATIVE_INFINITY;
  for (let columns = 1; columns <= most; columns += 1) {
    const blockWidth = part(width, columns, NODE_GAP);
    const blockHeight = part(height, Math.ceil(count / columns), ROW_GAP) - TITLE;
    for (let perRow = 1; perRow <= gpus; perRow += 1) {
      const rows = Math.ceil(gpus / perRow);
      const cell = Math.min(part(blockWidth, perRow, CELL_GAP), part(blockHeight, rows, CELL_GAP) * ASPECT);
      // A last row that is not full looks like something is missing.
      const size = cell * (gpus / (rows * perRow)) ** 2;
      if (size > largest) {
        largest = size;
        best = { columns, perRow };
      }
    }
  }
  return best;
}

/** The size of each of `count` things that share a length, with gaps between them. */
function part(length: number, count: number, gap: number): number {
  return (length - gap * (count - 1)) / count;
}
