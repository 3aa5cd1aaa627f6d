import type { Chapter } from '#contract/tracks.ts';

/** As it is stored: which recording an entry plays is for staff and reports. */
export type Entry = Chapter & { recordingId?: string | undefined };

export const readEntries = ({ chapters }: { chapters: string }): Entry[] =>
  JSON.parse(chapters) as Entry[];

/** For listeners. Whatever they get of a tracklist is read here. */
export const readChapters = (track: { chapters: string }): Chapter[] =>
  readEntries(track).map(({ at, artist, title }) => ({ at, artist, title }));
