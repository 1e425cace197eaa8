import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env.DANLU_SERVER ?? "http://127.0.0.1:7070";

export default defineConfig({
  // Everything is found relative to <base>, which the server fills in: the app works below any path.
  base: "./",
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: process.env.DANLU_WEB_OUT ?? "../src/danlu/static",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: server, changeOrigin: false } } },
});
