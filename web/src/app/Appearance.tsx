import { App, ConfigProvider } from "antd";
import enUS from "antd/locale/en_US";
import zhCN from "antd/locale/zh_CN";
import { type ReactNode, useMemo } from "react";
import { useDark } from "@/lib/dark";
import { useLanguage } from "@/lib/i18n/language";
import { useNarrow } from "@/lib/narrow";
import { nonce } from "@/lib/nonce";
import { makeTheme } from "@/ui/look/theme";

export function Appearance({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const dark = useDark();
  const narrow = useNarrow();
  const theme = useMemo(() => makeTheme(dark, narrow), [dark, narrow]);
  return (
    <ConfigProvider
      locale={language === "zh" ? zhCN : enUS}
      theme={theme}
      csp={{ nonce }}
      button={{ autoInsertSpace: false }}
    >
      <App style={{ height: "100%" }} notification={{ placement: "bottomRight" }}>
        {children}
      </App>
    </ConfigProvider>
  );
}
