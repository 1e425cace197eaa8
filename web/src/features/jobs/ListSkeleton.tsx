import { Loading } from "@/ui/Loading";
import "./ListSkeleton.css";

/** As high as the rows that will be there. */
export function ListSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <Loading>
      <div className="list-skeleton">
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
