import { Link } from 'wouter';
import type { YearTrackView, YearView } from '#contract/years.ts';
import { Sleeve, SleeveSheet } from '#web/ui/art/sleeve.tsx';

/** Browsers paint a whole sheet for each sleeve on it. */
const WEEKS_ON_SHEET = 8;

/** The weeks of a year: sleeves where a mix was heard, numerals where one waits. */
export function YearWall({ year, bars, tracks }: YearView) {
  const toCome = bars.filter(({ state }) => state === 'coming');
  const weeks = bars.filter(({ state }) => state !== 'coming');
  const sheets = Map.groupBy(weeks, ({ week }) => Math.floor((week - 1) / WEEKS_ON_SHEET));
  const ofWeek = (week: number) => tracks.filter((track) => track.week === week);
  return (
    <ol
      aria-label={`Weeks of ${year}`}
      className="grid grid-cols-5 gap-1 @md/content:grid-cols-8 @md/content:gap-1.5 @5xl/content:grid-cols-11 @double/content:grid-cols-14"
    >
      {[...sheets].map(([sheet, ofSheet]) => (
        <SleeveSheet
          key={sheet}
          tracks={ofSheet.flatMap(({ week }) => ofWeek(week).filter(isHeard).map(toSleeve))}
        >
          {ofSheet.map(({ week }) => (
            <Week key={week} week={week} tracks={ofWeek(week)} />
          ))}
        </SleeveSheet>
      ))}
      {toCome.map(({ week }) => (
        <li key={week} aria-hidden className="grid aspect-square place-items-center">
          <i className="h-0.5 w-2.5 rounded-[1px] bg-line" />
        </li>
      ))}
    </ol>
  );
}

const isHeard = (track: YearTrackView): boolean => track.isHeard;

const toSleeve = ({ id, week, coverUrl }: YearTrackView) => ({ id, weekNumber: week, coverUrl });

/** How many tiles of a square fit two mixes of a week, and more. */
const tilesClass = ['', 'grid-cols-2', 'grid-cols-2 grid-rows-2'];
const MAX_TILES = 4;

function Week({ week, tracks }: { week: number; tracks: YearTrackView[] }) {
  const heard = tracks.filter(isHeard).slice(0, MAX_TILES);
  const [first] = tracks;
  if (!first)
    return (
      <li className="grid aspect-square place-items-center">
        <i aria-hidden className="h-0.5 w-2.5 rounded-[1px] bg-line-strong" />
        <span className="sr-only">Week {week}, no mix</span>
      </li>
    );
  if (heard.length === 0)
    return (
      <li data-week={week} className="aspect-square">
        <Link
          href={`/track/${first.id}`}
          aria-label={`Week ${week}, ${first.title}, waiting`}
          title={first.title}
          className="grid size-full place-items-center shadow-[inset_0_0_0_1.5px_var(--week-rest)] transition-colors hover:bg-raised"
        >
          <span
            aria-hidden
            className="week-numeral text-[min(2.25rem,7cqi)] @double/content:text-[3.5rem]"
          >
            {week}
          </span>
        </Link>
      </li>
    );
  return (
    <li
      data-week={week}
      className={`grid aspect-square gap-px ${tilesClass[Math.min(heard.length, tilesClass.length) - 1]}`}
    >
      {heard.map((track, index) => (
        <Link
          key={track.id}
          href={`/track/${track.id}`}
          aria-label={`Week ${week}, ${track.title}, heard`}
          title={track.title}
          className={`relative block overflow-hidden ${heard.length === 3 && index === 0 ? 'row-span-2' : ''}`}
        >
          <Sleeve
            week={week}
            trackId={track.id}
            coverUrl={track.coverUrl}
            className="absolute top-0 left-1/2 h-full min-w-full -translate-x-1/2"
          />
        </Link>
      ))}
    </li>
  );
}
