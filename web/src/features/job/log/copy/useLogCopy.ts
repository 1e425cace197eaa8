import { App } from "antd";
import { copyText } from "@/lib/clipboard";
import { formatBytes, formatNumber } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import type { LogState } from "../follow/store";
import { isMarked, type Mark } from "../mark/mark";
import type { Place } from "../search/useLogSearch";
import { LONGEST_LINE, type Row } from "../text/lines";
import type { ReadPiece } from "../text/pieces";
import { words } from "../words";
import { countLines, type Form, MOST_COPIED, readRows, textOf } from "./copy";

export interface LogCopy {
  /** These rows, as they are. */
  rows(rows: readonly Row[], form: Form): Promise<void>;
  inView(form: Form): Promise<void>;
  /** The whole log, or the last part of one that is too long for a clipboard. */
  all(form: Form): Promise<void>;
  marked(mark: Mark, form: Form): Promise<void>;
}

/** Each copy has a message of its own: one in the place of another would go as soon as that one had to. */
let copies = 0;

/** Copies parts of a log, and says how much it was. */
export function useLogCopy(read: ReadPiece, state: LogState, place: () => Place): LogCopy {
  const say = useWords(words);
  const language = useLanguage();
  const { message } = App.useApp();

  async function tell(copied: readonly Row[], form: Form, key: number, more?: { of: number }): Promise<void> {
    const text = textOf(copied, form);
    const lines = countLines(copied);
    const facts = {
      count: lines,
      lines: formatNumber(lines, language),
      size: formatBytes(new Blob([text]).size),
    };
    if (!(await copyText(text))) void message.error({ key, content: say("notCopied") });
    else if (more) {
      const told = say("copiedPart", { ...facts, whole: formatBytes(more.of) });
      void message.warning({ key, content: told, duration: 6 });
    } else void message.success({ key, content: say(form === "plain" ? "copied" : "copiedColours", facts) });
  }

  /** Reads first; meanwhile that is said. */
  async function from(reading: () => Promise<{ copied: readonly Row[]; more?: { of: number } }>, form: Form) {
    copies += 1;
    const key = copies;
    void message.loading({ key, content: say("copying"), duration: 0 });
    try {
      const { copied, more } = await reading();
      await tell(copied, form, key, more);
    } catch {
      void message.error({ key, content: say("notRead") });
    }
  }

  function rows(copied: readonly Row[], form: Form): Promise<void> {
    copies += 1;
    return tell(copied, form, copies);
  }

  return {
    rows,
    inView: (form) => {
      const { top, bottom } = place();
      return rows(
        state.rows.filter((row) => row.end > top && row.offset < bottom),
        form,
      );
    },
    all: (form) =>
      from(async () => {
        const { size } = await read(-1, 1);
        const begin = Math.max(0, size - MOST_COPIED);
        const copied = await readRows(read, begin, size);
        // The first line is there only in part.
        return begin > 0 ? { copied: copied.slice(1), more: { of: size } } : { copied };
      }, form),
    marked: (mark, form) =>
      from(async () => {
        const end = Math.min(mark.to + LONGEST_LINE, mark.at + MOST_COPIED, state.size);
        const copied = (await readRows(read, mark.at, end)).filter((row) => isMarked(row, mark));
        return mark.to < end ? { copied } : { copied, more: { of: mark.to - mark.at } };
      }, form),
  };
}
