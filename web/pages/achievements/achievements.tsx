import { useQuery } from '@tanstack/react-query';
import type { Achievement } from '#contract/achievements.ts';
import { achievementsQuery } from '#web/features/achievements/api.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { boot } from '#web/lib/store/boot.ts';
import { formatDate, formatNumber } from '#web/lib/format/format.ts';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { PageHead, SectionHead } from '#web/ui/page-head.tsx';
import { Skeleton, WaveformSkeleton } from '#web/ui/skeleton.tsx';

export const listQueries = () => [achievementsQuery];

export function Page() {
  const query = useQuery(achievementsQuery);
  const { year } = useThisWeek();
  const { data } = query;
  const items = data?.items ?? [];
  const earned = items
    .filter((item) => item.earnedAt !== null)
    .toSorted((a, b) => (b.earnedAt ?? 0) - (a.earnedAt ?? 0));
  const open = items.filter((item) => item.earnedAt === null);
  return (
    <>
      <PageHead
        title="Achievements"
        lead={data ? `${earned.length} of ${items.length} earned.` : 'Earned by listening.'}
        end={
          <LinkButton href={`/year/${year}`} variant="line">
            Your year
          </LinkButton>
        }
      />
      <div className="flex flex-col gap-10 px-gutter pt-8">
        <Loaded
          query={query}
          look="section"
          failed="Couldn’t load your achievements"
          text="Nothing you’ve earned is lost. Check your connection and try again."
          skeleton={<ShelfSkeleton />}
        >
          {() => (
            <>
              {earned.length > 0 && <Shelf title="Earned" items={earned} />}
              {open.length > 0 && <Shelf title="In progress" items={open} />}
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

const shelfClass =
  'grid gap-x-8 @xl/content:grid-cols-2 @5xl/content:grid-cols-3 @double/content:grid-cols-5';

function ShelfSkeleton() {
  return (
    <div role="status" aria-label="Loading: Achievements">
      <Skeleton className="mt-2 mb-[18px] h-6 w-28" />
      <div className={shelfClass}>
        {Array.from({ length: 9 }, (_, i) => (
          <div key={i} className="flex h-[103px] items-center gap-5 border-t border-line py-4">
            <WaveformSkeleton className="h-11 w-[93px] shrink-0" bars={12} />
            <div className="flex-1">
              <Skeleton className="mb-2 h-4 w-1/2" />
              <Skeleton className="mb-2 h-3.5 w-4/5" />
              <Skeleton className="h-3 w-1/3" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

function Shelf({ title, items }: { title: string; items: readonly Achievement[] }) {
  return (
    <section aria-label={title}>
      <SectionHead title={title} />
      <ul className={shelfClass}>
        {items.map((item) => (
          <Medal key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}

const BARS = 12;

/** Solid bars are done, outlined bars aren’t yet. Once earned, it has the colour of that week. */
function Medal({ item }: { item: Achievement }) {
  const { title, description, progress, goal, unit, earnedAt } = item;
  const filled = Math.floor((BARS * progress) / goal);
  const progressText =
    unit === 'percent' ? `${progress}%` : `${formatNumber(progress)} of ${formatNumber(goal)}`;
  return (
    <li
      data-week={earnedAt === null ? undefined : weekOf(earnedAt, boot.timeZone).week}
      className="flex items-center gap-5 border-t border-line py-4"
    >
      <span aria-hidden className="flex h-11 shrink-0 items-end gap-[3px]">
        {Array.from({ length: BARS }, (_, i) => (
          <i
            key={i}
            className={`w-[5px] rounded-[1px] ${i < filled ? (earnedAt === null ? 'bg-text' : 'bar-solid') : 'shadow-[inset_0_0_0_1px_var(--line-strong)]'}`}
            style={{ height: `${30 + (70 * (i + 1)) / BARS}%` }}
          />
        ))}
      </span>
      <div className="min-w-0">
        <h3 className="font-semibold">{title}</h3>
        <p className="text-text-2">{description}</p>
        <p className="mt-1 type-meta tabular">
          {earnedAt === null ? progressText : `Earned ${formatDate(earnedAt)}`}
        </p>
      </div>
    </li>
  );
}
