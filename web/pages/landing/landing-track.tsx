import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { PREVIEW_LENGTH_TEXT } from '#contract/rules/preview.ts';
import { weekdayOf } from '#contract/rules/report-days.ts';
import { formatWeekDays, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { TrackPlayButton } from '#web/player/view/track-play-button.tsx';
import { TrackWaveform } from '#web/player/view/track-waveform.tsx';
import { trackQuery } from '#web/features/tracks/api.ts';
import { useOpenedOn } from '#web/lib/format/now.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';

/** The section with the newest mix. */
export const NEWEST_ID = 'mix';

/** The newest mix, which plays right here. */
export function LandingTrack({ track, user }: { track: Track; user: User | null }) {
  const { data } = useQuery(trackQuery(track.id));
  return (
    <LandingPanel
      week={track.weekNumber}
      kicker="Out now"
      title={track.title}
      sleeve={<Sleeve week={track.weekNumber} trackId={track.id} coverUrl={track.coverUrl} />}
    >
      {data?.description !== '' && (
        <p
          className={`line-clamp-4 max-w-[36ch] text-18 leading-[1.45] ${data ? '' : 'min-h-[3lh]'}`}
        >
          {data?.description}
        </p>
      )}
      <div className="mt-6 mb-8 flex items-center gap-[18px]">
        <TrackPlayButton track={track} queue={[track]} size="xl" />
        <PlayText track={track} user={user} />
      </div>
      <TrackWaveform track={track} className="h-[88px]" />
    </LandingPanel>
  );
}

function PlayText({ track, user }: { track: Track; user: User | null }) {
  const isPlaying = usePlayerState(
    (state) => state.isPlaying && state.currentTrack?.id === track.id,
  );
  const length = formatDuration(track.duration);
  const [play, playing] =
    track.access === 'full'
      ? ['Play the full mix', 'Playing the full mix']
      : [
          `Play ${PREVIEW_LENGTH_TEXT}, ${user ? 'free' : 'no account needed'}`,
          `Playing ${PREVIEW_LENGTH_TEXT} of ${length}`,
        ];
  return <p className="text-16 font-medium">{isPlaying ? playing : play}</p>;
}

/** Before the first mix is out, or while it loads. */
export function LandingWeek({ thisWeek, isLoading }: { thisWeek: WeekOfYear; isLoading: boolean }) {
  const today = useOpenedOn();
  return (
    <LandingPanel
      week={thisWeek.week}
      kicker="This week"
      title={formatWeekDays(thisWeek)}
      sleeve={<Sleeve week={thisWeek.week} />}
    >
      <p className="max-w-[36ch] text-18 leading-[1.45]">
        {isLoading ? '' : 'No mix is out yet. '}Everything we release this week carries its number
        and its colour.
      </p>
      {isLoading ? (
        <Skeleton className="mt-6 mb-8 h-[76px] w-[76px] rounded-pill" />
      ) : (
        <div className="mt-8">
          <DayBars today={weekdayOf(today)} />
        </div>
      )}
    </LandingPanel>
  );
}

type LandingPanelProps = {
  week: number;
  kicker: string;
  title: string;
  sleeve: ReactNode;
  children: ReactNode;
};

function LandingPanel({ week, kicker, title, sleeve, children }: LandingPanelProps) {
  return (
    <section
      id={NEWEST_ID}
      data-week={week}
      aria-labelledby="mix-title"
      className="grid gap-x-14 gap-y-7 week-panel px-4 py-8 md:grid-cols-[auto_minmax(0,1fr)] md:items-end md:px-12 md:py-[72px] xl:grid-cols-[auto_minmax(0,1fr)_minmax(0,440px)]"
    >
      <div className="flex items-end justify-between gap-5">
        <Numeral value={week} size="clamp(220px, 39vw, 560px)" isDecorative />
        <div className="w-full max-w-[170px] min-w-0 md:hidden">{sleeve}</div>
      </div>
      <div className="@container min-w-0">
        <p className="font-semibold">
          {kicker}
          <span className="sr-only">, week {week}</span>
        </p>
        <h2
          id="mix-title"
          style={fitTitle(title)}
          className="mt-2.5 mb-[18px] type-display title-fit [--title-max:3.25rem] md:[--title-max:4.5rem]"
        >
          {title}
        </h2>
        {children}
      </div>
      <div className="max-xl:hidden">{sleeve}</div>
    </section>
  );
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY_HEIGHTS = [41, 59, 36, 55, 45, 100, 82];

/** Past days are solid, future days outlined. */
function DayBars({ today }: { today: number }) {
  return (
    <div
      role="img"
      aria-label={`Today is ${DAYS[today]}, day ${today + 1} of 7`}
      className="flex h-24 items-end gap-1 text-12 font-semibold"
    >
      {DAYS.map((day, i) => (
        <span
          key={day}
          className={`flex min-w-0 flex-1 items-end justify-center pb-2 ${i <= today ? 'bg-on-week text-week-fill' : 'shadow-[inset_0_0_0_1.5px_var(--on-week)]'}`}
          style={{ height: `${DAY_HEIGHTS[i]}%` }}
        >
          {day}
        </span>
      ))}
    </div>
  );
}
