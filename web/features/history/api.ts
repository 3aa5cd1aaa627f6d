import { type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { Progress } from '#contract/tracks.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { trackQuery } from '#web/features/tracks/api.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';

/** Tracks with more to hear, latest first. */
export const startedQuery = apiQuery('GET /api/history', {
  query: { state: 'started', limit: 12 },
});

/**
 * Shows how far the user got in a track, wherever the page shows it. Lists that the track may have
 * joined or left are loaded again; in all others only its progress changes.
 */
export async function refreshListening(client: QueryClient, trackId: string): Promise<void> {
  if (!client.getQueryData(currentUserQuery.queryKey)) return;
  const track = await client
    .fetchQuery({ ...trackQuery(trackId), staleTime: 0 })
    .catch(() => undefined);
  if (!track) return;
  for (const query of client.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, isInvalidated } = query.state;
    const replaced = replaceProgress(data, trackId, track.progress);
    if (replaced === data) continue;
    // The rest is as old as before, so that a newer favorite isn't overwritten.
    client.setQueryData(query.queryKey, replaced, { updatedAt: dataUpdatedAt });
    if (isInvalidated) query.invalidate();
  }
  await client.invalidateQueries({ predicate: ({ queryKey }) => dependsOnListening(queryKey) });
}

/** Recently Played, Continue listening, and the library filtered by what was listened to. */
function dependsOnListening([path, , filter]: QueryKey): boolean {
  if (String(path).startsWith('/api/history')) return true;
  const { state } = (filter ?? {}) as { state?: string };
  return state === 'listened' || state === 'missed';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The same data if the track isn't in it. */
export function replaceProgress<T>(data: T, trackId: string, progress: Progress | null): T;
export function replaceProgress(data: unknown, trackId: string, progress: Progress | null) {
  if (!isObject(data)) return data;
  if (data['id'] === trackId && 'progress' in data && 'weekNumber' in data)
    return { ...data, progress };
  let copy: Record<string, unknown> | unknown[] | null = null;
  for (const [key, value] of Object.entries(data)) {
    const replaced: unknown = replaceProgress(value, trackId, progress);
    if (replaced === value) continue;
    copy ??= Array.isArray(data) ? [...(data as unknown[])] : { ...data };
    (copy as Record<string, unknown>)[key] = replaced;
  }
  return copy ?? data;
}
