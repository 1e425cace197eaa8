import { useWords } from "@/lib/i18n/language";
import { isUsual, PLAIN_NAMES } from "@/lib/plainFields";
import { useVocabulary } from "@/lib/vocabulary-words";
import { isEmptyField, type JobForm } from "../form/jobForm";
import { type SectionName, sectionOf } from "../form/sections";
import { useValueWords } from "../form/valueWords";
import { words } from "../words";

const USUAL_GRACE = "10s";

/** What is set in each part of the form, in one line. */
export function useSummaries(form: JobForm): Record<SectionName, string> {
  const say = useWords(words);
  const vocabulary = useVocabulary();
  const showValue = useValueWords();
  const after = [...form.after, ...form.after_ok].sort((a, b) => a - b);
  const what = [firstLine(form.command), form.directory, form.environment, form.name];
  const resources = [
    form.gpus === "auto"
      ? say("summaryGpusAuto")
      : form.gpus
        ? say("summaryGpus", { count: form.gpus })
        : form.share || form.gpu_ids.length
          ? ""
          : say(form.gpus === 0 ? "gpusNone" : "gpusUnsaid"),
    form.share ? say("summaryShare") : form.no_sharing ? say("summaryAlone") : "",
    form.gpu_memory_mb && say("summaryGpuMemory", { size: form.gpu_memory_mb }),
    form.cpus === null ? "" : say("summaryCpus", { count: form.cpus }),
    form.memory_mb && say("summaryMemory", { size: form.memory_mb }),
  ];
  const nodes = [
    form.nodes && form.nodes !== "1" && say("summaryNodes", { nodes: form.nodes }),
    form.launcher && form.launcher !== "plain" && say(`launcher_${form.launcher}`),
  ];
  const placement = [
    form.node,
    form.only_nodes.length ? say("summaryOnly", { nodes: form.only_nodes.join(", ") }) : "",
    form.exclude_nodes.length ? say("summaryExclude", { nodes: form.exclude_nodes.join(", ") }) : "",
    form.gpu_model,
    form.gpu_ids.length ? say("summaryGpuIds", { ids: form.gpu_ids.join(", ") }) : "",
    form.spread ? vocabulary("label.spread") : "",
    form.stage.length ? say("summaryStage", { paths: form.stage.join(", ") }) : "",
    form.wait_for_hardware ? vocabulary("label.wait_for_hardware") : "",
  ];
  const when = [
    form.urgent ? vocabulary("label.urgent") : "",
    form.hold ? vocabulary("label.hold") : "",
    form.restartable ? vocabulary("label.restartable") : "",
    form.service ? vocabulary("label.service") : "",
    after.length ? say("summaryAfter", { jobs: after.join(", ") }) : "",
    form.array && `${vocabulary("label.array")} ${form.array}`,
    form.time_limit_s && say("summaryTime", { time: form.time_limit_s }),
    form.retries ? say("summaryRetries", { count: form.retries }) : "",
  ];
  const variables = form.variables.filter(({ name }) => name).length;
  const more = [
    variables ? say("summaryVariables", { count: variables }) : "",
    form.stdout && `${vocabulary("label.stdout")} ${form.stdout}`,
    form.stderr && `${vocabulary("label.stderr")} ${form.stderr}`,
    form.description ? vocabulary("label.description") : "",
    form.gpu_arg,
    form.grace_s && form.grace_s !== USUAL_GRACE && `${vocabulary("label.grace_s")} ${form.grace_s}`,
  ];
  const plain = (section: SectionName) =>
    PLAIN_NAMES.filter((name) => sectionOf(name) === section)
      .filter((name) => !isEmptyField(form, name) && !isUsual(name, form[name]))
      .map((name) => `${vocabulary(`label.${name}`)} ${showValue(form, name)}`);
  return {
    what: line([...what, ...plain("what")]) || say("nothingYet"),
    resources: line([...resources, ...plain("resources")]),
    nodes: line([...nodes, ...plain("nodes")]) || say("notUsed"),
    placement: line([...placement, ...plain("placement")]) || say("automatic"),
    when: line([...when, ...plain("when")]) || say("asSoon"),
    more: line([...more, ...plain("more")]) || say("notUsed"),
  };
}

function line(parts: (string | false)[]): string {
  return parts.filter(Boolean).join(" · ");
}

function firstLine(command: string): string {
  return command.trim().split("\n", 1)[0] ?? "";
}
