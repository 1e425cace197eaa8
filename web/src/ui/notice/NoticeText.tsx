import { lazy, Suspense } from "react";
import { useLanguage } from "@/lib/i18n/language";
import { type NoticeTexts, textOf } from "./noticeLanguage";
import "./NoticeText.css";

const Markdown = lazy(() => import("./Markdown"));

/** The words of a notice; until what draws Markdown is loaded, as they were typed. */
export function NoticeText({ notice }: { notice: NoticeTexts }) {
  const text = textOf(notice, useLanguage());
  return (
    <div className="notice-text">
      <Suspense fallback={<p>{text}</p>}>
        <Markdown text={text} />
      </Suspense>
    </div>
  );
}
