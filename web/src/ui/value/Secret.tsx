import { Input } from "antd";
import { CopyButton } from "./CopyButton";
import "./Secret.css";

/** Something to be copied whole: shown in one line, marked by a click. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div className="secret">
      <Input
        readOnly
        className="mono"
        aria-label={label}
        value={value}
        autoComplete="off"
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={value} type="primary" />
    </div>
  );
}
