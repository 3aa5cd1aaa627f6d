import { aprilToJune } from './april-to-june.ts';
import { januaryToMarch } from './january-to-march.ts';
import { julyToSeptember } from './july-to-september.ts';
import type { TrackIdea } from './track-idea.ts';
import { octoberToDecember } from './october-to-december.ts';

/** At least one for each week of a year, including week 53. */
export const TRACK_IDEAS: readonly TrackIdea[] = [
  ...januaryToMarch,
  ...aprilToJune,
  ...julyToSeptember,
  ...octoberToDecember,
];

/** The track that only subscribers can play yet. */
export const EARLY_ACCESS_IDEA: Omit<TrackIdea, 'week'> = {
  title: 'Test Pressing',
  genre: 'Broken Beat',
  bpm: 122,
  key: 'D minor',
  description:
    'Straight off the lathe in Woodstock, label still blank. Subscribers get to argue about the last track first.',
};
