import { useDeferredValue, useState } from 'react';
import { ArtistList } from './artist-list.tsx';
import { SearchField } from '#web/ui/forms/field.tsx';
import { AdminFrame } from '../admin-frame.tsx';

export function Page() {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  return (
    <AdminFrame title="Mixes">
      <div className="flex flex-col gap-5">
        <SearchField
          label="Search by name"
          placeholder="Name"
          className="@xl/content:max-w-md"
          maxLength={100}
          value={typed}
          onChange={setTyped}
        />
        <ArtistList q={q} />
      </div>
    </AdminFrame>
  );
}
