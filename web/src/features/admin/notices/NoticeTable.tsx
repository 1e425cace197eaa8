import { DeleteOutlined, EditOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { PostedNotice } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { formatExact } from "@/lib/format";
import { useLanguage, useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Mark } from "@/ui/look/Mark";
import { TONE_OF } from "@/ui/notice/levels";
import { NoticeText } from "@/ui/notice/NoticeText";
import { stateOf } from "./times";
import { words } from "./words";
import "./notices.css";

interface NoticeTableProps {
  notices: readonly PostedNotice[];
  onEdit: (notice: PostedNotice) => void;
  onRemove: (notice: PostedNotice) => void;
}

const COLUMNS = ["text", "level", "state", "from", "until", "audience", "by"] as const;

export function NoticeTable({ notices, onEdit, onRemove }: NoticeTableProps) {
  const say = useWords(words);
  return (
    <div className="admin-table-frame">
      <table className="admin-table">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {say(column)}
              </th>
            ))}
            <th scope="col" className="admin-table-end">
              {say("actions")}
            </th>
          </tr>
        </thead>
        <tbody>
          {notices.map((notice) => (
            <NoticeLine
              key={notice.id}
              notice={notice}
              onEdit={() => onEdit(notice)}
              onRemove={() => onRemove(notice)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NoticeLine({
  notice,
  onEdit,
  onRemove,
}: {
  notice: PostedNotice;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const language = useLanguage();
  const state = stateOf(notice, useNow());
  const { id, level, begins_at, ends_at, roles, created_by } = notice;
  const audience = roles.length ? roles.map((role) => vocabulary(`role.${role}`)) : [say("all")];
  if (notice.public) audience.push(say("signInPage"));
  return (
    <tr>
      <th scope="row" className="notice-cell">
        <NoticeText notice={notice} />
      </th>
      <td>
        <Mark tone={TONE_OF[level]}>{say(level)}</Mark>
      </td>
      <td>
        <Mark tone={state === "shown" ? "free" : "idle"}>{say(state)}</Mark>
      </td>
      <td data-label={say("from")}>{formatExact(begins_at, language)}</td>
      <td data-label={say("until")}>
        {ends_at === null ? (
          <span className="soft">{say("untilRemoved")}</span>
        ) : (
          formatExact(ends_at, language)
        )}
      </td>
      <td data-label={say("audience")}>{audience.join(", ")}</td>
      <td data-label={say("by")}>{created_by}</td>
      <td className="admin-table-end notice-actions">
        <Button type="text" icon={<EditOutlined />} aria-label={say("editNumber", { id })} onClick={onEdit} />
        <Button
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={say("removeNumber", { id })}
          onClick={onRemove}
        />
      </td>
    </tr>
  );
}
