import { useQuery } from '@tanstack/react-query';
import { weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { tracksQuery } from '#web/lib/track-queries.ts';
import { YearBars, type WeekBar } from '#web/ui/year-bars.tsx';

const MOST_MIXES = 100;
const NONE: readonly Track[] = [];

/** Every week of the year, and which of them have a mix. */
export function YearSection({ year, week }: WeekOfYear) {
  const { data } = useQuery(tracksQuery({ year, limit: MOST_MIXES }));
  const tracks = data?.items ?? NONE;
  const count = `${tracks.length}${data?.nextCursor ? ' or more' : ''}`;
  const mixes = tracks.length === 1 ? 'mix' : 'mixes';
  return (
    <section
      aria-labelledby="year"
      className="border-b border-line px-gutter pt-5 pb-3.5 md:pt-[22px] md:pb-[18px]"
    >
      <div className="mb-1 flex items-center justify-between gap-5">
        <h2 id="year" className="type-section">
          {year}
        </h2>
        <p className="text-13 text-text-2">
          <b className="font-semibold text-text">
            {count} {mixes}
          </b>{' '}
          so far
        </p>
      </div>
      <YearBars
        year={year}
        bars={barsOfYear(tracks, { year, week })}
        currentWeek={week}
        label={`${year}: ${count} ${mixes} so far`}
      />
    </section>
  );
}

/** The height of a bar is the length of the week's longest mix. */
export function barsOfYear(tracks: readonly Track[], { year, week }: WeekOfYear): WeekBar[] {
  const longest = Math.max(1, ...tracks.map((track) => track.duration));
  return Array.from({ length: weeksInYear(year) }, (_, i): WeekBar => {
    const ofWeek = tracks.filter((track) => track.weekNumber === i + 1);
    if (ofWeek.length === 0) return { week: i + 1, state: i + 1 > week ? 'coming' : 'none' };
    const height = Math.max(...ofWeek.map((track) => track.duration)) / longest;
    // This week's bar is lit whatever was heard of it: it is what the year has come to.
    return { week: i + 1, state: i + 1 === week ? 'heard' : 'unheard', height };
  });
}
