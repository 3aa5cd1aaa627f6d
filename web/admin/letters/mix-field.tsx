import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import type { AdminLetter } from '#contract/admin/letters.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { Button } from '#web/ui/button.tsx';
import { SearchField } from '#web/ui/forms/field.tsx';

type LetterTrack = NonNullable<AdminLetter['track']>;

const SHOWN = 6;

/** The newest mixes, or those whose title contains a text. */
const mixesQuery = (q: string) =>
  apiQuery('GET /api/admin/tracks', { query: { limit: SHOWN, sort: 'week', ...(q && { q }) } });

const nameMix = ({ title, weekNumber, year }: LetterTrack): string =>
  `Week ${weekNumber}, ${year}: ${title}`;

type MixFieldProps = { track: LetterTrack | null; onChange: (track: LetterTrack | null) => void };

/** The mix that a letter shows with its sleeve, its number and a link. */
export function MixField({ track, onChange }: MixFieldProps) {
  const id = useId();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="font-medium">
        Mix
      </h2>
      {track && <p className="text-text-2">{nameMix(track)}</p>}
      {isChoosing ? (
        <Choices
          onChoose={(chosen) => {
            setChoosing(false);
            if (chosen) onChange(chosen);
          }}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="line" onClick={() => setChoosing(true)}>
            {track ? 'Choose another' : 'Choose a mix'}
          </Button>
          {track && (
            <Button size="sm" variant="quiet" onClick={() => onChange(null)}>
              Leave it out
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function Choices({ onChoose }: { onChoose: (track: LetterTrack | null) => void }) {
  const [typed, setTyped] = useState('');
  const { data } = useQuery(mixesQuery(useDeferredValue(typed.trim())));
  const tracks = data?.items.filter(({ state }) => state !== 'deleted') ?? [];
  return (
    <div className="grid gap-2">
      <SearchField
        // It opens where the button was.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label="Search mixes"
        placeholder="Title or artist"
        value={typed}
        onChange={setTyped}
      />
      <ul aria-label="Mixes" className="rounded-panel bg-surface">
        {tracks.map(({ id, title, weekNumber, year }) => (
          <li key={id} className="border-t border-line first:border-0">
            <button
              type="button"
              className="min-h-11 w-full truncate px-4 text-left hover:bg-raised"
              onClick={() => onChoose({ id, title, weekNumber, year })}
            >
              {nameMix({ id, title, weekNumber, year })}
            </button>
          </li>
        ))}
        {data && tracks.length === 0 && <li className="px-4 py-3 text-text-2">No mix matches.</li>}
      </ul>
      <Button
        size="sm"
        variant="quiet"
        className="justify-self-start"
        onClick={() => onChoose(null)}
      >
        Cancel
      </Button>
    </div>
  );
}
