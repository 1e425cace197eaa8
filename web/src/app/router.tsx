/** Every address of the app. Pages are chunks of their own, loaded when the user goes there. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useRouterState,
} from "@tanstack/react-router";
import { readAuditSearch } from "@/features/admin/audit/address";
import { readExampleSearch } from "@/features/examples/address";
import { readJobSearch } from "@/features/job/address";
import { readJobsSearch } from "@/features/jobs/address";
import { readNodesSearch } from "@/features/nodes/address";
import { readServerLogSearch } from "@/features/serverlog/address";
import { readSubmitSearch } from "@/features/submit/address";
import { BASE } from "@/lib/api/client";
import { Live } from "@/lib/live/Live";
import { BrokenPage } from "./BrokenPage";
import { EndNotifier } from "./EndNotifier";
import { NotFound } from "./NotFound";
import { SessionGate } from "./session";
import { Shell } from "./shell/Shell";

function Root() {
  const isWall = useRouterState({ select: ({ location }) => location.pathname === "/wall" });
  return (
    <SessionGate>
      <Live>
        <EndNotifier />
        {isWall ? (
          <Outlet />
        ) : (
          <Shell>
            <Outlet />
          </Shell>
        )}
      </Live>
    </SessionGate>
  );
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: BrokenPage });

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("@/features/overview/OverviewPage")),
});
const wall = createRoute({
  getParentRoute: () => root,
  path: "/wall",
  component: lazyRouteComponent(() => import("@/features/overview/WallPage")),
});
const nodes = createRoute({
  getParentRoute: () => root,
  path: "/nodes",
  validateSearch: readNodesSearch,
  component: lazyRouteComponent(() => import("@/features/nodes/NodesPage")),
});
const node = createRoute({
  getParentRoute: () => root,
  path: "/nodes/$name",
  component: lazyRouteComponent(() => import("@/features/nodes/NodePage")),
});
const jobs = createRoute({
  getParentRoute: () => root,
  path: "/jobs",
  validateSearch: readJobsSearch,
  component: lazyRouteComponent(() => import("@/features/jobs/JobsPage")),
});
const newJob = createRoute({
  getParentRoute: () => root,
  path: "/jobs/new",
  validateSearch: readSubmitSearch,
  component: lazyRouteComponent(() => import("@/features/submit/NewJobPage")),
});
const job = createRoute({
  getParentRoute: () => root,
  path: "/jobs/$ref",
  validateSearch: readJobSearch,
  component: lazyRouteComponent(() => import("@/features/job/JobPage")),
});
const editJob = createRoute({
  getParentRoute: () => root,
  path: "/jobs/$ref/edit",
  component: lazyRouteComponent(() => import("@/features/submit/EditJobPage")),
});
const examples = createRoute({
  getParentRoute: () => root,
  path: "/examples",
  validateSearch: readExampleSearch,
  component: lazyRouteComponent(() => import("@/features/examples/ExamplesPage")),
});
const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyRouteComponent(() => import("@/features/account/AccountPage")),
});
const serverLog = createRoute({
  getParentRoute: () => root,
  path: "/server-log",
  validateSearch: readServerLogSearch,
  component: lazyRouteComponent(() => import("@/features/serverlog/ServerLogPage")),
});
const admin = createRoute({
  getParentRoute: () => root,
  path: "/admin",
  component: lazyRouteComponent(() => import("@/features/admin/AdminPage")),
});
const adminPages = [
  createRoute({
    getParentRoute: () => admin,
    path: "/",
    component: lazyRouteComponent(() => import("@/features/admin/SchedulingPage")),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: "/users",
    component: lazyRouteComponent(() => import("@/features/admin/UsersPage")),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: "/settings",
    component: lazyRouteComponent(() => import("@/features/admin/SettingsPage")),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: "/backups",
    component: lazyRouteComponent(() => import("@/features/admin/BackupsPage")),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: "/notices",
    component: lazyRouteComponent(() => import("@/features/admin/NoticesPage")),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: "/audit",
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import("@/features/admin/AuditPage")),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    wall,
    nodes,
    node,
    jobs,
    newJob,
    job,
    editJob,
    examples,
    account,
    serverLog,
    admin.addChildren(adminPages),
  ]),
  basepath: BASE.pathname,
  defaultPreload: "intent",
  defaultErrorComponent: BrokenPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
