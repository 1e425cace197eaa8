import { CloseOutlined } from "@ant-design/icons";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button, Segmented, Select } from "antd";
import { useDeferredValue, useState } from "react";
import { jobListQuery, jobQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { useVocabulary } from "@/lib/vocabulary-words";
import { StateTag } from "@/ui/job/StateTag";
import { useForm } from "../form/context";
import { words } from "../words";
import { Field } from "./Field";
import { offered } from "./predecessors";
import "./PredecessorField.css";

/** Jobs that have to end, or to succeed, before this one: found by searching, each with its rule. */
export function PredecessorField() {
  const vocabulary = useVocabulary();
  const { form, set } = useForm();
  const chosen = [...form.after, ...form.after_ok].sort((a, b) => a - b);
  return (
    <Field name="after" also={["after_ok"]} label={vocabulary("forms.label.after")} wide>
      {(control) => (
        <>
          <JobSearch control={control} chosen={chosen} onAdd={(id) => set({ after: [...form.after, id] })} />
          {chosen.length > 0 && (
            <ul className="predecessors">
              {chosen.map((id) => (
                <Predecessor key={id} id={id} />
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  );
}

interface JobSearchProps {
  control: { id: string; status?: "error" };
  chosen: number[];
  onAdd: (id: number) => void;
}

function JobSearch({ control, chosen, onAdd }: JobSearchProps) {
  const say = useWords(words);
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const search = useDeferredValue(typed.trim());
  const { data, isFetching } = useQuery({
    ...jobListQuery({ limit: 20, sort: "newest", ...(search ? { search } : {}) }),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const found = offered(data?.jobs ?? [], typed, chosen);
  return (
    <Select
      {...control}
      value={null}
      placeholder={say("predecessorsPlaceholder")}
      loading={open && isFetching}
      onOpenChange={setOpen}
      showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
      notFoundContent={say("predecessorsNone")}
      onSelect={(id: number | null) => {
        if (id !== null) onAdd(id);
        setTyped("");
      }}
      options={found.map((job) => ({
        value: job.id,
        label: (
          <span className="predecessor-option">
            <b className="number">{job.ref}</b>
            <span className="predecessor-name">{job.name}</span>
            <span className="soft">{job.owner}</span>
            <StateTag state={job.state} />
          </span>
        ),
      }))}
    />
  );
}

function Predecessor({ id }: { id: number }) {
  const say = useWords(words);
  const { form, set } = useForm();
  const { data, error } = useQuery(jobQuery(String(id)));
  const isOk = form.after_ok.includes(id);
  const [after, after_ok] = [form.after, form.after_ok].map((ids) => ids.filter((each) => each !== id));
  return (
    <li className="predecessor">
      <b className="number">{id}</b>
      <span className="predecessor-name">{data?.job.name ?? (error ? say("gone") : "")}</span>
      {data && <StateTag state={data.job.state} />}
      <Segmented
        aria-label={say("afterKind", { ref: id })}
        value={isOk ? "ok" : "any"}
        options={[
          { value: "any", label: say("afterAny") },
          { value: "ok", label: say("afterOk") },
        ]}
        onChange={(kind) =>
          set(
            kind === "ok"
              ? { after, after_ok: [...(after_ok ?? []), id] }
              : { after: [...(after ?? []), id], after_ok },
          )
        }
      />
      <Button
        type="text"
        icon={<CloseOutlined />}
        aria-label={say("removePredecessor", { ref: id })}
        onClick={() => set({ after, after_ok })}
      />
    </li>
  );
}
