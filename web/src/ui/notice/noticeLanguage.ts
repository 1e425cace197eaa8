import type { NoticeRow } from "@/lib/api/schema";
import type { Language } from "@/lib/i18n/words";

export type NoticeTexts = Pick<NoticeRow, "text_en" | "text_zh">;

/** In the reader's language where there is a text in it, else in the other one. */
export function textOf({ text_en, text_zh }: NoticeTexts, language: Language): string {
  return language === "zh" ? text_zh || text_en : text_en || text_zh;
}
