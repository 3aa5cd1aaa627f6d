import type { QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { FAVORITES_KEY, favoriteQuery } from './api.ts';

type Change = { trackId: string; userId: string };

const CHANNEL = 'favorites';
const watched = new WeakSet<QueryClient>();
let channel: BroadcastChannel | null = null;

const openChannel = (): BroadcastChannel | null =>
  (channel ??= 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null);

export const notifyOtherTabs = (change: Change): void => openChannel()?.postMessage(change);

/** Reloads from the server, because two tabs may have changed it at the same time. */
export async function refreshFavorite(
  client: QueryClient,
  { trackId, userId }: Change,
): Promise<void> {
  const query = favoriteQuery(trackId, userId);
  await Promise.all([
    client.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined),
    // A list loaded during another change would bring back a removed track.
    client.isMutating({ mutationKey: ['favorite'] }) <= 1 &&
      client.invalidateQueries({ queryKey: FAVORITES_KEY }),
  ]);
}

/** Applies changes made in other tabs. Runs once per page. */
export function watchOtherTabs(client: QueryClient): void {
  if (watched.has(client)) return;
  watched.add(client);
  openChannel()?.addEventListener('message', ({ data }: MessageEvent<Change>) => {
    const { trackId, userId } = data;
    const isOwn = client.getQueryData(currentUserQuery.queryKey)?.id === userId;
    // A change made in this tab reloads on its own.
    const isChanging = client.isMutating({ mutationKey: ['favorite', trackId, userId] }) > 0;
    if (isOwn && !isChanging) void refreshFavorite(client, data);
  });
}
