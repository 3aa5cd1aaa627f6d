import { useDeferredValue, useState } from 'react';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { SearchField } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import type { RecordingFilter } from './api.ts';
import { RecordingList } from './recording-list.tsx';

type GapFilter = NonNullable<RecordingFilter['gap']> | '';

const GAP_FILTERS: readonly { value: GapFilter; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'isrc', label: 'Without an ISRC' },
  { value: 'composer', label: 'Without a composer' },
  { value: 'publisher', label: 'Without a publisher' },
  { value: 'label', label: 'Without a label' },
  { value: 'artist', label: 'Without an artist' },
  { value: 'sharedIsrc', label: 'With the same ISRC' },
];

export function Page() {
  const [typed, setTyped] = useState(useQueryParam('search') ?? '');
  const [gap, setGap] = useState<GapFilter>('');
  const search = useDeferredValue(typed.trim());
  return (
    <AdminFrame
      title="Rights"
      lead="The recordings that your mixes play, for reports to collecting societies. A correction here applies to every mix."
    >
      <div className="flex flex-col gap-5">
        <div className="flex flex-col gap-3 @xl/content:flex-row">
          <SearchField
            label="Search recordings"
            placeholder="Artist, title or ISRC"
            className="@xl/content:max-w-md @xl/content:flex-1"
            maxLength={120}
            value={typed}
            onChange={setTyped}
          />
          <Select
            label="Which recordings"
            options={GAP_FILTERS}
            value={gap}
            onValueChange={(value) =>
              setGap(GAP_FILTERS.find((each) => each.value === value)?.value ?? '')
            }
          />
        </div>
        <RecordingList filter={{ ...(search && { search }), ...(gap && { gap }) }} />
      </div>
    </AdminFrame>
  );
}
