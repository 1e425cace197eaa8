"""Which jobs a list is of, where texts are searched for, and how many."""

from __future__ import annotations

from dataclasses import dataclass, replace

from danlu.control.search.job_counts import JobCounts
from danlu.control.search.name_index import Matches, NameIndex, Text
from danlu.store.jobs.job_lists import ListQuery

FEW_OF_OWNER = 300


@dataclass(frozen=True, slots=True)
class JobSearch:
    job_counts: JobCounts
    name_index: NameIndex

    async def find(self, query: ListQuery) -> Matches:
        """How many jobs a list is of, and which, if it is searched for texts and they are few."""
        said = ((query.name, False), (query.search, True))
        texts = [Text(text, of_owner) for text, of_owner in said if text]
        counts = self.job_counts.areas(query.owner)
        if not texts and (query.owner is None or sum(counts.values()) > FEW_OF_OWNER):
            return Matches(None, counts, exact=True)
        # Of an owner with few jobs they are all known by their ids: nobody has to walk past those of others.
        return await self.name_index.find(texts, query.owner, self.job_counts.arrays_under_way(query.owner))

    async def narrow(self, query: ListQuery) -> ListQuery:
        """The same list, asked for by what is known of it."""
        found = await self.find(query)
        return replace(query, ids=found.ids, owners=found.owners)
