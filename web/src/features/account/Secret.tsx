import { Input } from "antd";
import { CopyButton } from "@/ui/CopyButton";

/** Something to be copied whole: shown in one line, marked by a click. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div className="account-secret">
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
