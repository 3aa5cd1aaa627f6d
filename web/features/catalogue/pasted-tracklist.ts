import { formatTracklist } from '#contract/rules/tracklist.ts';
import type { ReadTracklist } from '#contract/tracklists/read-tracklist.ts';

/** Whether the field takes the text as it is, and its preview says the rest. */
export const isPlainList = ({ source, chapters }: ReadTracklist): boolean =>
  source === 'list' && chapters.length > 0;

/** What was understood, or the text itself if that is nothing: it never disappears. */
export const fillFromPaste = (text: string, { chapters }: ReadTracklist): string =>
  chapters.length > 0 ? formatTracklist(chapters) : text;
