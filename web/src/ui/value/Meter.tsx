import type { Tone } from "../look/tones";
import "./Meter.css";

interface MeterProps {
  label: string;
  /** In words; what the bar shows can be read as well. */
  value: string;
  /** 0 to 100; null: not known. */
  percent: number | null;
  tone?: Tone;
}

/** A label, a value and a thin bar. */
export function Meter({ label, value, percent, tone = "busy" }: MeterProps) {
  return (
    <div className="meter">
      <span className="meter-label">{label}</span>
      <span className="meter-value">{value}</span>
      <span className="meter-track" aria-hidden="true">
        <i className={`meter-fill meter-fill-${tone}`} style={{ width: `${percent ?? 0}%` }} />
      </span>
    </div>
  );
}
