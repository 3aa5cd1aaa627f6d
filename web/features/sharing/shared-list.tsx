import type { ListTeaser } from '#contract/shared-links.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { TrackWaveform } from '#web/player/view/track-waveform.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { SharedStage, sharedSleeveClass, sharedWaveformClass } from './shared-stage.tsx';
import { SharedPlay } from './shared-track.tsx';

type SharedListProps = {
  kind: 'artist' | 'playlist';
  list: ListTeaser & { first: NonNullable<ListTeaser['first']> };
  heading?: 'h1' | 'h2';
};

const NAMES = { artist: 'Artist', playlist: 'Playlist' };

/** A playlist or an artist that someone sent: the name, the sleeves, and the preview of one mix. */
export function SharedList({ kind, list, heading }: SharedListProps) {
  const { name, trackCount, sleeves, first } = list;
  return (
    <SharedStage
      week={first.weekNumber}
      title={name}
      {...(heading && { heading })}
      kicker={`${NAMES[kind]} · ${formatCount(trackCount, 'mix', 'mixes')}`}
      art={
        <div className="flex items-start gap-0.5 overflow-hidden @xl:gap-1">
          {sleeves.map(({ id, weekNumber, coverUrl }, index) => (
            <Sleeve
              key={id}
              isFirst={index === 0}
              week={weekNumber}
              trackId={id}
              coverUrl={coverUrl}
              className={`min-w-0 shrink ${sharedSleeveClass}`}
            />
          ))}
        </div>
      }
      play={<SharedPlay track={first} note={`${first.title}, week ${first.weekNumber}. Free`} />}
    >
      <TrackWaveform track={first} isExplained className={sharedWaveformClass} />
    </SharedStage>
  );
}
