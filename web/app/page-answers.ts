import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { keepFresh } from '#web/lib/fresh-answers.ts';
import type { Rendered } from '#web/lib/now.ts';

/** What the server has already asked for: the key of a query and its data. */
export type PageAnswer = [key: QueryKey, data: unknown];

/** A character for each hundredth from 0 to 1; none of them is escaped in a page. */
const LEVELS =
  " !#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~¡¢£¤¥¦§¨©";

/** The peaks of a waveform as text: as numbers they were a seventh of Home's page. */
export function packAnswer(data: unknown): unknown {
  const { peaks } = (data ?? {}) as { peaks?: unknown };
  if (!Array.isArray(peaks)) return data;
  return { peaks: peaks.map((peak: number) => LEVELS[Math.round(peak * 100)]).join('') };
}

export function unpackAnswer(data: unknown): unknown {
  const { peaks } = (data ?? {}) as { peaks?: unknown };
  if (typeof peaks !== 'string') return data;
  return { peaks: Array.from(peaks, (level) => LEVELS.indexOf(level) / 100) };
}

/** The answers that came with this page. */
export const readPageAnswers = (): PageAnswer[] =>
  (JSON.parse(document.getElementById('answers')?.textContent ?? '[]') as PageAnswer[]).map(
    ([key, data]) => [key, unpackAnswer(data)],
  );

/** When the server rendered this page; undefined if it came empty. */
export function readRendered(): Rendered | undefined {
  const { renderedAt, today, dayEndsAt } = document.getElementById('answers')?.dataset ?? {};
  if (!renderedAt || !today) return undefined;
  return { at: Number(renderedAt), today, dayEndsAt: Number(dayEndsAt) };
}

/** Puts the answers that came with the page into the cache: while it starts, nothing asks again. */
export function addPageAnswers(client: QueryClient): void {
  for (const [key, data] of readPageAnswers()) {
    client.setQueryData(key, data);
    keepFresh(client, key);
  }
}
