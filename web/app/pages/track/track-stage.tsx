import type { User } from '#contract/accounts.ts';
import { formatWeekDays } from '#contract/rules/weeks.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { FavoriteButton } from '#web/features/favorites/favorite-button.tsx';
import { TrackPlayButton } from '#web/features/player/track-play-button.tsx';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { describeProgress } from '#web/features/tracks/track-progress.tsx';
import { TrackMenuButton } from '#web/features/tracks/track-menu-button.tsx';
import {
  AddToPlaylistButton,
  AddToQueueButton,
  DownloadButton,
  ShareButton,
} from '#web/features/tracks/track-buttons.tsx';
import { PlayLabel, TrackFacts } from '#web/features/tracks/track-facts.tsx';
import { formatCount } from '#web/lib/format.ts';

type TrackStageProps = { track: TrackDetail; user: User | null };

/** Sleeve and numeral side by side, with the text between or below them. */
export function TrackStage({ track, user }: TrackStageProps) {
  const { chapters, plays, weekNumber } = track;
  const progress = describeProgress(track);
  const more = [
    ...(chapters.length > 0 ? [formatCount(chapters.length, 'track')] : []),
    formatCount(plays, 'play'),
    ...(progress ? [progress.text] : []),
  ];
  return (
    <section
      data-week={weekNumber}
      aria-labelledby="track-title"
      className="stage grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-[18px] px-gutter pt-3.5 pb-3 xl:grid-cols-[minmax(200px,372px)_minmax(0,1fr)] xl:items-stretch xl:gap-x-10 xl:pt-8 xl:pb-6"
    >
      <Sleeve
        week={weekNumber}
        coverUrl={track.coverUrl}
        className="max-xl:max-w-[320px] xl:self-start"
      />
      <div className="contents xl:grid xl:grid-cols-[minmax(0,1fr)_auto] xl:grid-rows-[auto_1fr] xl:gap-x-8">
        <div className="max-xl:order-1 max-xl:col-span-full max-xl:mt-[18px]">
          <p className="type-kicker">
            Week {weekNumber}, {formatWeekDays({ year: track.year, week: weekNumber })}
          </p>
          <h1
            id="track-title"
            className="mt-2.5 mb-2 type-display text-[60px] break-words md:mt-3.5 md:mb-4 md:text-[clamp(56px,6.4vw,92px)]"
          >
            {track.title}
          </h1>
          <TrackFacts track={track} more={more} />
          {track.description && (
            <p className="mt-[18px] line-clamp-3 max-w-[44ch] type-lead max-xl:hidden">
              {track.description}
            </p>
          )}
        </div>
        <Numeral
          value={weekNumber}
          isDecorative
          size="clamp(200px, 26vw, 376px)"
          className="max-xl:text-[min(272px,69.5vw)]!"
        />
        <div className="col-span-full flex flex-wrap items-center gap-2 max-xl:order-2 max-xl:mt-4 xl:self-end xl:pt-5">
          <TrackPlayButton track={track} queue={[track]} size="xl" />
          <PlayLabel track={track} className="mr-2.5 ml-1.5 max-xl:mr-auto" />
          <FavoriteButton track={track} user={user} look="framed" />
          {user && <AddToPlaylistButton track={track} />}
          <DownloadButton track={track} user={user} />
          {/* On smaller screens the menu has these. */}
          <span className="flex max-md:hidden">
            <span className="max-2xl:hidden">
              <AddToQueueButton track={track} />
            </span>
            <ShareButton track={track} />
          </span>
          <TrackMenuButton track={track} user={user} />
        </div>
      </div>
    </section>
  );
}
