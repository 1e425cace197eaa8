// First, so that every other style sheet may say otherwise.
import "@/ui/look/palette.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { ApiError } from "@/lib/api/client";
import { meQuery } from "@/lib/api/queries";
import { LanguageProvider } from "@/lib/i18n/language";
import { Appearance } from "./Appearance";
import { router } from "./router";
import { cameByLink } from "./session";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream of events says when something is stale; nothing is asked for on a timer.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Who has waited in vain for long is told so first; `recovery` asks again.
      retry: (count, error) => error instanceof ApiError && error.code === "unreachable" && count < 2,
    },
  },
});

// Asked while the page's own parts are still on their way; who comes by a link is asked after it was used.
if (!cameByLink) void client.prefetchQuery(meQuery);

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <LanguageProvider>
        <Appearance>
          <RouterProvider router={router} />
        </Appearance>
      </LanguageProvider>
    </QueryClientProvider>,
  );
}
