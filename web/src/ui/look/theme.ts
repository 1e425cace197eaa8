/** The palette and the Ant Design tokens made of it. Colours have meanings: see `palette.css`. */
import { type ThemeConfig, theme } from "antd";

export const FONT =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
export const MONO =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace';

/** White on a deep ground, as everywhere else: the primary colour of the dark theme is one to read, not to write on. */
const DARK_BUTTON = {
  colorPrimary: "#3d5fd8",
  colorPrimaryHover: "#4467de",
  colorPrimaryActive: "#2f54c8",
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
      colorPrimary: dark ? "#7d9bff" : "#2f54c8",
      colorSuccess: dark ? "#45b07c" : "#1f7a4d",
      colorWarning: dark ? "#d99a2b" : "#a15c00",
      colorError: dark ? "#ff8680" : "#c62f2f",
      colorWarningBg: dark ? "#362a14" : "#fdf4e3",
      colorWarningBorder: dark ? "#5c4718" : "#f0d9ac",
      colorErrorBg: dark ? "#3a1f22" : "#fdf0ef",
      colorErrorBorder: dark ? "#6b3337" : "#f2c4c1",
      colorInfo: dark ? "#7d9bff" : "#2f54c8",
      ...(dark
        ? {}
        : { colorPrimaryHover: "#2748b4", colorErrorHover: "#ad2626", colorLinkHover: "#1d39a1" }),
      colorTextSecondary: dark ? "rgba(255,255,255,0.68)" : "rgba(24,32,50,0.72)",
      colorTextTertiary: dark ? "rgba(255,255,255,0.62)" : "rgba(24,32,50,0.66)",
      colorTextDescription: dark ? "rgba(255,255,255,0.65)" : "rgba(24,32,50,0.70)",
      colorTextPlaceholder: dark ? "rgba(255,255,255,0.55)" : "rgba(24,32,50,0.62)",
      colorBgLayout: dark ? "#11141a" : "#f5f6f9",
      colorBgContainer: dark ? "#191d25" : "#ffffff",
      colorBgElevated: dark ? "#20252f" : "#ffffff",
      colorBorderSecondary: dark ? "#2a303c" : "#e6e8ef",
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
        siderBg: dark ? "#161a21" : "#ffffff",
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
