import { Alert } from "antd";
import type { ApiError } from "@/lib/api/client";
import type { Me } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { WithCode } from "@/ui/value/WithCode";
import { words } from "../words";
import { Doorstep } from "./Doorstep";
import { LoginForm } from "./LoginForm";
import { PublicNotices } from "./PublicNotices";

interface LoginProps {
  /** Why the link that led here did not sign the user in. */
  problem: ApiError | null;
  onSignedIn: (me: Me) => void;
}

export default function Login({ problem, onSignedIn }: LoginProps) {
  const say = useWords(words);
  return (
    <Doorstep title={say("loginTitle")}>
      <PublicNotices />
      {problem && (
        <Alert
          type="warning"
          showIcon
          role="alert"
          className="doorstep-notice"
          title={problem.message}
          description={problem.problem.hint && <WithCode text={problem.problem.hint} />}
        />
      )}
      <LoginForm onSignedIn={onSignedIn} />
      {!problem && (
        <p className="doorstep-hint soft">
          <WithCode text={say("loginHint")} />
        </p>
      )}
    </Doorstep>
  );
}
