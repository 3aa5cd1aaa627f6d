import { useQuery } from '@tanstack/react-query';
import type { LibraryState } from '#contract/tracks.ts';
import { facetsQuery } from '#web/features/tracks/api.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import type { LibraryFilter } from './library-filter.ts';

type LibraryFiltersProps = {
  filter: LibraryFilter;
  onChange: (change: LibraryFilter) => void;
  /** Whoever cannot download has nothing to filter by that. */
  canDownload: boolean;
};

type StateChoice = LibraryState | 'all';

const stateOptions: readonly { value: StateChoice; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'listened', label: 'Listened' },
  { value: 'missed', label: 'Missed' },
  { value: 'downloaded', label: 'Downloaded' },
];

/** What is chosen stays among the choices, also when it is not one of them any more. */
function listOptions(all: string, values: readonly string[], chosen: string | undefined) {
  const known = chosen && !values.includes(chosen) ? [...values, chosen] : values;
  return [{ value: '', label: all }, ...known.map((value) => ({ value, label: value }))];
}

export function LibraryFilters({ filter, onChange, canDownload }: LibraryFiltersProps) {
  const { data } = useQuery(facetsQuery);
  const { state, genre, year } = filter;
  const isOffered = ({ value }: { value: StateChoice }) =>
    value !== 'downloaded' || canDownload || state === 'downloaded';
  const years = data?.years.map(String) ?? [];
  return (
    <div
      role="group"
      aria-label="Filter the library"
      className="flex flex-wrap items-center gap-2.5 px-gutter pt-6 md:pt-8"
    >
      <Segmented
        label="Which mixes"
        options={stateOptions.filter(isOffered)}
        value={state ?? 'all'}
        onValueChange={(value) => onChange({ state: value === 'all' ? undefined : value })}
        className="max-md:w-full max-md:[&_label]:flex-1 max-md:[&_label]:justify-center max-md:[&_label]:px-2"
      />
      <Select
        label="Genre"
        options={listOptions('All genres', data?.genres ?? [], genre)}
        value={genre ?? ''}
        onValueChange={(value) => onChange({ genre: value || undefined })}
        className="max-md:flex-1"
      />
      <Select
        label="Year"
        options={listOptions('All years', years, year?.toString())}
        value={year?.toString() ?? ''}
        onValueChange={(value) => onChange({ year: value ? Number(value) : undefined })}
        className="max-md:flex-1"
      />
    </div>
  );
}
