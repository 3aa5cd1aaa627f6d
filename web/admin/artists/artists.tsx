import { useDeferredValue, useState } from 'react';
import { ArtistList } from './artist-list.tsx';
import { inputClass } from '#web/ui/forms/field.tsx';
import { Search } from '#web/ui/icons.ts';
import { AdminFrame } from '../admin-frame.tsx';

export function Page() {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  return (
    <AdminFrame title="Artists" lead="The DJs credited on your mixes.">
      <div className="flex flex-col gap-5">
        <label className="relative @xl/content:max-w-md">
          <span className="sr-only">Search by name</span>
          <Search className="absolute top-3 left-3.5 size-5 text-text-3" />
          <input
            type="search"
            value={typed}
            maxLength={100}
            placeholder="Name"
            onChange={(event) => setTyped(event.target.value)}
            className={`${inputClass} pl-11`}
          />
        </label>
        <ArtistList q={q} />
      </div>
    </AdminFrame>
  );
}
