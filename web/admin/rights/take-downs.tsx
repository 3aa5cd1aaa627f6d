import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { TakeDownOfTrack } from '#contract/admin/take-downs.ts';
import { pagedQuery } from '#web/lib/api/api-query.ts';
import { formatLongDate } from '#web/lib/format/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { formatTrack } from './words.ts';

const STATES = [
  { value: '', label: 'All complaints' },
  { value: 'open', label: 'Taken down now' },
  { value: 'closed', label: 'Closed' },
] as const;
type State = (typeof STATES)[number]['value'];

const pagesQuery = (state: State) =>
  pagedQuery('GET /api/admin/rights/take-downs', { query: { limit: 50, ...(state && { state }) } });

const by = (name: string | null): string => (name === null ? '' : ` by ${name}`);

function Case({ takeDown }: { takeDown: TakeDownOfTrack }) {
  const { track, complainant, email, reference, reason, at, end } = takeDown;
  return (
    <li className="grid gap-1 border-t border-line px-4 py-4 wrap-anywhere first:border-0 @3xl/content:px-5">
      <p className="font-semibold">
        <Link href={`/admin/tracks/edit/${track.id}`} className="underline underline-offset-4">
          {formatTrack(track)}
        </Link>
      </p>
      <p className="text-13 text-text-2">
        <Facts>
          {complainant}
          {email !== null && (
            <a href={`mailto:${email}`} className="underline underline-offset-4">
              {email}
            </a>
          )}
          {reference}
        </Facts>
      </p>
      <p className="max-w-[68ch] whitespace-pre-line">{reason}</p>
      <p className="text-13 text-text-3">
        Taken down on {formatLongDate(at)}
        {by(takeDown.by)}
      </p>
      {end && (
        <p className="max-w-[68ch] text-13 whitespace-pre-line text-text-3">
          {end.as === 'before' ? 'Put back' : 'Closed as a draft'} on {formatLongDate(end.at)}
          {by(end.by)}: {end.reason}
        </p>
      )}
    </li>
  );
}

export function Page() {
  const [state, setState] = useState<State>('');
  const query = useInfiniteQuery(pagesQuery(state));
  return (
    <AdminFrame
      title="Rights"
      lead="Complaints for which a mix was taken down, and how each ended. To take one down, open it under Mixes and press “Take down”."
    >
      <div className="flex flex-col gap-5">
        <div className="flex">
          <Select
            label="Which complaints"
            options={STATES}
            value={state}
            onValueChange={(value) =>
              setState(STATES.find((each) => each.value === value)?.value ?? '')
            }
          />
        </div>
        <PagedList
          label="Complaints"
          query={query}
          failed="Couldn’t load the complaints."
          empty={
            <EmptyState
              glyph="nothing"
              title={state === 'open' ? 'No mix is taken down' : 'No complaints'}
              text="Whoever complains finds out how on the page Copyright complaints, at the end of every page."
              link={{ href: '/copyright', label: 'Read it' }}
            />
          }
          renderItem={(each) => <Case key={each.id} takeDown={each} />}
        />
      </div>
    </AdminFrame>
  );
}
