import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { keepFresh } from '#web/lib/api/fresh-for-a-moment.ts';
import type { Rendered } from '#web/lib/format/now.ts';

/** What the server has already asked for: the key of a query and its data. */
export type DehydratedQuery = [key: QueryKey, data: unknown];

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A track of a list, also as an entry of the chart. Playlists have descriptions too, but no file. */
function mapTrack(item: unknown, change: (track: Json) => Json): unknown {
  if (!isObject(item)) return item;
  if (isObject(item.track)) return { ...item, track: mapTrack(item.track, change) };
  return 'fileUrl' in item ? change(item) : item;
}

/** The tracks of a list, or of the pages of one. */
function mapTracks(data: Json, change: (track: Json) => Json): Json {
  if (Array.isArray(data.items))
    return { ...data, items: data.items.map((item) => mapTrack(item, change)) };
  if (Array.isArray(data.pages))
    return { ...data, pages: data.pages.map((page: Json) => mapTracks(page, change)) };
  return data;
}

/** As a page brings it: tracks of lists have no description, what shows one asks for the track itself. */
export const omitDescriptions = (data: unknown): unknown =>
  isObject(data) ? mapTracks(data, ({ description: _description, ...track }) => track) : data;

export const restoreDescriptions = (data: unknown): unknown =>
  isObject(data) ? mapTracks(data, (track) => ({ description: '', ...track })) : data;

/** The answers that came with this page. */
export const readDehydratedQueries = (): DehydratedQuery[] =>
  (JSON.parse(document.getElementById('answers')?.textContent ?? '[]') as DehydratedQuery[]).map(
    ([key, data]) => [key, restoreDescriptions(data)],
  );

/** When the server rendered this page; undefined if it came empty. */
export function readRendered(): Rendered | undefined {
  const { renderedAt, today, dayEndsAt } = document.getElementById('answers')?.dataset ?? {};
  if (!renderedAt || !today) return undefined;
  return { at: Number(renderedAt), today, dayEndsAt: Number(dayEndsAt) };
}

/** Puts the answers that came with the page into the cache: while it starts, nothing asks again. */
export function restoreDehydratedQueries(client: QueryClient): void {
  for (const [key, data] of readDehydratedQueries()) {
    client.setQueryData(key, data);
    keepFresh(client, key);
  }
}
