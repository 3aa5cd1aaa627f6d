/** The catalogue of the end-to-end tests, the newest week first. */
export type E2eTrack = {
  id: string;
  title: string;
  genre: string | null;
  seconds: number;
  /** Where in the mix the preview was cut. */
  previewStart: number;
  chapters?: { at: number; title: string; artist: string | null }[];
  isSubscriberOnly?: boolean;
  /** It can be downloaded. */
  hasDownloads?: boolean;
  /** Its files are no audio. */
  isBroken?: boolean;
};

const mix = { genre: 'Gqom', seconds: 60, previewStart: 10 };

export const golden: E2eTrack = {
  ...mix,
  id: 'golden-hour',
  title: 'Golden Hour Pressure',
  hasDownloads: true,
  chapters: [
    { at: 0, title: 'Substation Intro', artist: 'Relay Room' },
    { at: 12, title: 'Umlazi Siren', artist: 'Kasi Voltage' },
    { at: 45, title: 'Candle Math', artist: null },
  ],
};
export const short: E2eTrack = {
  ...mix,
  id: 'short',
  title: 'Short Circuit',
  seconds: 3,
  previewStart: 0,
};
export const broken: E2eTrack = { ...mix, id: 'broken', title: 'Broken Pressing', isBroken: true };
export const robots: E2eTrack = { ...mix, id: 'robots', title: 'Green Robots', genre: null };
export const membersOnly: E2eTrack = {
  ...mix,
  id: 'members-only',
  title: 'Members Only',
  isSubscriberOnly: true,
};

export const e2eTracks = [golden, short, broken, robots, membersOnly];
