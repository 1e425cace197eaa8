import { Link } from "@tanstack/react-router";
import { Result } from "antd";
import { useWords } from "@/lib/i18n/language";
import { words } from "@/ui/words";

export function NotFound() {
  const say = useWords(words);
  return (
    <Result
      status="404"
      title={say("notFound")}
      subTitle={say("notFoundHint")}
      extra={<Link to="/">{say("toOverview")}</Link>}
    />
  );
}
