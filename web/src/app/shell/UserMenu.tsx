import { BgColorsOutlined, LogoutOutlined, UserOutlined } from "@ant-design/icons";
import { useNavigate } from "@tanstack/react-router";
import { Button, Dropdown, type MenuProps } from "antd";
import { api } from "@/lib/api/client";
import { chooseShade, type Shade, useShade } from "@/lib/dark";
import { useWords } from "@/lib/i18n/language";
import { useOfferActions } from "@/ui/action/appActions";
import { useAct } from "@/ui/action/useAct";
import { useMe } from "../session";
import { words } from "../words";

const SHADES: readonly Shade[] = ["system", "light", "dark"];
const SHADE_ACTIONS = { system: "switchToSystem", light: "switchToLight", dark: "switchToDark" } as const;

export function UserMenu() {
  const say = useWords(words);
  const me = useMe();
  const navigate = useNavigate();
  const shade = useShade();
  const { act } = useAct();

  async function signOut() {
    if (await act(() => api.POST("/api/v1/auth/logout"))) window.location.reload();
  }

  useOfferActions([
    ...SHADES.filter((each) => each !== shade).map((each) => ({
      key: each,
      name: words[SHADE_ACTIONS[each]],
      also: words[`${each}Also`],
      icon: <BgColorsOutlined />,
      run: () => chooseShade(each),
    })),
    {
      key: "out",
      name: words.signOut,
      also: words.signOutAlso,
      icon: <LogoutOutlined />,
      run: () => void signOut(),
    },
  ]);

  const items: MenuProps["items"] = [
    { key: "account", label: say("account"), onClick: () => void navigate({ to: "/account" }) },
    {
      type: "group",
      label: say("appearance"),
      children: SHADES.map((each) => ({
        key: each,
        label: say(each),
        onClick: () => chooseShade(each),
      })),
    },
    { type: "divider" },
    { key: "out", label: say("signOut"), onClick: () => void signOut() },
  ];
  return (
    <Dropdown trigger={["click"]} menu={{ items, selectable: true, selectedKeys: [shade] }}>
      <Button type="text" icon={<UserOutlined />}>
        <span className="user-name">{me.name}</span>
      </Button>
    </Dropdown>
  );
}
