import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { api } from "@/lib/api/client";
import { usersQuery } from "@/lib/api/queries";
import type { UserRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { useAct } from "@/ui/action/useAct";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { PageHeader } from "@/ui/page/PageHeader";
import { Find } from "./Find";
import { AddUser } from "./users/AddUser";
import { EditUser } from "./users/EditUser";
import { matching } from "./users/guards";
import { LockUser } from "./users/LockUser";
import { NewPasswordFor } from "./users/NewPasswordFor";
import { type UserAction, UserTable } from "./users/UserTable";
import { words } from "./users/words";

/** Few enough to be seen at once. */
const NO_SEARCH_BELOW = 8;

export default function UsersPage() {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const { data: users, error, refetch } = useQuery(usersQuery);
  const { act } = useAct();
  const [text, setText] = useState("");
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<{ action: UserAction; name: string } | null>(null);
  const shown = matching(users ?? [], text, (role) => vocabulary(`role.${role}`));
  const admins = users?.filter(({ role }) => role === "admin").length ?? 0;

  function begin(action: UserAction, { name }: UserRow) {
    if (action !== "unlock") return setOpen({ action, name });
    const params = { path: { name } };
    void act(
      () => api.PATCH("/api/v1/users/{name}", { params, body: { locked: false } }),
      say("wasUnlocked", { name }),
    );
  }

  return (
    <>
      <PageHeader
        title={say("users")}
        note={users && say("note", { count: users.length, admins })}
        actions={
          <Button type="primary" icon={<PlusOutlined />} disabled={!users} onClick={() => setAdding(true)}>
            {say("add")}
          </Button>
        }
      />
      {users && (users.length > NO_SEARCH_BELOW || text) && (
        <Find label={say("find")} text={text} onText={setText} />
      )}
      {!users ? (
        error ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={8} />
        )
      ) : shown.length === 0 ? (
        <Nothing
          title={say("noUserMatches")}
          hint={say("noUserMatchesHint")}
          action={<Button onClick={() => setText("")}>{say("clearFind")}</Button>}
        />
      ) : (
        <UserTable users={shown} onAct={begin} />
      )}
      {users && adding && <AddUser taken={users.map(({ name }) => name)} onDone={() => setAdding(false)} />}
      {users && open && <ActionDialog {...open} users={users} onDone={() => setOpen(null)} />}
    </>
  );
}

interface ActionDialogProps {
  action: UserAction;
  name: string;
  users: readonly UserRow[];
  onDone: () => void;
}

function ActionDialog({ action, name, users, onDone }: ActionDialogProps) {
  const user = users.find((each) => each.name === name);
  if (!user) return null;
  if (action === "edit") return <EditUser user={user} users={users} onDone={onDone} />;
  if (action === "lock") return <LockUser user={user} users={users} onDone={onDone} />;
  return <NewPasswordFor name={name} onDone={onDone} />;
}
