import { Link } from "@tanstack/react-router";
import type { GpuRow } from "@/lib/api/schema";
import { useVocabulary } from "@/lib/vocabulary-words";
import { type Condition, foreignersOn } from "./GpuCondition";
import type { Holders } from "./GpuHolders";
import "./GpuOccupants.css";

interface GpuOccupantsProps {
  gpu: GpuRow;
  condition: Condition;
  holders: Holders;
  /** How many are named before the rest is only counted. */
  most?: number;
}

/** Who is on a GPU: the jobs and their owners, strangers, or what is wrong with it. */
export function GpuOccupants({ gpu, condition, holders, most = 2 }: GpuOccupantsProps) {
  const say = useVocabulary();
  const jobs = gpu.jobs ?? [];
  if (condition === "sick") return <span className="gpu-fault">{gpu.fault}</span>;
  if (jobs.length > 0) {
    const more = jobs.length - most;
    return (
      <span className="gpu-occupants">
        {jobs.slice(0, more > 0 ? most - 1 : most).map((id, place) => {
          const holder = holders[id];
          return (
            // An array may hold one GPU several times, under one number.
            <Link
              key={`${id}/${place}`}
              to="/jobs/$ref"
              params={{ ref: String(id) }}
              preload={false}
              className="gpu-occupant"
              title={holder?.name}
            >
              {holder?.owner ?? (id === gpu.job ? gpu.user : null)} <b className="number">#{id}</b>
            </Link>
          );
        })}
        {more > 0 && <span className="soft number">+{more + 1}</span>}
      </span>
    );
  }
  if (condition === "foreign") {
    const names = foreignersOn(gpu).map((name) => name || say("gpu.hidden"));
    return <span className="gpu-occupants">{names.join(", ") || say("gpu.hidden")}</span>;
  }
  return null;
}
