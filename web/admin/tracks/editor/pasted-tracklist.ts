import { formatTracklist } from '#contract/rules/tracklist.ts';
import type { ReadTracklist } from '#contract/tracklists/read-tracklist.ts';

/** Whether the field takes the text as it is, without a word. */
export const isPlainList = ({ source, chapters, problems }: ReadTracklist): boolean =>
  source === 'list' && chapters.length > 0 && problems.length === 0;

/** Of a list, what isn't understood stays in the field to be corrected; only remarks are left out. */
export const listLeftOut = ({ source, chapters, problems }: ReadTracklist) =>
  source === 'list' && chapters.length > 0 ? problems.filter(({ isRemark }) => isRemark) : problems;

/** What was understood, or the text itself if that is nothing: it never disappears. */
export function fillFromPaste(text: string, read: ReadTracklist): string {
  const { source, chapters } = read;
  if (chapters.length === 0) return text;
  if (source !== 'list') return formatTracklist(chapters);
  const leftOut = new Set(listLeftOut(read).map(({ line }) => line));
  return text
    .split(/\r\n?|\n/)
    .filter((_, index) => !leftOut.has(index + 1))
    .join('\n')
    .trim();
}
