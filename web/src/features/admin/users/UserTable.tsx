import { EllipsisOutlined } from "@ant-design/icons";
import { Link } from "@tanstack/react-router";
import { Button, Dropdown, type MenuProps } from "antd";
import { useMe } from "@/app/session";
import type { UserRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { Mark } from "@/ui/look/Mark";
import { Ago } from "@/ui/value/Time";
import { words } from "./words";
import "@/ui/value/FactTable.css";

export type UserAction = "edit" | "lock" | "unlock" | "newPassword";

interface UserTableProps {
  users: readonly UserRow[];
  onAct: (action: UserAction, user: UserRow) => void;
}

export function UserTable({ users, onAct }: UserTableProps) {
  const say = useWords(words);
  return (
    <div className="fact-table-frame">
      <table className="fact-table fact-table-lines">
        <thead>
          <tr>
            {(["name", "role", "account", "state", "seen", "jobs"] as const).map((column) => (
              <th key={column} scope="col">
                {say(column)}
              </th>
            ))}
            <th scope="col" className="fact-table-end">
              {say("actions")}
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <UserLine key={user.name} user={user} onAct={onAct} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UserLine({ user, onAct }: { user: UserRow; onAct: UserTableProps["onAct"] }) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const isMe = useMe().name === user.name;
  const { name, role, locked, unix_account, last_seen_at } = user;
  const actions: UserAction[] = ["edit", "newPassword", locked ? "unlock" : "lock"];
  const items: MenuProps["items"] = actions.map((key) => ({
    key,
    label: say(key),
    danger: key === "lock",
    // Setting it here would end this very session.
    disabled: key === "newPassword" && isMe,
    ...(key === "newPassword" && isMe ? { title: say("passwordYours") } : {}),
  }));
  return (
    <tr>
      <th scope="row" className="fact-table-title">
        <b>{name}</b> {isMe && <span className="soft">({say("you")})</span>}
      </th>
      <td>{vocabulary(`role.${role}`)}</td>
      <td data-label={say("account")}>
        {unix_account ? <code>{unix_account}</code> : <span className="soft">{say("none")}</span>}
      </td>
      <td>
        <Mark tone={locked ? "sick" : "free"}>{say(locked ? "locked" : "active")}</Mark>
      </td>
      <td data-label={say("seen")}>
        {last_seen_at ? <Ago at={last_seen_at} /> : <span className="soft">{say("notSeen")}</span>}
      </td>
      <td data-label={say("jobs")}>
        <Link to="/jobs" search={{ owner: name }}>
          <JobsOf user={user} />
        </Link>
      </td>
      <td className="fact-table-end">
        <Dropdown trigger={["click"]} menu={{ items, onClick: ({ key }) => onAct(key as UserAction, user) }}>
          <Button type="text" icon={<EllipsisOutlined />} aria-label={say("actionsOf", { name })} />
        </Dropdown>
      </td>
    </tr>
  );
}

function JobsOf({ user: { running = 0, waiting = 0 } }: { user: UserRow }) {
  const say = useWords(words);
  return running || waiting ? say("jobsOf", { running, waiting }) : say("noJobs");
}
