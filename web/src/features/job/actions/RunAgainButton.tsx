import { DownOutlined, RedoOutlined } from "@ant-design/icons";
import { Button, Dropdown, Space } from "antd";
import type { JobDetail } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { isEnded } from "@/lib/jobStates";
import { fillPair, useOfferActions } from "@/ui/action/appActions";
import type { WayToRunAgain } from "@/ui/job/runAgain";
import { useRunAgain } from "@/ui/job/useRunAgain";
import { words } from "../words";

/** Runs the job again in the safest way; its menu has the others, each with what becomes of number and log. */
export function RunAgainButton({ job }: Pick<JobDetail, "job">) {
  const say = useWords(words);
  const { busy, items, hint, run } = useRunAgain(job);
  const again = {
    key: "again",
    name: fillPair(words.runAgainNamed, { ref: job.ref }),
    icon: <RedoOutlined />,
  };
  useOfferActions(items.length > 0 ? [{ ...again, run: () => run("asNew") }] : []);
  if (items.length === 0) return null;
  const type = isEnded(job.state) ? "primary" : "default";
  return (
    <Space.Compact>
      <Button type={type} disabled={busy} title={hint} onClick={() => run("asNew")}>
        {say("runAgain")}
      </Button>
      <Dropdown
        trigger={["click"]}
        placement="bottomRight"
        menu={{ items, onClick: ({ key }) => run(key as WayToRunAgain) }}
      >
        <Button type={type} icon={<DownOutlined />} aria-label={say("runAgainHow")} disabled={busy} />
      </Dropdown>
    </Space.Compact>
  );
}
