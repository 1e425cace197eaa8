/** The text of a log that is selected in the page, as rows with their colours. */

import type { Row } from "../text/lines";
import { indexAt } from "../text/slice";
import { sliceRow } from "./copy";

export function selectedRows(rows: readonly Row[]): Row[] {
  const selection = window.getSelection();
  const list = document.querySelector(".log-rows");
  if (!selection || selection.isCollapsed || selection.rangeCount === 0 || !list) return [];
  const range = selection.getRangeAt(0);
  return [...list.children].flatMap((element) => {
    if (!range.intersectsNode(element)) return [];
    const row = rows[indexAt(rows, Number((element as HTMLElement).dataset.offset))];
    if (!row) return [];
    const before = document.createRange();
    before.selectNodeContents(element);
    const whole = before.toString().length;
    const isStart = element.contains(range.startContainer);
    const isEnd = element.contains(range.endContainer);
    if (isStart) before.setEnd(range.startContainer, range.startOffset);
    const from = isStart ? before.toString().length : 0;
    before.selectNodeContents(element);
    if (isEnd) before.setEnd(range.endContainer, range.endOffset);
    const to = isEnd ? before.toString().length : whole;
    // A selection that ends where a row begins ends with the row before.
    return to === 0 && isEnd && !isStart ? [] : [sliceRow(row, from, to)];
  });
}
