/** The catalogue of the end-to-end tests, the newest week first. */
export type E2eTrack = {
  id: string;
  title: string;
  genre: string | null;
  seconds: number;
  /** Where in the track the preview starts. */
  previewStart: number;
  chapters?: { at: number; title: string; artist: string | null }[];
  isSubscriberOnly?: boolean;
  /** It can be downloaded. */
  hasDownloads?: boolean;
  /** Clips of it can be made. */
  isCut?: boolean;
  /** Its files are not audio. */
  isBroken?: boolean;
};

const defaults = { genre: 'Gqom', seconds: 60, previewStart: 10 };

export const golden: E2eTrack = {
  ...defaults,
  id: 'golden-hour',
  title: 'Golden Hour Pressure',
  hasDownloads: true,
  isCut: true,
  chapters: [
    { at: 0, title: 'Substation Intro', artist: 'Relay Room' },
    { at: 12, title: 'Umlazi Siren', artist: 'Kasi Voltage' },
    { at: 45, title: 'Candle Math', artist: null },
  ],
};
export const short: E2eTrack = {
  ...defaults,
  id: 'short',
  title: 'Short Circuit',
  seconds: 3,
  previewStart: 0,
};
export const broken: E2eTrack = {
  ...defaults,
  id: 'broken',
  title: 'Broken Pressing',
  isBroken: true,
};
export const robots: E2eTrack = { ...defaults, id: 'robots', title: 'Green Robots', genre: null };
export const membersOnly: E2eTrack = {
  ...defaults,
  id: 'members-only',
  title: 'Members Only',
  isSubscriberOnly: true,
};

export const e2eTracks = [golden, short, broken, robots, membersOnly];
