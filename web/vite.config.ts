import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { silentIcons } from "./silentIcons";

const server = process.env.DANLU_SERVER ?? "http://127.0.0.1:7070";

const GROUPS = [
  {
    name: "ground",
    test: /node_modules\/(react|react-dom|scheduler|@tanstack|openapi-fetch)\//,
    minShareCount: 4,
    priority: 2,
  },
  // Charts and the editor of commands are large, and few pages have them.
  { name: "shared", test: /src\/(lib|ui\/(?!chart|code))/, minShareCount: 2, priority: 1 },
];

export default defineConfig({
  // Everything is found relative to <base>, which the server fills in: the app works below any path.
  base: "./",
  plugins: [react(), silentIcons()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: process.env.DANLU_WEB_OUT ?? "../src/danlu/static",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
    // What nearly every page needs comes in three files: a browser waits for each of fifty small ones.
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: { proxy: { "/api": { target: server, changeOrigin: false } } },
});
