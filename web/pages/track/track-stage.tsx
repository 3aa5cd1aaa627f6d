import type { User } from '#contract/accounts.ts';
import { formatWeekDays } from '#contract/rules/weeks.ts';
import type { TrackDetail, Track } from '#contract/tracks.ts';
import { FavoriteButton } from '#web/features/favorites/favorite-button.tsx';
import { DataLine } from '#web/player/view/data-line.tsx';
import { TrackPlayButton } from '#web/player/view/track-play-button.tsx';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { NumeralSkeleton, Skeleton, WaveformSkeleton } from '#web/ui/skeleton.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';
import { EarlyAccess } from '#web/features/tracks/early-access.tsx';
import { describeProgress } from '#web/features/tracks/track-progress.tsx';
import { TrackMenuButton } from '#web/features/tracks/track-menu-button.tsx';
import {
  AddToPlaylistButton,
  AddToQueueButton,
  DownloadButton,
} from '#web/features/tracks/track-buttons.tsx';
import { ShareButton } from '#web/features/sharing/share-buttons.tsx';
import { PlayLabel, TrackFacts } from '#web/features/tracks/track-facts.tsx';
import { formatCount, formatDayAndTime } from '#web/lib/format/format.ts';
import { useLinkedSecond } from './play-from-link.tsx';
import { Link } from 'wouter';
import { Dot } from '#web/ui/facts.tsx';
import { Tag } from '#web/ui/tag.tsx';

const stageClass =
  'stage grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-[18px] px-gutter pt-3.5 pb-3 @3xl/content:grid-cols-[clamp(200px,31.2cqi,max(372px,22cqi))_minmax(0,1fr)] @3xl/content:items-stretch @3xl/content:gap-x-8 @3xl/content:pt-8 @3xl/content:pb-6 @5xl/content:gap-x-10';
const sleeveClass = '@max-3xl/content:max-w-[320px] @3xl/content:self-start';
const columnsClass =
  'contents @3xl/content:grid @3xl/content:grid-cols-[minmax(0,1fr)_auto] @3xl/content:grid-rows-[auto_1fr] @3xl/content:gap-x-6 @5xl/content:gap-x-8';
const textClass =
  '@container @max-3xl/content:order-1 @max-3xl/content:col-span-full @max-3xl/content:mt-[18px]';
const titleClass =
  'mt-2.5 mb-2 type-display title-fit [--title-max:3.75rem] @lg/content:mt-3.5 @lg/content:mb-4 @5xl/content:[--title-max:5.75rem] @double/content:[--title-max:7.5rem]';
const NUMERAL_SIZE = 'clamp(180px, 31.5cqi, max(376px, 22cqi))';
const numeralClass = '@max-3xl/content:text-[min(272px,69.5cqi)]!';
const actionsClass =
  'col-span-full flex flex-wrap items-center gap-2 @max-5xl/content:-mr-2.5 @max-7xl/content:gap-1 @max-3xl/content:order-2 @max-3xl/content:mt-4 @3xl/content:self-end @3xl/content:pt-5';

/** Fits beside the sleeve. It isn’t repeated below then, and a longer one is only there. */
export const isShortDescription = (text: string): boolean =>
  text !== '' && text.length <= 130 && !text.includes('\n');

type TrackStageProps = { track: TrackDetail; user: User | null };

/** Sleeve and numeral side by side, with the text between or below them. */
export function TrackStage({ track, user }: TrackStageProps) {
  const { chapters, plays, weekNumber } = track;
  const progress = describeProgress(track);
  const startAt = useLinkedSecond(track);
  const more = [
    ...(chapters.length > 0 ? [formatCount(chapters.length, 'track')] : []),
    formatCount(plays, 'play'),
    ...(progress ? [progress.text] : []),
  ];
  return (
    <section data-week={weekNumber} aria-labelledby="track-title" className={stageClass}>
      <Sleeve
        isFirst
        week={weekNumber}
        trackId={track.id}
        coverUrl={track.coverUrl}
        className={sleeveClass}
      />
      <div className={columnsClass}>
        <div className={textClass}>
          <UnreleasedMark track={track} />
          <p className="type-kicker">
            Week {weekNumber}, {formatWeekDays({ year: track.year, week: weekNumber })}
          </p>
          <h1 id="track-title" style={fitTitle(track.title)} className={titleClass}>
            {track.title}
          </h1>
          <EarlyAccess track={track} className="mb-1.5 block" />
          <TrackFacts track={track} more={more} />
          {isShortDescription(track.description) && (
            <p className="mt-[18px] max-w-[44ch] type-lead @max-3xl/content:hidden">
              {track.description}
            </p>
          )}
        </div>
        <Numeral
          value={weekNumber}
          isDecorative
          hasNeighbor
          size={NUMERAL_SIZE}
          className={numeralClass}
        />
        <div className={actionsClass}>
          <TrackPlayButton track={track} queue={[track]} size="xl" />
          <PlayLabel
            track={track}
            startAt={startAt}
            className="mr-2.5 ml-1.5 @max-3xl/content:mr-auto"
          />
          <FavoriteButton track={track} user={user} look="framed" />
          {/* Without enough room only the menu has these. */}
          <span className="contents @max-lg/content:hidden">
            {user && <AddToPlaylistButton track={track} />}
          </span>
          <span className="contents @max-[22.5rem]/content:hidden">
            <DownloadButton track={track} user={user} />
          </span>
          <span className="@max-7xl/content:hidden">
            <AddToQueueButton track={track} />
          </span>
          <ShareButton track={track} />
          <TrackMenuButton isOnItsPage track={track} user={user} />
          <DataLine key={track.fileUrl} track={track} className="basis-full" />
        </div>
      </div>
    </section>
  );
}

/** The stage and the waveform before the mix has loaded. */
export function TrackStageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <div className={stageClass}>
        <Skeleton className={`aspect-square w-full ${sleeveClass}`} />
        <div className={columnsClass}>
          <div className={textClass}>
            <Skeleton className="h-[1lh] w-40 type-kicker" />
            <Skeleton style={fitTitle('Golden Hour')} className={`h-[1lh] w-4/5 ${titleClass}`} />
            <Skeleton className="h-[1lh] w-52 max-w-full type-meta" />
          </div>
          <NumeralSkeleton size={NUMERAL_SIZE} className={numeralClass} />
          <div className={actionsClass}>
            <Skeleton className="size-[76px] rounded-pill!" />
          </div>
        </div>
      </div>
      <div className="stage px-gutter pt-3 pb-6">
        <WaveformSkeleton className="h-[86px] md:h-[132px]" bars={110} />
      </div>
    </div>
  );
}

const unreleasedNames = { draft: 'Draft', takenDown: 'Taken down' } as const;

/** Tells administrators that nobody else can see this page, and until when. */
function UnreleasedMark({ track }: { track: Track }) {
  const { id, unreleased, publishedAt } = track;
  if (!unreleased) return null;
  return (
    <p role="status" className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-text">
      <Tag isWeek>
        {unreleased !== 'scheduled' ? (
          unreleasedNames[unreleased]
        ) : (
          <span>
            Scheduled
            <Dot />
            public on {formatDayAndTime(publishedAt)}
          </span>
        )}
      </Tag>
      <span className="text-13 text-text-2">Only administrators can see and hear it.</span>
      <Link href={`/admin/tracks/edit/${id}`} className="text-13 underline underline-offset-4">
        Edit
      </Link>
    </p>
  );
}
