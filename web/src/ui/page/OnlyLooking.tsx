import { LockOutlined } from "@ant-design/icons";
import { Result } from "antd";
import { useWords } from "@/lib/i18n/language";
import { LinkButton } from "../action/LinkButton";
import { words } from "../words";
import { useTabTitle } from "./useTabTitle";

/** In place of a form, to a person who could not send it. */
export function OnlyLooking() {
  const say = useWords(words);
  useTabTitle(say("onlyLooking"));
  return (
    <Result
      icon={<LockOutlined />}
      title={<h1 className="result-title">{say("onlyLooking")}</h1>}
      subTitle={say("onlyLookingHint")}
      extra={<LinkButton to="/jobs">{say("toJobs")}</LinkButton>}
    />
  );
}
