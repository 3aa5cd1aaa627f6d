import type { Track } from '#contract/tracks.ts';
import type { Told } from '#web/lib/moments.ts';
import type { ListeningEvent, ListeningEvents } from '#web/player/listening-events.ts';

const play = ({ id, title }: Track): Told => ({
  name: 'play-track',
  fields: { track_id: id, track_title: title },
});

/** A pause and what follows it is one play; one that reaches its end is told of again. */
export function eventOfSignal(signal: ListeningEvent): Told | null {
  if (signal.type === 'started') return signal.isResume ? null : play(signal.track);
  if (signal.type !== 'finished') return null;
  const { id } = signal.track;
  return {
    name: 'User Engagement',
    fields: { action: 'complete', content_id: id, content_type: 'track' },
  };
}

type Playing = { isPlaying: boolean; currentTrack: Track | null };
type Listening = { listeningEvents: ListeningEvents; store: { get(): Playing } };

/** What plays already when the analytics arrive counts as well. */
export function followPlayer({ listeningEvents, store }: Listening, tell: (event: Told) => void): void {
  const { isPlaying, currentTrack } = store.get();
  if (isPlaying && currentTrack) tell(play(currentTrack));
  listeningEvents.subscribe((signal) => {
    const event = eventOfSignal(signal);
    if (event) tell(event);
  });
}
