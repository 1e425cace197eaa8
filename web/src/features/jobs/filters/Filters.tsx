import { ColumnHeightOutlined, FilterOutlined, SearchOutlined } from "@ant-design/icons";
import { Badge, Button, Input, Select, Tag } from "antd";
import { useRef, useState } from "react";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { clearable } from "@/ui/form/clearable";
import { useSearchText } from "@/ui/form/useSearchText";
import { type AreaName, countFilters, type JobsSearch, REASONS, type SortName, STATES } from "../address";
import { words } from "../words";
import { sortsOf } from "./sorts";
import { readTyped, writeTyped } from "./typedFilter";
import "./Filters.css";

interface FiltersProps {
  area: AreaName;
  search: JobsSearch;
  /** Owners that can be chosen from; any other can be typed. */
  owners: readonly string[];
  compact: boolean;
  onCompact: (compact: boolean) => void;
  onChange: (change: JobsSearch) => void;
  onClear: () => void;
}

export function Filters({ area, search, owners, compact, onCompact, onChange, onClear }: FiltersProps) {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const [unfolded, setUnfolded] = useState(false);
  const typedLast = useRef("");
  const meant = readTyped(typedLast.current);
  // What is being typed stays as it is while it means what the address says.
  const isSame = meant.search === search.search && meant.tag === search.tag;
  const [text, setText] = useSearchText(isSame ? typedLast.current : writeTyped(search), (wanted) => {
    typedLast.current = wanted ?? "";
    onChange(readTyped(typedLast.current));
  });
  const [typed, setTyped] = useState("");
  const count = countFilters(search);
  const folded = count - (search.search ? 1 : 0) - (search.tag ? 1 : 0);
  const known = new Set([...owners, ...(search.owner ? [search.owner] : []), ...(typed ? [typed] : [])]);
  return (
    <search className={`filters${unfolded ? " filters-unfolded" : ""}`}>
      <Input
        className="filters-text"
        allowClear={clearable}
        prefix={<SearchOutlined aria-hidden />}
        placeholder={say("searchHint")}
        aria-label={say("search")}
        value={text}
        onChange={(change) => setText(change.target.value)}
      />
      {search.tag && (
        <Tag className="filters-tag" closable onClose={() => onChange({ tag: undefined })}>
          {search.tag}
        </Tag>
      )}
      <Badge count={folded} size="small" className="filters-fold" color="var(--busy)">
        <Button icon={<FilterOutlined />} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {say("filters")}
        </Button>
      </Badge>
      <div className="filters-more">
        <Button
          aria-pressed={Boolean(search.mine)}
          className={search.mine ? "filters-on" : undefined}
          onClick={() => onChange({ mine: search.mine ? undefined : true })}
        >
          {say("mine")}
        </Button>
        <Select
          className="filters-owner"
          allowClear
          showSearch={{ onSearch: (wanted) => setTyped(wanted.trim()) }}
          disabled={search.mine}
          placeholder={say("anyOwner")}
          aria-label={vocabulary("label.owner")}
          value={search.owner ?? null}
          onChange={(owner) => onChange({ owner: owner ?? undefined })}
          options={[...known].sort().map((owner) => ({ value: owner, label: owner }))}
        />
        <Select
          className="filters-state"
          allowClear
          placeholder={say("anyState")}
          aria-label={vocabulary("label.state")}
          value={search.state ?? null}
          onChange={(state) => onChange({ state: state ?? undefined })}
          options={STATES[area].map((state) => ({ value: state, label: vocabulary(`state.${state}`) }))}
        />
        {area === "history" && (
          <Select
            className="filters-reason"
            allowClear
            placeholder={say("anyReason")}
            aria-label={say("end")}
            value={search.end_reason ?? null}
            onChange={(reason) => onChange({ end_reason: reason ?? undefined })}
            options={REASONS.map((reason) => ({ value: reason, label: vocabulary(`end.${reason}`) }))}
            popupMatchSelectWidth={false}
          />
        )}
        <Select
          className="filters-sort"
          aria-label={say("sort")}
          value={search.sort ?? "usual"}
          onChange={(sort: SortName | "usual") => onChange({ sort: sort === "usual" ? undefined : sort })}
          options={sortsOf(area).map(({ value, word }) => ({ value, label: say(word) }))}
          popupMatchSelectWidth={false}
        />
        <Button
          className={compact ? "filters-density filters-on" : "filters-density"}
          icon={<ColumnHeightOutlined />}
          aria-pressed={compact}
          aria-label={say("compactRows")}
          title={say("compactRows")}
          onClick={() => onCompact(!compact)}
        />
        {count > 0 && (
          <Button type="link" onClick={onClear}>
            {say("clearAll")}
          </Button>
        )}
      </div>
    </search>
  );
}
