import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { jobListQuery, nodesQuery, statusQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useKey } from "@/lib/keyboard";
import { countConditions } from "@/ui/gpu/GpuCondition";
import { useHolders, useRunningJobs } from "@/ui/gpu/GpuHolders";
import { GpuLegend } from "@/ui/gpu/GpuLegend";
import { useInOrder } from "@/ui/node/nodeOrder";
import { useTabTitle } from "@/ui/page/useTabTitle";
import { sharesOf } from "./wall/shares";
import { useAwake } from "./wall/useAwake";
import { WallHead } from "./wall/WallHead";
import { WallHeat } from "./wall/WallHeat";
import { WallPeople, WallQueue, WallRunning } from "./wall/WallLists";
import { words } from "./words";
import "./WallPage.css";

const NEXT = jobListQuery({ area: "waiting", limit: 6 });

/** The cluster for a wall: nothing to operate, everything to be read from across the room. */
export default function WallPage() {
  const say = useWords(words);
  const navigate = useNavigate();
  const { data } = useQuery({ ...nodesQuery, placeholderData: keepPreviousData });
  const nodes = useInOrder(data) ?? [];
  const { data: status } = useQuery(statusQuery);
  const { data: queue } = useQuery({ ...NEXT, placeholderData: keepPreviousData });
  const holders = useHolders();
  const running = useRunningJobs();
  const counts = countConditions(nodes, holders);
  useTabTitle(say("wall"));
  useAwake();
  useKey("Escape", () => void navigate({ to: "/" }));
  return (
    <main className="wall" data-theme="dark">
      <WallHead counts={counts} status={status} nodes={nodes} />
      <section className="wall-heat" aria-label={say("gpus")}>
        <WallHeat nodes={nodes} holders={holders} />
      </section>
      <div className="wall-side">
        <WallPeople shares={sharesOf(nodes, holders)} />
        <WallRunning jobs={running ?? []} total={status?.running ?? 0} />
        <WallQueue jobs={queue?.jobs ?? []} total={status?.waiting ?? 0} />
      </div>
      <footer className="wall-foot">
        <GpuLegend counts={counts} />
      </footer>
    </main>
  );
}
