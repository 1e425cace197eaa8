import { LockOutlined } from "@ant-design/icons";
import { Link, Outlet } from "@tanstack/react-router";
import { Result } from "antd";
import { useMe } from "@/app/session";
import { useWords } from "@/lib/i18n/language";
import { PageHeader } from "@/ui/page/PageHeader";
import { words } from "./words";
import "./admin.css";

/** The frame of the administration pages. Rights may come and go while one is open; the server refuses in any case. */
export default function AdminPage() {
  return useMe().role === "admin" ? <Pages /> : <ForAdmins />;
}

function Pages() {
  const say = useWords(words);
  const places = [
    ["/admin", say("scheduling")],
    ["/admin/users", say("users")],
    ["/admin/notices", say("notices")],
    ["/admin/settings", say("settings")],
    ["/admin/backups", say("backups")],
    ["/admin/audit", say("audit")],
  ] as const;
  return (
    <>
      <nav className="admin-places" aria-label={say("adminPages")}>
        {places.map(([to, label]) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ className: "admin-here", "aria-current": "page" }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}

function ForAdmins() {
  const say = useWords(words);
  return (
    <>
      <PageHeader title={say("administration")} />
      <Result
        icon={<LockOutlined />}
        title={say("forAdmins")}
        subTitle={say("forAdminsHint")}
        extra={<Link to="/account">{say("toAccount")}</Link>}
      />
    </>
  );
}
