import type { Style } from '#demo/synth/genres/styles.ts';

/** The hand-written part of a demo track; the rest is generated. */
export type TrackIdea = {
  week: number;
  title: string;
  genre: Style;
  bpm: number;
  key: string;
  description: string;
  isSubscriberOnly?: true;
  /** Lasts half an hour instead of a minute or two. */
  isLong?: true;
};
