import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { describeTrack } from '#contract/artists/artist-names.ts';
import type { ChartEntry } from '#contract/charts.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { describeNumberOne } from '#web/features/charts/chart-text.ts';
import { RankBars } from '#web/features/charts/rank-bars.tsx';
import { TrackPlayButton } from '#web/player/view/track-play-button.tsx';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';

type NumberOneProps = { entry: ChartEntry; queue: readonly Track[]; onExplain: () => void };

const stageClass =
  'stage mt-7 grid grid-cols-[minmax(0,1fr)_auto] gap-x-8 px-gutter py-6 @3xl/content:mx-gutter @3xl/content:grid-cols-[auto_auto_minmax(0,1fr)] @3xl/content:px-[30px]';
const NUMERAL_SIZE = 'clamp(240px, 33cqi, max(318px, 18cqi))';
const numeralClass = 'self-end @max-3xl/content:pr-6 @max-3xl/content:text-[246px]!';
const sleeveClass =
  'w-[124px] self-end @lg/content:w-[168px] @3xl/content:w-[clamp(160px,22cqi,max(220px,12.5cqi))]';
const textClass =
  '@container flex min-w-0 flex-col @max-3xl/content:col-span-full @max-3xl/content:mt-5';
const titleClass =
  'my-2 type-display title-fit [--title-max:3.25rem] @3xl/content:[--title-max:4.75rem] @double/content:[--title-max:6.5rem]';

/** The number one has its own stage. */
export function NumberOne({ entry, queue, onExplain }: NumberOneProps) {
  const { track } = entry;
  return (
    <section data-week={track.weekNumber} aria-labelledby="number-one" className={stageClass}>
      <Numeral value={1} isDecorative hasNeighbor size={NUMERAL_SIZE} className={numeralClass} />
      <Link href={`/track/${track.id}`} tabIndex={-1} aria-hidden className={sleeveClass}>
        <Sleeve isFirst week={track.weekNumber} trackId={track.id} coverUrl={track.coverUrl} />
      </Link>
      <div className={textClass}>
        <p className="type-kicker">{describeNumberOne(entry)}</p>
        <h2 id="number-one" style={fitTitle(track.title)} className={titleClass}>
          <Link href={`/track/${track.id}`} className="hover:underline hover:underline-offset-8">
            {track.title}
          </Link>
        </h2>
        <p className="type-meta tabular">
          <Facts>
            <b className="font-semibold text-text">Week {track.weekNumber}</b>
            {describeTrack(track)}
            {formatDuration(track.duration)}
          </Facts>
        </p>
        <div className="mt-auto flex flex-wrap items-end gap-x-5 gap-y-4 pt-5">
          <dl className="flex flex-1 flex-wrap gap-x-6 gap-y-3 @max-5xl/content:basis-full @lg/content:gap-x-10 @3xl/content:gap-x-6 @5xl/content:gap-x-10 @6xl/content:gap-x-16">
            <Fact name="Last week">{entry.previousRank ?? '–'}</Fact>
            <Fact name="Peak">{entry.peak}</Fact>
            <Fact name="Weeks on chart">{entry.weeksOnChart}</Fact>
            <Fact name={`Last ${entry.recent.length} weeks`}>
              <RankBars recent={entry.recent} />
            </Fact>
          </dl>
          <button
            type="button"
            onClick={onExplain}
            className="mr-auto min-h-11 type-meta underline underline-offset-4 hover:text-text"
          >
            Why is it number 1?
          </button>
          <TrackPlayButton
            track={track}
            queue={queue}
            source="Top 20"
            size="xl"
            name={track.title}
          />
        </div>
      </div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="type-meta whitespace-nowrap">{name}</dt>
      <dd className="mt-1 type-numeral-small text-[1.625rem] text-text has-[svg]:h-auto">
        {children}
      </dd>
    </div>
  );
}

export function NumberOneSkeleton() {
  return (
    <div className={stageClass}>
      <span
        aria-hidden
        className={`type-numeral block animate-breathe text-line ${numeralClass}`}
        style={{ fontSize: NUMERAL_SIZE }}
      >
        1
      </span>
      <Skeleton className={`aspect-square ${sleeveClass}`} />
      <div className={textClass}>
        <Skeleton className="h-[1lh] w-32 type-kicker" />
        <Skeleton style={fitTitle('Mango Season')} className={`h-[1lh] w-4/5 ${titleClass}`} />
        <Skeleton className="h-[1lh] w-44 type-meta" />
        <Skeleton className="mt-auto h-14 w-4/5 max-w-96" />
      </div>
    </div>
  );
}
