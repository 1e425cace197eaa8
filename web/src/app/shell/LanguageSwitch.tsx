import { TranslationOutlined } from "@ant-design/icons";
import { useQueryClient } from "@tanstack/react-query";
import { Button } from "antd";
import { chooseLanguage, useLanguage } from "@/lib/i18n/language";
import { useOfferActions } from "@/ui/action/appActions";
import { words } from "../words";

/** One click to the other language. It is named in its own words, for who cannot read the present ones. */
export function LanguageSwitch() {
  const language = useLanguage();
  const client = useQueryClient();
  const other = language === "zh" ? "en" : "zh";
  function change() {
    chooseLanguage(other);
    // Sentences that come from the server are asked for again in the new language.
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
  }
  useOfferActions([
    {
      key: "language",
      name: words[other === "zh" ? "switchToChinese" : "switchToEnglish"],
      also: words.languageAlso,
      icon: <TranslationOutlined />,
      run: change,
    },
  ]);
  return (
    <Button
      type="text"
      icon={<TranslationOutlined />}
      lang={other === "zh" ? "zh-CN" : "en"}
      onClick={change}
    >
      {other === "zh" ? "中文" : "English"}
    </Button>
  );
}
