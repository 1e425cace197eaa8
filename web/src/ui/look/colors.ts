/** Colours of palette.css for what knows no style sheet: Ant Design's theme, charts, terminal output. A test compares them. */
export const PALETTE = {
  light: {
    free: "#1f8a5b",
    busy: "#3b66d6",
    shared: "#7a4fc9",
    foreign: "#b26a00",
    sick: "#c62f2f",
    button: "#2f54c8",
    line: "#e6e8ef",
    surface: "#ffffff",
    ground: "#f5f6f9",
    "code-ground": "#10141c",
    "code-ink": "#d8dee9",
  },
  dark: {
    free: "#45b07c",
    busy: "#7d9bff",
    shared: "#ab8cf2",
    foreign: "#e0a53c",
    "foreign-soft": "#362a14",
    "sick-soft": "#3a1f22",
    line: "#2a303c",
    surface: "#191d25",
    ground: "#11141a",
  },
} as const;

/** What a terminal calls black, red, green, yellow, blue, magenta, cyan and white, then the same in bright. */
export const TERMINAL_COLORS = [
  "#3b4252", "#f0767a", "#8fce7a", "#e6c65c", "#7aa7ff", "#cf93f0", "#65ced2", "#d8dee9",
  "#8791a8", "#ff9a9d", "#a9e596", "#f6da7c", "#9fc0ff", "#e0b0fa", "#8be6e9", "#ffffff",
] as const; // biome-ignore format: two rows, normal and bright
