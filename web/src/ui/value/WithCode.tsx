import { Fragment } from "react";
import "./WithCode.css";

/** A sentence in which `commands` stand between backticks. */
export function WithCode({ text }: { text: string }) {
  return text.split("`").map((part, place) =>
    place % 2 ? (
      <code key={place} className="with-code">
        {part}
      </code>
    ) : (
      <Fragment key={place}>{part}</Fragment>
    ),
  );
}
