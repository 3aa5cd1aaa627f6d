import { Link } from 'wouter';
import type { Departure } from '#contract/admin/departures.ts';
import { describeDeparture } from '#contract/rules/departures.ts';
import { describeMonths } from '#contract/rules/plans.ts';
import { formatShortDate } from '#web/lib/format/format.ts';
import { Tag } from '#web/ui/tag.tsx';
import { rowClass, UserList } from './user-lists.tsx';

/** When a member left, why, and what they said about it. */
export function DepartureList({ departures }: { departures: readonly Departure[] }) {
  return (
    <UserList title="Why they left" id="departures" empty="" isEmpty={departures.length === 0}>
      {departures.map((departure) => {
        const { id, at, comment, plan, months, track, takenBackAt } = departure;
        return (
          <li key={id} className={rowClass}>
            <span className="min-w-0 flex-[1_1_14rem]">
              <span className="font-medium">{describeDeparture(departure)}</span>
              {comment !== null && <q className="block wrap-anywhere">{comment}</q>}
              <span className="block text-13 text-text-2">
                {formatShortDate(at)}, {plan} plan, after {describeMonths(months)}
                {track && (
                  <>
                    . Last heard{' '}
                    <Link href={`/track/${track.id}`} className="underline">
                      {track.title}
                    </Link>
                  </>
                )}
              </span>
            </span>
            {takenBackAt !== null && <Tag>Went on {formatShortDate(takenBackAt)}</Tag>}
          </li>
        );
      })}
    </UserList>
  );
}
