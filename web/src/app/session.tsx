/** Who is signed in; and what happens when the server no longer knows. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { ApiError, answer, api, setCsrfToken, whenSignedOut } from "@/lib/api/client";
import { keys, meQuery } from "@/lib/api/queries";
import { tellRecovered } from "@/lib/api/recovery";
import type { Me } from "@/lib/api/schema";
import { signInByLink, takeCode } from "./login/LoginLink";
import { Splash, Unreachable } from "./Splash";

const Login = lazy(() => import("./login/Login"));
const LoginAgain = lazy(() => import("./login/LoginAgain"));
const OwnPassword = lazy(() => import("./login/OwnPassword"));

const MeContext = createContext<Me | null>(null);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("useMe is for pages behind the sign-in");
  return me;
}

const first = takeCode();
export const cameByLink = first !== null;
let use: { code: string; asked: Promise<Me> } | null = null;

/** What became of the link that led here, or that was pasted over the address of the open page. Without an answer it is
 * tried again: it was not used up. */
function useLinkOfAddress(): { pending: boolean; problem: ApiError | null; retry: () => void } {
  const client = useQueryClient();
  const [code, setCode] = useState(first);
  const [pending, setPending] = useState(first !== null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const go = useCallback(() => {
    if (!code) return;
    if (use?.code !== code) use = { code, asked: signInByLink(code) };
    use.asked
      .then((who) => {
        client.setQueryData(keys.me, who);
        setProblem(null);
        setPending(false);
      })
      .catch((error: ApiError) => {
        if (error.status === 0) use = null;
        else setPending(false);
        setProblem(error);
      });
  }, [client, code]);
  useEffect(go, [go]);
  useEffect(() => {
    // The browser loads nothing anew where only what is behind the '#' has changed.
    function look() {
      const pasted = takeCode();
      if (!pasted) return;
      setProblem(null);
      // A page that the user works on stays.
      setPending(client.getQueryData(keys.me) === undefined);
      setCode(pasted);
    }
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, [client]);
  return { pending, problem, retry: go };
}

export function SessionGate({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const link = useLinkOfAddress();
  // The token of the session that has ended: another one means that another tab signed the same user in again.
  const [ended, setEnded] = useState<string | null>(null);
  const { data: me, error, refetch } = useQuery({ ...meQuery, enabled: !link.pending });
  const expired = ended !== null && me?.csrf_token === ended;
  const owner = useRef<string | null>(null);
  const begun = useRef(false);
  if (me && !me.must_change_password) begun.current = true;

  const onSignedIn = useCallback(
    (who: Me) => {
      setCsrfToken(who.csrf_token ?? null);
      client.setQueryData(keys.me, who);
      setEnded(null);
      tellRecovered("server", "session");
      // Whatever was refused meanwhile is asked for again, as soon as it may be.
      if (!who.must_change_password)
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] });
    },
    [client],
  );

  // What is on the page was another user's: nothing of it may stay.
  const isAnother = Boolean(me && owner.current && owner.current !== me.name);
  useEffect(() => {
    if (isAnother) window.location.reload();
    else if (me) owner.current = me.name;
  }, [me, isAnother]);

  useEffect(() => {
    let asking = false;
    whenSignedOut(() => {
      if (asking || !owner.current) return;
      asking = true;
      // Another tab may have signed in anew: then this one goes on with that session.
      answer(api.GET("/api/v1/me"))
        .then(onSignedIn)
        .catch((reason) => {
          const lost = client.getQueryData<Me>(keys.me)?.csrf_token;
          if (reason instanceof ApiError && reason.status === 401) setEnded(lost ?? null);
        })
        .finally(() => {
          asking = false;
        });
    });
    return () => whenSignedOut(() => {});
  }, [client, onSignedIn]);

  // Tabs that share a connection hear of it by that; those that have one each look when they are seen again.
  useEffect(() => {
    if (!expired) return;
    const look = () => document.visibilityState === "visible" && void refetch();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      tellRecovered("server", "session");
    };
  }, [expired, refetch]);

  // While rendering, not in an effect: the pages below ask for things before effects run.
  setCsrfToken(me?.csrf_token ?? null);

  if (link.problem?.status === 0) return <Unreachable error={link.problem} retry={link.retry} />;
  if (link.pending || isAnother) return <Splash />;
  if (me) {
    // A page that the user works on stays as it is, whatever has to be settled first.
    const door = me.must_change_password && !begun.current;
    return (
      <MeContext value={me}>
        <Suspense fallback={<Splash />}>{door ? <OwnPassword onDone={onSignedIn} /> : children}</Suspense>
        <Suspense fallback={null}>
          {expired && <LoginAgain me={me} onSignedIn={onSignedIn} />}
          {!expired && !door && me.must_change_password && <OwnPassword over onDone={onSignedIn} />}
        </Suspense>
      </MeContext>
    );
  }
  if (error instanceof ApiError && error.status === 401) {
    return (
      <Suspense fallback={<Splash />}>
        <Login problem={link.problem} onSignedIn={onSignedIn} />
      </Suspense>
    );
  }
  if (error) return <Unreachable error={error} retry={() => void refetch()} />;
  return <Splash />;
}
