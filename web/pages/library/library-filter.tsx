import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { LibraryState } from '#contract/tracks.ts';
import { facetsQuery } from '#web/features/tracks/api.ts';
import { buildPath } from '#web/lib/api/api.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Select } from '#web/ui/forms/select.tsx';

export type LibraryFilter = {
  state?: LibraryState | undefined;
  genre?: string | undefined;
  series?: string | undefined;
  year?: number | undefined;
};

const STATES: readonly string[] = ['listened', 'missed', 'downloaded'] satisfies LibraryState[];

/** Ignores values in the address that make no sense. */
export function parseLibraryFilter(read: (name: string) => string | null): LibraryFilter {
  const state = read('state') ?? '';
  const year = Number(read('year'));
  return {
    state: STATES.includes(state) ? (state as LibraryState) : undefined,
    genre: read('genre')?.slice(0, 60) || undefined,
    series: read('series')?.slice(0, 60) || undefined,
    year: Number.isInteger(year) && year >= 1990 && year <= 9999 ? year : undefined,
  };
}

export const libraryPath = (filter: LibraryFilter): string => buildPath('/library', {}, filter);

/** The filter lives in the address, so it can be shared and undone with Back. */
export function useLibraryFilter(): [LibraryFilter, (change: LibraryFilter) => void] {
  const [, navigate] = useLocation();
  const params = {
    state: useQueryParam('state'),
    genre: useQueryParam('genre'),
    series: useQueryParam('series'),
    year: useQueryParam('year'),
  };
  const filter = parseLibraryFilter((name) => params[name as keyof typeof params]);
  return [filter, (change) => navigate(libraryPath({ ...filter, ...change }))];
}

type LibraryFiltersProps = {
  filter: LibraryFilter;
  onChange: (change: LibraryFilter) => void;
  /** Without it there is no Downloaded filter. */
  canDownload: boolean;
};

type StateChoice = LibraryState | 'all';

const stateOptions: readonly { value: StateChoice; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'listened', label: 'Listened' },
  { value: 'missed', label: 'Missed' },
  { value: 'downloaded', label: 'Downloaded' },
];

/** Keeps the chosen value in the list even if no mix has it any more. */
function listOptions(all: string, values: readonly string[], chosen: string | undefined) {
  const shown = chosen && !values.includes(chosen) ? [...values, chosen] : values;
  return [{ value: '', label: all }, ...shown.map((value) => ({ value, label: value }))];
}

export function LibraryFilters({ filter, onChange, canDownload }: LibraryFiltersProps) {
  const query = useQuery(facetsQuery);
  const { data } = query;
  const { state, genre, series, year } = filter;
  const isOffered = ({ value }: { value: StateChoice }) =>
    value !== 'downloaded' || canDownload || state === 'downloaded';
  const years = data?.years.map(String) ?? [];
  return (
    <div
      role="group"
      aria-label="Filter the library"
      className="flex flex-wrap items-center gap-2.5 px-gutter pt-6 @lg/content:pt-8"
    >
      <Segmented
        label="Filter mixes"
        options={stateOptions.filter(isOffered)}
        value={state ?? 'all'}
        onValueChange={(value) => onChange({ state: value === 'all' ? undefined : value })}
        className="@max-lg/content:w-full @max-lg/content:[&_label]:flex-1 @max-lg/content:[&_label]:justify-center @max-lg/content:[&_label]:px-2"
      />
      <Select
        label="Genre"
        options={listOptions('All genres', data?.genres ?? [], genre)}
        value={genre ?? ''}
        onValueChange={(value) => onChange({ genre: value || undefined })}
        className="@max-lg/content:flex-1"
      />
      <Select
        label="Year"
        options={listOptions('All years', years, year?.toString())}
        value={year?.toString() ?? ''}
        onValueChange={(value) => onChange({ year: value ? Number(value) : undefined })}
        className="@max-lg/content:flex-1"
      />
      {/* Most sites have none. */}
      {(data?.series ?? series) && (
        <Select
          label="Series"
          options={listOptions('All series', data?.series ?? [], series)}
          value={series ?? ''}
          onValueChange={(value) => onChange({ series: value || undefined })}
          className="@max-lg/content:flex-1"
        />
      )}
      <LoadFailure query={query} look="line" failed="Couldn’t load the genres and years." />
    </div>
  );
}
