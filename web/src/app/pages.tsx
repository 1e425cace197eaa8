/** Every page that can be gone to by its name, declared once: the menu and the search take them from here. */
import {
  AppstoreOutlined,
  ClusterOutlined,
  DesktopOutlined,
  ExperimentOutlined,
  FileTextOutlined,
  MobileOutlined,
  OrderedListOutlined,
  PlusOutlined,
  SettingOutlined,
  UserOutlined,
} from "@ant-design/icons";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Me } from "@/lib/api/schema";
import { maySubmit } from "@/lib/rights";
import type { words } from "./words";

export interface AppPage {
  name: keyof typeof words;
  to: LinkProps["to"];
  search?: Record<string, string | boolean>;
  icon: ReactNode;
  /** Found by the search alone. */
  hidden?: boolean;
  /** Its entry in the menu is marked on this very address, not on those below it. */
  exact?: boolean;
  /** Other words that it may be looked for by. */
  also?: keyof typeof words;
  may?: (me: Me) => boolean;
}

const isAdmin = (me: Me) => me.role === "admin";

const PAGES: readonly AppPage[] = [
  { name: "overview", to: "/", icon: <AppstoreOutlined />, exact: true },
  { name: "jobs", to: "/jobs", icon: <OrderedListOutlined /> },
  {
    name: "newJob",
    to: "/jobs/new",
    also: "newJobAlso",
    icon: <PlusOutlined />,
    hidden: true,
    may: maySubmit,
  },
  {
    name: "myJobs",
    to: "/jobs",
    search: { mine: true },
    icon: <OrderedListOutlined />,
    hidden: true,
    may: maySubmit,
  },
  {
    name: "runningJobs",
    to: "/jobs",
    search: { area: "running" },
    icon: <OrderedListOutlined />,
    hidden: true,
  },
  {
    name: "waitingJobs",
    to: "/jobs",
    search: { area: "waiting" },
    icon: <OrderedListOutlined />,
    hidden: true,
  },
  {
    name: "endedJobs",
    to: "/jobs",
    search: { area: "history" },
    icon: <OrderedListOutlined />,
    hidden: true,
  },
  { name: "nodes", to: "/nodes", icon: <ClusterOutlined />, also: "nodesAlso" },
  { name: "examples", to: "/examples", icon: <ExperimentOutlined />, also: "examplesAlso" },
  { name: "serverLog", to: "/server-log", icon: <FileTextOutlined />, may: (me) => me.may_read_server_log },
  { name: "administration", to: "/admin", icon: <SettingOutlined />, may: isAdmin },
  {
    name: "scheduling",
    to: "/admin",
    icon: <SettingOutlined />,
    hidden: true,
    also: "schedulingAlso",
    may: isAdmin,
  },
  { name: "users", to: "/admin/users", icon: <SettingOutlined />, hidden: true, may: isAdmin },
  { name: "settings", to: "/admin/settings", icon: <SettingOutlined />, hidden: true, may: isAdmin },
  { name: "backups", to: "/admin/backups", icon: <SettingOutlined />, hidden: true, may: isAdmin },
  {
    name: "notices",
    to: "/admin/notices",
    icon: <SettingOutlined />,
    hidden: true,
    also: "noticesAlso",
    may: isAdmin,
  },
  {
    name: "audit",
    to: "/admin/audit",
    icon: <SettingOutlined />,
    hidden: true,
    also: "auditAlso",
    may: isAdmin,
  },
  { name: "account", to: "/account", icon: <UserOutlined />, also: "accountAlso" },
  {
    name: "anotherDevice",
    to: "/account",
    icon: <MobileOutlined />,
    hidden: true,
    also: "anotherDeviceAlso",
  },
  { name: "wall", to: "/wall", icon: <DesktopOutlined />, also: "wallAlso" },
];

/** The pages that this user may see. */
export function pagesFor(me: Me): AppPage[] {
  return PAGES.filter(({ may }) => !may || may(me));
}
