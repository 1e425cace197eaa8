import { SearchOutlined } from "@ant-design/icons";
import { Button, Input, Select } from "antd";
import { useMemo } from "react";
import type { NodeRow } from "@/lib/api/schema";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { clearable } from "../form/clearable";
import { useSearchText } from "../form/useSearchText";
import { shortModel } from "../gpu/gpuKinds";
import { words } from "./NodeFilterWords";
import {
  CONDITIONS,
  countNodesBy,
  isFiltering,
  modelsOf,
  type NodeCondition,
  type NodeFilter,
  rolesOf,
} from "./nodeFilter";
import "./NodeFilters.css";

interface NodeFiltersProps {
  nodes: readonly NodeRow[];
  filter: NodeFilter;
  onChange: (filter: NodeFilter) => void;
}

/** Chooses among many nodes. What all of them have in common is not offered. */
export function NodeFilters({ nodes, filter, onChange }: NodeFiltersProps) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const change = (part: NodeFilter) => onChange({ ...filter, ...part });
  const [text, setText] = useSearchText(filter.text, (said) => change({ text: said }));
  const counts = useMemo(() => countNodesBy(nodes), [nodes]);
  const models = useMemo(() => modelsOf(nodes), [nodes]);
  const roles = useMemo(() => rolesOf(nodes), [nodes]);
  const nameOf = (condition: NodeCondition) =>
    condition === "free" || condition === "attention" ? say(condition) : vocabulary(`node.${condition}`);
  return (
    <search className="node-filters">
      <Input
        className="node-filters-text"
        allowClear={clearable}
        prefix={<SearchOutlined aria-hidden />}
        placeholder={say("findNodeHint")}
        aria-label={say("findNode")}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Select
        allowClear
        popupMatchSelectWidth={false}
        placeholder={say("anyCondition")}
        aria-label={say("condition")}
        value={filter.condition ?? null}
        onChange={(condition) => change({ condition: condition ?? undefined })}
        options={CONDITIONS.filter((each) => counts[each] > 0 || each === filter.condition).map((each) => ({
          value: each,
          label: say("withCount", { what: nameOf(each), count: counts[each] }),
        }))}
      />
      {(models.length > 1 || filter.model) && (
        <Select
          allowClear
          showSearch={{ optionFilterProp: "label" }}
          popupMatchSelectWidth={false}
          placeholder={say("anyModel")}
          aria-label={say("model")}
          value={filter.model ?? null}
          onChange={(model) => change({ model: model ?? undefined })}
          options={models.map((each) => ({ value: each, label: shortModel(each) }))}
        />
      )}
      {(roles.length > 1 || filter.role) && (
        <Select
          allowClear
          popupMatchSelectWidth={false}
          placeholder={say("anyRole")}
          aria-label={say("role")}
          value={filter.role ?? null}
          onChange={(role) => change({ role: role ?? undefined })}
          options={roles.map((each) => ({ value: each, label: vocabulary(`role.${each}`) }))}
        />
      )}
      {isFiltering(filter) && (
        <Button type="link" onClick={() => onChange({})}>
          {say("clear")}
        </Button>
      )}
    </search>
  );
}
