"""Which jobs a list is of, where texts or tags are searched for, and how many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from danlu.control.search.job_counts import JobCounts
from danlu.control.search.name_index import FEW, MOST_COUNTED, Matches, NameIndex, Text
from danlu.core.states import AREAS, area_of
from danlu.store.engine.database import Database
from danlu.store.jobs.job_lists import ListQuery, tagged_jobs

FEW_OF_OWNER = 300


@dataclass(frozen=True, slots=True)
class JobSearch:
    database: Database
    job_counts: JobCounts
    name_index: NameIndex

    async def find(self, query: ListQuery) -> Matches:
        """How many jobs a list is of, and which, if it is searched for texts or a tag and they are few."""
        if query.tag is not None:
            return await self._find_tagged(query)
        said = ((query.name, False), (query.search, True))
        texts = [Text(text, of_owner) for text, of_owner in said if text]
        owners = query.all_owners
        counts = self.job_counts.areas(owners)
        if not texts and (owners is None or sum(counts.values()) > FEW_OF_OWNER):
            return Matches(None, counts, exact=True)
        # Of owners with few jobs they are all known by their ids: no need to walk past those of others.
        return await self.name_index.find(texts, owners, self.job_counts.arrays_under_way(owners))

    async def _find_tagged(self, query: ListQuery) -> Matches:
        """The database has an index of tags; what else is searched for, it looks for among those jobs."""
        found = await self.database.read(partial(tagged_jobs, query=query, most=MOST_COUNTED + 1))
        counts = dict.fromkeys(AREAS, 0)
        under_way = self.job_counts.arrays_under_way(query.all_owners)
        for job_id, state in found[:MOST_COUNTED]:
            if area := area_of(state):
                counts[area] += 1
            # An array may be in two areas: some of its elements run, the others wait.
            counts["running"] += job_id in under_way
        ids = tuple(job_id for job_id, _ in found) if len(found) <= FEW else None
        return Matches(ids, counts, exact=len(found) <= MOST_COUNTED)

    async def narrow(self, query: ListQuery) -> ListQuery:
        """The same list, asked for by what is known of it."""
        found = await self.find(query)
        return replace(query, ids=found.ids, owners=found.owners)
