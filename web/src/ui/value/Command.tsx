import { CopyButton } from "./CopyButton";
import "./Command.css";
import "./CodeBlock.css";

/** Something to be typed elsewhere. */
export function Command({ text }: { text: string }) {
  return (
    <div className="command">
      <pre className="code-block">{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}
