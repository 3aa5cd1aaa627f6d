const CHANNEL = 'access';
let channel: BroadcastChannel | null = null;

const openChannel = (): BroadcastChannel | null =>
  (channel ??= 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null);

/** Something was paid, cancelled or given. What is true now each tab asks the server itself. */
export const tellOtherTabs = (): void => openChannel()?.postMessage('changed');

export function listenToOtherTabs(listener: () => void): () => void {
  const open = openChannel();
  open?.addEventListener('message', listener);
  return () => open?.removeEventListener('message', listener);
}
