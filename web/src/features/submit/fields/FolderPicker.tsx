import { FileOutlined, FolderOpenOutlined, FolderOutlined } from "@ant-design/icons";
import { useQueryClient } from "@tanstack/react-query";
import { Alert, Modal, Tree } from "antd";
import { type Key, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { answer, api } from "@/lib/api/client";
import type { FolderPage } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { words } from "../words";
import { growTree, wayTo } from "./folderTree";
import "./FolderPicker.css";

interface FolderPickerProps {
  path: string;
  onChoose: (path: string) => void;
  onClose: () => void;
}

/** The folders that one may see, as a tree that grows where it is opened. Files are shown to find one's way by. */
export default function FolderPicker({ path, onChoose, onClose }: FolderPickerProps) {
  const say = useWords(words);
  const client = useQueryClient();
  const [pages, setPages] = useState<ReadonlyMap<string, FolderPage>>(new Map());
  const [open, setOpen] = useState<Key[]>([]);
  const [chosen, setChosen] = useState(path);
  const [error, setError] = useState<unknown>(null);
  const first = useRef(path);

  const load = useCallback(
    async (folder: string): Promise<FolderPage> => {
      const page = await client.fetchQuery({
        queryKey: ["folders", folder],
        queryFn: ({ signal }) =>
          answer(api.GET("/api/v1/folders", { params: { query: folder ? { path: folder } : {} }, signal })),
        staleTime: 0,
      });
      setPages((known) => new Map(known).set(folder, page));
      return page;
    },
    [client],
  );

  const begin = useCallback(async () => {
    setError(null);
    try {
      const roots = await load("");
      // What is in the field already is opened, as far as it exists.
      for (const folder of wayTo(first.current, roots.folders)) {
        const page = await load(folder);
        if (page.problem) break;
        setOpen((now) => [...now, folder]);
      }
    } catch (problem) {
      setError(problem);
    }
  }, [load]);
  useEffect(() => void begin(), [begin]);

  const tree = useMemo(() => growTree(pages), [pages]);
  const told = pages.get(chosen);
  const roots = pages.get("");
  return (
    <Modal
      open
      title={say("folderTitle")}
      okText={say("folderChoose")}
      okButtonProps={{ disabled: !chosen }}
      onOk={() => onChoose(chosen)}
      onCancel={onClose}
      width={560}
    >
      <div className="folder-picker-chosen mono" aria-live="polite">
        {chosen || <span className="soft">{say("folderNone")}</span>}
      </div>
      <div className="folder-picker-tree">
        {error !== null && <ErrorNotice error={error} retry={() => void begin()} />}
        {!roots && error === null && <Loading />}
        {roots && tree.length === 0 && (
          <Nothing title={roots.problem ?? say("folderEmpty")} hint={say("folderEmptyHint")} />
        )}
        {tree.length > 0 && (
          <Tree
            blockNode
            showIcon
            icon={({ isLeaf, expanded }: { isLeaf?: boolean; expanded?: boolean }) =>
              isLeaf ? <FileOutlined /> : expanded ? <FolderOpenOutlined /> : <FolderOutlined />
            }
            aria-label={say("folderTree")}
            treeData={tree}
            expandedKeys={open}
            onExpand={setOpen}
            selectedKeys={chosen ? [chosen] : []}
            onSelect={([key]) => key !== undefined && setChosen(String(key))}
            loadData={async ({ key }) => {
              try {
                await load(String(key));
              } catch (problem) {
                setError(problem);
              }
            }}
          />
        )}
      </div>
      {told?.problem && <Alert type="warning" showIcon title={told.problem} />}
      {told?.truncated && <Alert type="info" showIcon title={say("folderTruncated")} />}
    </Modal>
  );
}
