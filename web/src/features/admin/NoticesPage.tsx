import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import type { PostedNotice } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { PageHeader } from "@/ui/page/PageHeader";
import { WithCode } from "@/ui/value/WithCode";
import { NoticeDialog } from "./notices/NoticeDialog";
import { NoticeTable } from "./notices/NoticeTable";
import { allNoticesQuery } from "./notices/queries";
import { RemoveNotice } from "./notices/RemoveNotice";
import { stateOf } from "./notices/times";
import { words } from "./notices/words";

export default function NoticesPage() {
  const say = useWords(words);
  const now = useNow();
  const { data: notices, error, refetch } = useQuery(allNoticesQuery);
  const [edited, setEdited] = useState<PostedNotice | "new" | null>(null);
  const [removed, setRemoved] = useState<number | null>(null);
  const shown = notices?.filter((notice) => stateOf(notice, now) === "shown").length;
  return (
    <>
      <PageHeader
        title={say("notices")}
        note={shown !== undefined && say("note", { count: shown })}
        actions={
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("new")}>
            {say("add")}
          </Button>
        }
      />
      {!notices ? (
        error ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={6} />
        )
      ) : notices.length === 0 ? (
        <Nothing title={say("none")} hint={<WithCode text={say("noneHint")} />} />
      ) : (
        <NoticeTable notices={notices} onEdit={setEdited} onRemove={({ id }) => setRemoved(id)} />
      )}
      {edited && <NoticeDialog notice={edited === "new" ? null : edited} onDone={() => setEdited(null)} />}
      {removed !== null && <RemoveNotice id={removed} onDone={() => setRemoved(null)} />}
    </>
  );
}
