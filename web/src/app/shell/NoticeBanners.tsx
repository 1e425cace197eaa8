import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Alert } from "antd";
import { api } from "@/lib/api/client";
import { keys, noticesQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { ALERT_OF } from "@/ui/notice/levels";
import { NoticeText } from "@/ui/notice/NoticeText";
import { useChangeOfNotices } from "@/ui/notice/useChangeOfNotices";
import { words } from "../words";

/** What administrators tell this user now, above every page, until the user has read enough of it. */
export function NoticeBanners() {
  const say = useWords(words);
  const client = useQueryClient();
  const { data, dataUpdatedAt } = useQuery(noticesQuery);
  useChangeOfNotices(noticesQuery.queryKey, data?.changes_in_s, dataUpdatedAt);
  const { act } = useAct();

  async function dismiss(notice_id: number) {
    const params = { path: { notice_id } };
    await act(() => api.POST("/api/v1/notices/{notice_id}/dismiss", { params }));
    await client.invalidateQueries({ queryKey: keys.notices });
  }

  return data?.notices.map((notice) => (
    <Alert
      key={notice.id}
      banner
      type={ALERT_OF[notice.level]}
      role={notice.level === "urgent" ? "alert" : "status"}
      title={<NoticeText notice={notice} />}
      closable={{ "aria-label": say("dismissNotice"), onClose: () => void dismiss(notice.id) }}
    />
  ));
}
