import { Loading } from "@/ui/page/Loading";
import { useCompactRows } from "./density";
import "./ListSkeleton.css";

/** As high as the rows that will be there. */
export function ListSkeleton({ rows = 8 }: { rows?: number }) {
  const [compact] = useCompactRows();
  return (
    <Loading>
      <div className={compact ? "list-skeleton list-skeleton-compact" : "list-skeleton"}>
        {Array.from({ length: rows }, (_, index) => (
          <div key={index}>
            <i />
            <i />
            <i />
          </div>
        ))}
      </div>
    </Loading>
  );
}
