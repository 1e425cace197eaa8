/** The palette and the Ant Design tokens made of it. Colours have meanings: see `palette.css`. */
import { type ThemeConfig, theme } from "antd";
import { PALETTE } from "./colors";

export const FONT =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
export const MONO =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace';

const { light: LIGHT, dark: DARK } = PALETTE;

/** White on a deep ground, as everywhere else: the primary colour of the dark theme is one to read, not to write on. */
const DARK_BUTTON = {
  colorPrimary: "#3d5fd8",
  colorPrimaryHover: "#4467de",
  colorPrimaryActive: LIGHT.button,
  defaultHoverColor: "#97ade8",
  defaultHoverBorderColor: "#6d87dc",
  defaultActiveColor: "#97ade8",
  defaultActiveBorderColor: "#6d87dc",
  dangerColor: "#210b0b",
};

const calm = Boolean(window.matchMedia?.("(prefers-reduced-motion: reduce)").matches);

/** As large as a fingertip. */
const TOUCHED = { controlHeight: 40, controlHeightSM: 40, controlHeightLG: 44 };

export function makeTheme(dark: boolean, narrow: boolean): ThemeConfig {
  return {
    algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    cssVar: {},
    hashed: false,
    token: {
      // The dark algorithm dims these; what comes out must still be read on a dark ground.
      colorPrimary: dark ? DARK.busy : LIGHT.button,
      colorSuccess: dark ? DARK.free : "#1f7a4d",
      colorWarning: dark ? "#d99a2b" : "#a15c00",
      colorError: dark ? "#ff8680" : LIGHT.sick,
      colorWarningBg: dark ? DARK["foreign-soft"] : "#fdf4e3",
      colorWarningBorder: dark ? "#5c4718" : "#f0d9ac",
      colorErrorBg: dark ? DARK["sick-soft"] : "#fdf0ef",
      colorErrorBorder: dark ? "#6b3337" : "#f2c4c1",
      colorInfo: dark ? DARK.busy : LIGHT.button,
      ...(dark
        ? {}
        : { colorPrimaryHover: "#2748b4", colorErrorHover: "#ad2626", colorLinkHover: "#1d39a1" }),
      colorTextSecondary: dark ? "rgba(255,255,255,0.68)" : "rgba(24,32,50,0.72)",
      colorTextTertiary: dark ? "rgba(255,255,255,0.62)" : "rgba(24,32,50,0.66)",
      colorTextDescription: dark ? "rgba(255,255,255,0.65)" : "rgba(24,32,50,0.70)",
      colorTextPlaceholder: dark ? "rgba(255,255,255,0.55)" : "rgba(24,32,50,0.62)",
      colorBgLayout: dark ? DARK.ground : LIGHT.ground,
      colorBgContainer: dark ? DARK.surface : LIGHT.surface,
      colorBgElevated: dark ? "#20252f" : LIGHT.surface,
      colorBorderSecondary: dark ? DARK.line : LIGHT.line,
      borderRadius: 8,
      fontFamily: FONT,
      fontFamilyCode: MONO,
      fontSize: 14,
      ...(narrow ? TOUCHED : { controlHeight: 34 }),
      // With no transition in the style sheets, nothing may wait for the end of one.
      motion: !calm,
      motionDurationMid: "0.12s",
      motionDurationSlow: "0.18s",
    },
    components: {
      Button: dark ? DARK_BUTTON : {},
      Layout: {
        siderBg: dark ? "#161a21" : LIGHT.surface,
        headerBg: "transparent",
        headerHeight: 56,
        headerPadding: "0 24px",
      },
      Menu: { itemBorderRadius: 8, itemMarginInline: 8, itemHeight: 38, activeBarBorderWidth: 0 },
      Table: { cellPaddingBlock: 10, headerBg: "transparent", headerSplitColor: "transparent" },
      Card: { paddingLG: 20 },
    },
  };
}
