import { Link } from "@tanstack/react-router";
import { Result } from "antd";
import { useWords } from "@/lib/i18n/language";
import { useTabTitle } from "@/ui/useTabTitle";
import { words } from "@/ui/words";

export function NotFound() {
  const say = useWords(words);
  useTabTitle(say("notFound"));
  return (
    <Result
      status="404"
      title={<h1 className="result-title">{say("notFound")}</h1>}
      subTitle={say("notFoundHint")}
      extra={<Link to="/">{say("toOverview")}</Link>}
    />
  );
}
