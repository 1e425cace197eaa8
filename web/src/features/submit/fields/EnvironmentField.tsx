import { useQuery } from "@tanstack/react-query";
import { AutoComplete } from "antd";
import { useMemo } from "react";
import { answer, api } from "@/lib/api/client";
import type { EnvironmentRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useForm } from "../form/context";
import { words } from "../words";
import { Field } from "./Field";

/** Chosen from what there is, or typed. */
export function EnvironmentField() {
  const say = useWords(words);
  const { form, set } = useForm();
  const { data = [] } = useQuery({
    queryKey: ["environments"],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/environments", { signal })),
    // They are folders: no event tells when one comes or goes.
    staleTime: 30_000,
  });
  const options = useMemo(() => group(data), [data]);
  return (
    <Field name="environment" note={say("environmentNote")}>
      {(control) => (
        <AutoComplete
          {...control}
          allowClear
          value={form.environment}
          options={options}
          placeholder={say("environmentPlaceholder")}
          onChange={(environment?: string) => set({ environment: environment ?? "" })}
          showSearch={{
            filterOption: (typed, option) =>
              option !== undefined && "value" in option && fits(typed, String(option.value)),
          }}
        />
      )}
    </Field>
  );
}

function fits(typed: string, name: string): boolean {
  return name.toLowerCase().includes(typed.toLowerCase());
}

function group(environments: readonly EnvironmentRow[]) {
  const places = [...new Set(environments.map(({ place }) => place))];
  return places.map((place) => ({
    label: <span className="mono">{place}</span>,
    options: environments
      .filter((each) => each.place === place)
      .map(({ name, kind, python }) => ({
        value: name,
        label: (
          <span style={{ display: "flex", gap: 12 }}>
            <span style={{ flex: 1 }}>{name}</span>
            <span className="soft">{python ? `${kind} · Python ${python}` : kind}</span>
          </span>
        ),
      })),
  }));
}
