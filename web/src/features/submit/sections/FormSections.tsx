import { useQuery } from "@tanstack/react-query";
import { nodesQuery } from "@/lib/api/queries";
import { useWords } from "@/lib/i18n/language";
import { PLAIN_NAMES } from "@/lib/plainFields";
import { PlainFields } from "../fields/PlainFields";
import { useForm } from "../form/context";
import { isOfManyNodes } from "../form/jobForm";
import { SECTION_NAMES, SECTIONS, sectionOf } from "../form/sections";
import { words } from "../words";
import { MoreSection } from "./MoreSection";
import { NodesSection } from "./NodesSection";
import { PlacementSection } from "./PlacementSection";
import { ResourcesSection } from "./ResourcesSection";
import { Section } from "./Section";
import type { OpenSections } from "./useOpenSections";
import { useSummaries } from "./useSummaries";
import { WhatSection } from "./WhatSection";
import { WhenSection } from "./WhenSection";

/** The steps of the form. Those that are closed say in a line what is set in them. */
export function FormSections({ sections, focus }: { sections: OpenSections; focus: boolean }) {
  const say = useWords(words);
  const { form, base, problems } = useForm();
  const { data: nodes = [] } = useQuery(nodesQuery);
  const summaries = useSummaries(form);
  // What only matters where there are several nodes stays out of the way where there is one.
  const many = nodes.length > 1 || isOfManyNodes(form) || isOfManyNodes(base);
  const contents = {
    what: <WhatSection focus={focus} />,
    resources: <ResourcesSection />,
    nodes: many && <NodesSection />,
    placement: <PlacementSection many={many} />,
    when: <WhenSection />,
    more: <MoreSection />,
  };
  return SECTION_NAMES.filter((name) => contents[name]).map((name) => (
    <Section
      key={name}
      name={name}
      title={say(name)}
      summary={summaries[name]}
      problems={SECTIONS[name].filter((field) => problems.has(field)).length}
      open={sections.isOpen(name)}
      onToggle={() => sections.toggle(name)}
    >
      {contents[name]}
      {PLAIN_NAMES.some((field) => sectionOf(field) === name) && (
        <div className="fields">
          <PlainFields section={name} />
        </div>
      )}
    </Section>
  ));
}
