import { MenuOutlined, PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { Alert, Button, Drawer } from "antd";
import { type ReactNode, useEffect, useState } from "react";
import { statusQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useKey, useSubmitKey } from "@/lib/keyboard";
import { maySubmit } from "@/lib/rights";
import { type AppPage, pagesFor } from "../pages";
import { SearchBox } from "../search/SearchBox";
import { useMe } from "../session";
import { words } from "../words";
import { ConnectionNotice, useIsCutOff } from "./ConnectionNotice";
import { KeysHelp } from "./KeysHelp";
import { LanguageSwitch } from "./LanguageSwitch";
import { Logo } from "./Logo";
import { NoticeBanners } from "./NoticeBanners";
import { PausedNotice } from "./PausedNotice";
import { UserMenu } from "./UserMenu";
import "./Shell.css";

export function Shell({ children }: { children: ReactNode }) {
  const say = useWords(words);
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data: status } = useQuery(statusQuery);
  const cutOff = useIsCutOff();
  useSubmitKey();
  const submits = maySubmit(useMe());
  useKey("n", () => {
    if (submits) void navigate({ to: "/jobs/new" });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the menu.
  useEffect(() => setOpen(false), [path]);
  return (
    <div className={cutOff ? "shell shell-cut-off" : "shell"}>
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
          <ConnectionNotice shown={cutOff} />
          <div className="shell-tools">
            <KeysHelp />
            <LanguageSwitch />
            <UserMenu />
          </div>
        </header>
        {status?.disk_full && <Alert banner type="error" title={say("diskFull")} />}
        <PausedNotice />
        <NoticeBanners />
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
  const pages = pagesFor(me);
  const { data: status } = useQuery(statusQuery);
  const counts: Partial<Record<AppPage["name"], number>> = {
    jobs: status && status.waiting + status.running,
  };
  return (
    <nav className="navigation" aria-label={say("mainNavigation")}>
      <Link to="/" className="navigation-brand">
        <Logo size={28} />
        {say("danlu")}
      </Link>
      {maySubmit(me) && (
        <Link to="/jobs/new" className="navigation-new">
          <PlusOutlined />
          {say("newJob")}
        </Link>
      )}
      {pages
        .filter(({ hidden }) => !hidden)
        .map(({ name, to, icon, exact = false }) => (
          <Link
            key={name}
            to={to}
            className="navigation-place"
            activeProps={{ className: "navigation-here", "aria-current": "page" }}
            activeOptions={{ exact, includeSearch: false }}
          >
            {icon}
            <span>{say(name)}</span>
            {counts[name] ? <b className="number">{counts[name]}</b> : null}
          </Link>
        ))}
    </nav>
  );
}
