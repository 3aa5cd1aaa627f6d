import type { Track } from '#contract/tracks.ts';
import type { Session } from './session.ts';
import { patchState, SILENT, type PlayerState, type PlayerStore } from './store.ts';

/** A place of the queue that the player may have to come back to. */
export type Spot = {
  track: Track;
  index: number;
  time: number;
  duration: number;
  session: Session;
};

/** Where the player is. Before a file is there, that is where it was told to begin. */
export const currentPlace = ({ currentTime }: PlayerState, { startAt }: Session): number =>
  currentTime || startAt;

export function noteSpot(state: PlayerState, session: Session): Spot | null {
  const { currentTrack: track, currentTrackIndex: index, duration } = state;
  return (
    track && { track, index, duration, time: currentPlace(state, session), session: { ...session } }
  );
}

/** Back to where it was, in silence; the queue may have changed meanwhile. */
export function returnToSpot(store: PlayerStore, session: Session, spot: Spot): void {
  const { queue } = store.get();
  const { track, index } = spot;
  const isStillThere = index === -1 || queue[index]?.id === track.id;
  Object.assign(session, spot.session);
  patchState(store, {
    ...SILENT,
    currentTrack: track,
    currentTrackIndex: isStillThere ? index : queue.findIndex(({ id }) => id === track.id),
    isLoading: false,
    currentTime: spot.time,
    duration: spot.duration,
  });
}
