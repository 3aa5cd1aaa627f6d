import type { Style } from '#demo/synth/genres/styles.ts';

/** What someone decided about a mix before it was recorded. */
export type TrackIdea = {
  week: number;
  title: string;
  genre: Style;
  bpm: number;
  key: string;
  description: string;
  isSubscriberOnly?: true;
  /** About half an hour instead of a couple of minutes. */
  isLong?: true;
};
