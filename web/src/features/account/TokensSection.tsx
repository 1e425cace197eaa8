import { PlusOutlined } from "@ant-design/icons";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { App, Button, Table, type TableColumnsType } from "antd";
import { useState } from "react";
import { api } from "@/lib/api/client";
import { keys } from "@/lib/api/queries";
import type { TokenRow } from "@/lib/api/schema";
import { useNow } from "@/lib/clock";
import { useWords } from "@/lib/i18n/language";
import { useAct } from "@/ui/action/useAct";
import { ErrorNotice } from "@/ui/page/ErrorNotice";
import { Loading } from "@/ui/page/Loading";
import { Nothing } from "@/ui/page/Nothing";
import { Ago } from "@/ui/value/Time";
import { WithCode } from "@/ui/value/WithCode";
import { NewTokenDialog } from "./NewTokenDialog";
import { tokensQuery } from "./queries";
import { Section } from "./Section";
import { words } from "./words";

export function TokensSection() {
  const say = useWords(words);
  const client = useQueryClient();
  const { modal } = App.useApp();
  const { act } = useAct();
  const now = useNow();
  const [making, setMaking] = useState(false);
  const { data: tokens, error, refetch } = useQuery(tokensQuery);

  function end(token: TokenRow) {
    const { name } = token;
    modal.confirm({
      title: say("endTokenQuestion", { name }),
      content: say("endTokenWarning"),
      okText: say("endToken"),
      okButtonProps: { danger: true },
      onOk: async () => {
        await act(
          () => api.DELETE("/api/v1/me/tokens/{token_id}", { params: { path: { token_id: token.id } } }),
          say("tokenEnded", { name }),
        );
        await client.invalidateQueries({ queryKey: keys.tokens });
      },
    });
  }

  const expires = (token: TokenRow) => {
    if (token.expires_at === null) return <span className="soft">{say("forGood")}</span>;
    return token.expires_at < now ? say("expired") : <Ago at={token.expires_at} />;
  };
  const columns: TableColumnsType<TokenRow> = [
    {
      title: say("tokenName"),
      rowScope: "row",
      className: "account-token-name",
      render: (_, token) => (
        <>
          {token.name}
          <span className="account-token-more soft">
            {say("tokenExpires")} {expires(token)}
          </span>
        </>
      ),
    },
    { title: say("tokenCreated"), render: (_, token) => <Ago at={token.created_at} />, responsive: ["sm"] },
    {
      title: say("tokenUsed"),
      render: (_, token) =>
        token.last_used_at ? <Ago at={token.last_used_at} /> : <span className="soft">{say("notUsed")}</span>,
    },
    { title: say("tokenExpires"), render: (_, token) => expires(token), responsive: ["sm"] },
    {
      title: <span className="only-heard">{say("tokenActions")}</span>,
      align: "right",
      render: (_, token) => (
        <Button
          size="small"
          danger
          aria-label={say("endTokenNamed", { name: token.name })}
          onClick={() => end(token)}
        >
          {say("endToken")}
        </Button>
      ),
    },
  ];

  return (
    <Section
      title={say("tokens")}
      hint={say("tokensHint")}
      action={
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setMaking(true)}>
          {say("newToken")}
        </Button>
      }
    >
      {!tokens ? (
        error ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={3} />
        )
      ) : tokens.length === 0 ? (
        <Nothing title={say("noTokens")} hint={<WithCode text={say("noTokensHint")} />} />
      ) : (
        <Table
          className="account-tokens"
          size="small"
          rowKey="id"
          columns={columns}
          dataSource={tokens}
          pagination={tokens.length > 10 ? { pageSize: 10, showSizeChanger: false } : false}
        />
      )}
      {making && <NewTokenDialog onDone={() => setMaking(false)} />}
    </Section>
  );
}
