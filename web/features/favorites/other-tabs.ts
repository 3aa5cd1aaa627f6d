import type { QueryClient } from '@tanstack/react-query';
import { FAVORITES_KEY, favoriteQuery } from './api.ts';

type Change = { trackId: string; userId: string };

const CHANNEL = 'favorites';
const followed = new WeakSet<QueryClient>();
let channel: BroadcastChannel | null = null;

const openChannel = (): BroadcastChannel | null =>
  (channel ??= 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null);

export const tellOtherTabs = (change: Change): void => openChannel()?.postMessage(change);

/** Asks the server what is true: two tabs may have pressed at once. */
export async function refreshFavorite(
  client: QueryClient,
  { trackId, userId }: Change,
): Promise<void> {
  const query = favoriteQuery(trackId, userId);
  await Promise.all([
    client.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined),
    // While another heart is on its way, the list would bring back what it takes out.
    client.isMutating({ mutationKey: ['favorite'] }) <= 1 &&
      client.invalidateQueries({ queryKey: FAVORITES_KEY }),
  ]);
}

/** What is pressed in another tab shows here too, once for all hearts of the page. */
export function followOtherTabs(client: QueryClient): void {
  if (followed.has(client)) return;
  followed.add(client);
  openChannel()?.addEventListener('message', ({ data }: MessageEvent<Change>) => {
    const { trackId, userId } = data;
    const isShown = client.getQueryData(favoriteQuery(trackId, userId).queryKey) !== undefined;
    // A press of this tab asks by itself when it is through.
    const isPressed = client.isMutating({ mutationKey: ['favorite', trackId, userId] }) > 0;
    if (isShown && !isPressed) void refreshFavorite(client, data);
  });
}
