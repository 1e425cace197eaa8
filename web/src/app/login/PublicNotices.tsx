import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { publicNoticesQuery } from "@/lib/api/queries";
import { ALERT_OF } from "@/ui/notice/levels";
import { NoticeText } from "@/ui/notice/NoticeText";
import { useChangeOfNotices } from "@/ui/notice/useChangeOfNotices";

/** What administrators tell also those who cannot sign in, perhaps why. */
export function PublicNotices() {
  const { data, dataUpdatedAt } = useQuery(publicNoticesQuery);
  useChangeOfNotices(publicNoticesQuery.queryKey, data?.changes_in_s, dataUpdatedAt);
  return data?.notices.map((notice) => (
    <Alert
      key={notice.id}
      showIcon
      className="doorstep-notice"
      type={ALERT_OF[notice.level]}
      title={<NoticeText notice={notice} />}
    />
  ));
}
