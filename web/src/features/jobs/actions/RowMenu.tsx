import { MoreOutlined } from "@ant-design/icons";
import { useNavigate } from "@tanstack/react-router";
import { Button, Dropdown, type MenuProps } from "antd";
import { type ReactElement, useEffect, useRef, useState } from "react";
import type { JobRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useRunAgain } from "@/ui/job/useRunAgain";
import type { MoveName } from "../reorder/reordering";
import { type ActionName, suits } from "../selection/selection";
import { words } from "../words";

interface RowMenuProps {
  job: JobRow;
  tabIndex: number;
  mayTouch: boolean;
  /** Where in the queue it can go; none where the queue is not shown whole, or to a user who may not. */
  moves: readonly MoveName[];
  onAct: (action: ActionName, job: JobRow) => void;
  onMove: (job: JobRow, move: MoveName) => void;
}

/** What can be done with one job. The menu itself is made when it is asked for: there are many rows. */
export function RowMenu(props: RowMenuProps) {
  const say = useWords(words);
  const [state, setState] = useState<"unasked" | "asked" | "open" | "closed">("unasked");
  const opener = useRef<HTMLButtonElement>(null);
  const { ref, name } = props.job;
  // A menu that is open from its first moment on cannot know yet where its button is.
  useEffect(() => {
    if (state === "asked") setState("open");
  }, [state]);
  const button = (
    <Button
      ref={opener}
      type="text"
      icon={<MoreOutlined />}
      tabIndex={props.tabIndex}
      aria-label={say("menuOf", { ref, name })}
      aria-haspopup="menu"
      aria-expanded={state === "open"}
      onClick={state === "unasked" ? () => setState("asked") : undefined}
    />
  );
  function onOpen(open: boolean) {
    setState(open ? "open" : "closed");
    if (!open) opener.current?.focus({ preventScroll: true });
  }
  if (state === "unasked") return button;
  return (
    <Menu {...props} open={state === "open"} onOpen={onOpen}>
      {button}
    </Menu>
  );
}

interface MenuOfRow extends RowMenuProps {
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactElement;
}

function Menu({ job, mayTouch, moves, onAct, onMove, open, onOpen, children }: MenuOfRow) {
  const say = useWords(words);
  const navigate = useNavigate();
  const { ref, state } = job;
  const again = useRunAgain(job, () => onAct("resubmit", job));
  const acts: ActionName[] = ["hold", "release", "cancel", "delete"];
  const items: MenuProps["items"] = [
    { key: "open", label: say("open"), onClick: () => void navigate({ to: "/jobs/$ref", params: { ref } }) },
  ];
  if (mayTouch) {
    if (job.area !== "history" && suits("delete", state)) {
      items.push({
        key: "edit",
        label: say("edit"),
        onClick: () => void navigate({ to: "/jobs/$ref/edit", params: { ref } }),
      });
    }
    if (again.items.length > 0) {
      const children = again.items.map((item) => ({ ...item, onClick: () => again.run(item.key) }));
      items.push({ type: "divider" }, { key: "again", type: "group", label: say("resubmit"), children });
    }
    if (moves.length > 0) {
      items.push({ type: "divider" });
      for (const move of moves) items.push({ key: move, label: say(move), onClick: () => onMove(job, move) });
    }
    items.push({ type: "divider" });
    for (const action of acts.filter((each) => suits(each, state))) {
      const danger = action === "cancel" || action === "delete";
      items.push({ key: action, label: say(action), danger, onClick: () => onAct(action, job) });
    }
  }
  return (
    <Dropdown
      open={open}
      autoFocus
      destroyOnHidden
      trigger={["click"]}
      placement="bottomRight"
      menu={{ items, onClick: () => onOpen(false) }}
      onOpenChange={onOpen}
    >
      {children}
    </Dropdown>
  );
}
