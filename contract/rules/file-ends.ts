import type { AllowedFiles, FileEnds } from './allowed-files.ts';
import { DAY } from './time.ts';

/** How long before something ends subscribers are told. */
export const NOTICE_MS = 14 * DAY;

export type FileKind = keyof AllowedFiles;
export const FILE_KINDS: readonly FileKind[] = ['mp3', 'flac', 'saving'];

/** From when each of them is gone: lossless files end with the downloads at the latest. */
export const findEndOf = (site: FileEnds): Record<FileKind, number | null> => ({
  mp3: site.downloadsEnd,
  flac: findEarlier(site.downloadsEnd, site.losslessEnd),
  saving: site.savingEnd,
});

const findEarlier = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other);
