/** What can be asked, and under which key it is remembered. Events invalidate by these keys. */
import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "./client";
import type { paths } from "./schema";

export type JobListQuery = NonNullable<paths["/api/v1/jobs"]["get"]["parameters"]["query"]>;

export const keys = {
  me: ["me"] as const,
  status: ["status"] as const,
  nodes: ["nodes"] as const,
  servers: ["servers"] as const,
  nodeHistory: (name: string) => ["node-history", name] as const,
  jobs: ["jobs"] as const,
  jobList: (query: JobListQuery) => ["jobs", query] as const,
  anyJob: ["job"] as const,
  job: (ref: string) => ["job", ref] as const,
  jobEvents: (ref: string) => ["job", ref, "events"] as const,
  jobElements: (ref: string) => ["job", ref, "elements"] as const,
  scheduling: ["scheduling"] as const,
  settings: ["settings"] as const,
  settingRows: ["settings", "described"] as const,
  settingsHistory: ["settings", "history"] as const,
  users: ["users"] as const,
  auditActions: ["audit", "actions"] as const,
  auditEntries: (search: object) => ["audit", "entries", search] as const,
  backups: ["backups"] as const,
  notices: ["notices"] as const,
  publicNotices: ["notices", "public"] as const,
  allNotices: ["notices", "all"] as const,
  tokens: ["tokens"] as const,
  defaults: ["defaults"] as const,
  newJob: ["new-job"] as const,
};

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/me", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

export const statusQuery = queryOptions({
  queryKey: keys.status,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/status", { signal })),
});

export const nodesQuery = queryOptions({
  queryKey: keys.nodes,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/nodes", { signal })),
});

export const serversQuery = queryOptions({
  queryKey: keys.servers,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/servers", { params: { query: { lost: true } }, signal })),
});

export function jobListQuery(query: JobListQuery) {
  return queryOptions({
    queryKey: keys.jobList(query),
    queryFn: ({ signal }) => answer(api.GET("/api/v1/jobs", { params: { query }, signal })),
  });
}

export function jobQuery(ref: string) {
  return queryOptions({
    queryKey: keys.job(ref),
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/jobs/{job_id}", { params: { path: { job_id: ref } }, signal })),
  });
}

export function jobEventsQuery(ref: string) {
  return queryOptions({
    queryKey: keys.jobEvents(ref),
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/jobs/{job_id}/events", { params: { path: { job_id: ref } }, signal })),
  });
}

export const defaultsQuery = queryOptions({
  queryKey: keys.defaults,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/me/defaults", { signal })),
});

/** What a new job begins with: the user's defaults, and where they say nothing of GPUs the lab's number. */
export const newJobQuery = queryOptions({
  queryKey: keys.newJob,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/me/new-job", { signal })),
  // Asked for anew with every form: nodes come and go, and settings change.
  gcTime: 0,
});

export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/users", { signal })),
  // When a user was last seen is not told by any event.
  staleTime: 0,
});

export const schedulingQuery = queryOptions({
  queryKey: keys.scheduling,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/scheduling", { signal })),
});

/** What this user is shown now. */
export const noticesQuery = queryOptions({
  queryKey: [...keys.notices, "mine"] as const,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/notices", { signal })),
});

export const publicNoticesQuery = queryOptions({
  queryKey: keys.publicNotices,
  queryFn: ({ signal }) => answer(api.GET("/api/v1/notices/public", { signal })),
  // A user who cannot reach the server is told so by the form below.
  retry: false,
});
