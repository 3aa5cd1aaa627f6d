import { useQuery } from '@tanstack/react-query';
import { CatalogueSort, CatalogueState } from '#contract/admin/catalogue.ts';
import { SearchField } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { catalogueFacetsQuery, type CatalogueFilter } from './api.ts';
import { stateNames } from './describe-track.ts';

const sortNames: Record<CatalogueSort, string> = {
  week: 'Newest week',
  release: 'Newest release',
  plays: 'Most plays',
  updated: 'Recently edited',
  title: 'Title',
};

type CatalogueFiltersProps = {
  filter: CatalogueFilter;
  onChange: (filter: CatalogueFilter) => void;
};

/** Leaves out empty filters, so that equal filters share one cached query. */
const removeEmpty = (filter: Record<string, unknown>): CatalogueFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  );

export function CatalogueFilters({ filter, onChange }: CatalogueFiltersProps) {
  const { data: facets } = useQuery(catalogueFacetsQuery);
  const set = (name: keyof CatalogueFilter, value: string | number) =>
    onChange(removeEmpty({ ...filter, [name]: value }));
  const count = (state: CatalogueState) => facets?.states[state] ?? 0;
  return (
    <div className="flex flex-wrap items-center gap-2.5" role="search" aria-label="Catalogue">
      <SearchField
        label="Search the catalogue"
        placeholder="Title, week or genre"
        className="w-full @2xl/content:w-72"
        value={filter.q ?? ''}
        onChange={(text) => set('q', text)}
      />
      <Select
        label="Status"
        value={filter.state ?? ''}
        onValueChange={(value) => set('state', value)}
        options={[
          { value: '', label: 'All statuses' },
          ...CatalogueState.options.map((state) => ({
            value: state,
            label: `${stateNames[state]} (${count(state)})`,
          })),
        ]}
      />
      <Select
        label="Year"
        value={String(filter.year ?? '')}
        onValueChange={(value) => set('year', value ? Number(value) : '')}
        options={[
          { value: '', label: 'All years' },
          ...(facets?.years ?? []).map((year) => ({ value: String(year), label: String(year) })),
        ]}
      />
      <Select
        label="Genre"
        value={filter.genre ?? ''}
        onValueChange={(value) => set('genre', value)}
        options={[
          { value: '', label: 'All genres' },
          ...(facets?.genres ?? []).map((genre) => ({ value: genre, label: genre })),
        ]}
      />
      {facets && facets.series.length > 0 && (
        <Select
          label="Series"
          value={filter.series ?? ''}
          onValueChange={(value) => set('series', value)}
          options={[
            { value: '', label: 'All series' },
            ...facets.series.map((series) => ({ value: series, label: series })),
          ]}
        />
      )}
      <Select
        label="Sort"
        className="@5xl/content:ml-auto"
        value={filter.sort ?? 'week'}
        onValueChange={(value) => set('sort', value)}
        options={CatalogueSort.options.map((sort) => ({ value: sort, label: sortNames[sort] }))}
      />
    </div>
  );
}
