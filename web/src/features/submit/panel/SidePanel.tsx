import { Link } from "@tanstack/react-router";
import { Alert, Button, Tooltip } from "antd";
import type { ApiError } from "@/lib/api/client";
import type { JobFields } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { SUBMIT_SHORTCUTS, submitKeys } from "@/lib/keyboard";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import type { Problems } from "../form/problems";
import { words } from "../words";
import { CommandLine } from "./CommandLine";
import { Forecast } from "./Forecast";
import { SaveDefaults } from "./SaveDefaults";
import type { Checked } from "./useCheck";
import { refusedFor } from "./useHandIn";

interface SidePanelProps {
  checked: Checked;
  problems: Problems;
  refusal: ApiError | null;
  accepted: string | null;
  sending: boolean;
  submitLabel: string;
  disabled: boolean;
  unchanged: boolean;
  /** Of a new job: the user's defaults, which this form may become. */
  defaults: JobFields | null;
  onStay?: () => void;
  onCancel: () => void;
}

/** What would happen, the buttons, and the same as a command. On a narrow screen the first two stay at the bottom. */
export function SidePanel(props: SidePanelProps) {
  const say = useWords(words);
  const { checked, problems, refusal, accepted, sending, disabled, defaults } = props;
  const isRefused = refusal !== null && refusedFor(refusal).length === 0;
  return (
    <div className="job-editor-side">
      <div className="job-editor-bar">
        <Forecast
          checked={checked}
          title={say(defaults ? "forecast" : "forecastEdit")}
          sending={sending}
          loose={problems.loose}
          problems={problems.at.size + problems.loose.length}
        />
        {isRefused && <Refusal refusal={refusal} />}
        {accepted && (
          <Alert
            type="success"
            showIcon
            role="status"
            title={say("submitted", { ref: accepted })}
            action={
              <Link to="/jobs/$ref" params={{ ref: accepted }}>
                {say("toJob")}
              </Link>
            }
          />
        )}
        <div className="job-editor-buttons">
          <Tooltip title={submitKeys()}>
            <Button
              type="primary"
              htmlType="submit"
              loading={sending}
              disabled={disabled}
              aria-keyshortcuts={SUBMIT_SHORTCUTS}
            >
              {props.submitLabel}
            </Button>
          </Tooltip>
          {/* Not disabled while it is sent: a button that is loses the focus. */}
          {props.onStay && (
            <Button disabled={disabled} aria-disabled={sending} onClick={props.onStay}>
              {say("submitStay")}
            </Button>
          )}
          <Button type="text" aria-disabled={sending} onClick={() => !sending && props.onCancel()}>
            {say("cancel")}
          </Button>
          {props.unchanged && <span className="soft">{say("noChanges")}</span>}
        </div>
      </div>
      {defaults && (
        <div className="job-editor-extra">
          <CommandLine text={checked.check?.command_line ?? ""} />
          <SaveDefaults defaults={defaults} />
        </div>
      )}
    </div>
  );
}

function Refusal({ refusal }: { refusal: ApiError }) {
  const say = useWords(words);
  const hint =
    refusal.status === 0
      ? say("retrySafe")
      : refusal.code === "key_reused"
        ? say("anew")
        : refusal.problem.hint;
  return <ErrorNotice error={refusal} hint={hint ?? undefined} />;
}
