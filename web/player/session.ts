import type { Track } from '#contract/tracks.ts';

/** What the player knows of the loaded track and shows to nobody. */
export type Session = {
  /** The listener asked for silence; an error then must not start the next track. */
  isHeld: boolean;
  hasStarted: boolean;
  /** Played to its own end: there is no position to come back to. */
  isOver: boolean;
  /** The time stays at the preview's end until somebody moves it. */
  isPinned: boolean;
  /** A subscriber's preview file ran out while the full one is on its way. */
  isAwaitingAccess: boolean;
  /** The track with another access, known before the listener's status is. */
  freshCopy: Track | null;
  /** The second the file was told to begin at. */
  startAt: number;
  /** Where the file last failed and was loaded again. */
  retriedAt: number | null;
  /** Loaded again as soon as the server has said what the file is now. */
  isAwaitingCopy: boolean;
  /** The next file could not be faded in: this one plays to its end. */
  isFadeOff: boolean;
};

export const createSession = (): Session => ({
  isHeld: false,
  hasStarted: false,
  isOver: false,
  isPinned: false,
  isAwaitingAccess: false,
  freshCopy: null,
  startAt: 0,
  retriedAt: null,
  isAwaitingCopy: false,
  isFadeOff: false,
});
