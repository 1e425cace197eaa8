import {
  AppstoreOutlined,
  ClusterOutlined,
  DesktopOutlined,
  ExperimentOutlined,
  FileTextOutlined,
  MenuOutlined,
  OrderedListOutlined,
  PlusOutlined,
  UserOutlined,
} from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { Alert, Button, Drawer } from "antd";
import { type ReactNode, useEffect, useState } from "react";
import { statusQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useKey } from "@/lib/keyboard";
import { ConnectionNotice } from "./ConnectionNotice";
import { KeysHelp } from "./KeysHelp";
import { LanguageSwitch } from "./LanguageSwitch";
import { Logo } from "./Logo";
import { SearchBox } from "./SearchBox";
import { useMe } from "./session";
import { UserMenu } from "./UserMenu";
import { words } from "./words";
import "./Shell.css";

export function Shell({ children }: { children: ReactNode }) {
  const say = useWords(words);
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data: status } = useQuery(statusQuery);
  useKey("n", () => void navigate({ to: "/jobs/new" }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the menu.
  useEffect(() => setOpen(false), [path]);
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {say("skip")}
      </a>
      <aside className="shell-side">
        <Navigation />
      </aside>
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        placement="left"
        size={260}
        title={say("menu")}
        styles={{ body: { padding: 12 } }}
      >
        <Navigation />
      </Drawer>
      <div className="shell-main">
        <header className="shell-top">
          <Button
            className="shell-menu"
            type="text"
            icon={<MenuOutlined />}
            aria-label={say("menu")}
            onClick={() => setOpen(true)}
          />
          <SearchBox />
          <div className="shell-tools">
            <KeysHelp />
            <LanguageSwitch />
            <UserMenu />
          </div>
        </header>
        <ConnectionNotice />
        {status?.disk_full && <Alert banner type="error" title={say("diskFull")} />}
        {status?.paused && <Alert banner type="warning" title={say("paused")} />}
        <main id="content" className="shell-content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}

function Navigation() {
  const say = useWords(words);
  const me = useMe();
  const { data: status } = useQuery(statusQuery);
  const places: { to: string; label: string; icon: ReactNode; count?: number; exact?: boolean }[] = [
    { to: "/", label: say("overview"), icon: <AppstoreOutlined />, exact: true },
    {
      to: "/jobs",
      label: say("jobs"),
      icon: <OrderedListOutlined />,
      count: status && status.waiting + status.running,
    },
    { to: "/nodes", label: say("nodes"), icon: <ClusterOutlined /> },
    { to: "/examples", label: say("examples"), icon: <ExperimentOutlined /> },
    ...(me.may_read_server_log
      ? [{ to: "/server-log", label: say("serverLog"), icon: <FileTextOutlined /> }]
      : []),
    { to: "/account", label: say("account"), icon: <UserOutlined /> },
    { to: "/wall", label: say("wall"), icon: <DesktopOutlined /> },
  ];
  return (
    <nav className="navigation" aria-label={say("mainNavigation")}>
      <Link to="/" className="navigation-brand">
        <Logo size={28} />
        {say("danlu")}
      </Link>
      <Link to="/jobs/new" className="navigation-new">
        <PlusOutlined aria-hidden />
        {say("newJob")}
      </Link>
      {places.map(({ to, label, icon, count, exact }) => (
        <Link
          key={to}
          to={to}
          className="navigation-place"
          activeProps={{ className: "navigation-here", "aria-current": "page" }}
          activeOptions={{ exact: exact ?? false, includeSearch: false }}
        >
          {icon}
          <span>{label}</span>
          {count ? <b className="number">{count}</b> : null}
        </Link>
      ))}
    </nav>
  );
}
