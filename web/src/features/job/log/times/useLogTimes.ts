import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { answer, api } from "@/lib/api/client";
import type { LogName } from "../follow/source";
import type { Place } from "../search/useLogSearch";
import { askedPart, type Sample } from "./times";

const SWITCH = "danlu.log.times";
/** A node looks every second how long a log has become. */
const LOOK_MS = 1500;

export interface LogTimesView {
  readonly isOn: boolean;
  toggle(): void;
  /** None while they are switched off or not known. */
  readonly samples: readonly Sample[] | null;
  /** Why there are none although they are wanted. */
  readonly problem: "timesUnknown" | "timesFailed" | null;
}

/** The times beside the lines, asked for only while they are switched on. */
export function useLogTimes(name: LogName, place: Place, isLive: boolean): LogTimesView {
  const [isOn, setOn] = useState(() => localStorage.getItem(SWITCH) === "yes");
  const { ref, attempt, rank, stream } = name;
  const { begin, end } = askedPart(place.top, place.bottom);
  const { data, error, refetch, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: ["job", ref, "log-times", attempt, rank, stream, begin, end, isLive],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/jobs/{job_id}/log/times", {
          params: { path: { job_id: ref }, query: { attempt, rank, stream, begin, end } },
          signal,
        }),
      ),
    enabled: isOn,
    placeholderData: keepPreviousData,
  });
  // What is in view may have been written after the last look that was told of.
  const isBehind = data?.known && place.bottom > (data.times.at(-1)?.offset ?? 0);
  const isWanting = isOn && (error !== null || (isLive && isBehind));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer, good or bad, is a reason to look whether it is enough.
  useEffect(() => {
    if (!isWanting) return;
    const timer = setTimeout(() => void refetch(), LOOK_MS);
    return () => clearTimeout(timer);
  }, [isWanting, refetch, dataUpdatedAt, errorUpdatedAt]);
  const unknown = data && !data.known ? "timesUnknown" : null;
  return {
    isOn,
    toggle: () => {
      localStorage.setItem(SWITCH, isOn ? "no" : "yes");
      setOn(!isOn);
    },
    samples: isOn && data?.known ? data.times : null,
    problem: isOn ? (error && !data ? "timesFailed" : unknown) : null,
  };
}
