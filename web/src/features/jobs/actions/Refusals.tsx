import type { Refusal } from "./outcome";
import "./Refusals.css";

/** Each job that was refused, and why, in the server's words. */
export function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  return (
    <ul className="refusals">
      {refusals.map(({ ref, name, message }) => (
        <li key={ref}>
          <b>
            <span className="mono">{ref}</span> {name}
          </b>
          <div>{message}</div>
        </li>
      ))}
    </ul>
  );
}
