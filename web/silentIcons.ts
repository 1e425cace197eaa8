import type { Plugin } from "vite";

const DRAWS_AN_ICON = /@ant-design\/icons\/es\/components\/AntdIcon(Light)?\.js/;
const HEARD = /role: "img",\s*"aria-label": icon\.name/;

/**
 * Icons stand beside words, or in buttons that have a name. Ant Design gives each its own English name ("plus"), which a
 * screen reader would read as a part of them: they are hidden from it where all of them are drawn.
 */
export function silentIcons(): Plugin {
  return {
    name: "silent-icons",
    enforce: "pre",
    transform(code, id) {
      if (!DRAWS_AN_ICON.test(id)) return;
      if (!HEARD.test(code)) throw new Error(`${id} no longer names icons as it did: look at it again`);
      return { code: code.replace(HEARD, '"aria-hidden": true'), map: null };
    },
  };
}
