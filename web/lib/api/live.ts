import type { SignalTopic } from '#contract/live.ts';

type SignalCallback = (topic: SignalTopic | 'all') => void;

type Source = Pick<EventSource, 'close' | 'addEventListener'>;
type Page = Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;

type LiveOptions = { page: Page; connect: () => Source };

/**
 * One event stream for the whole page, open while there are subscribers and the page is visible: a
 * hidden tab would keep a phone's radio on, and browsers limit streams per site. Signals sent while
 * it is closed are lost, so reopening it signals that everything may have changed.
 */
export function createLive({ page, connect }: LiveOptions) {
  const callbacks = new Set<SignalCallback>();
  let source: Source | null = null;
  let hasOpenedBefore = false;

  const notify = (topic: SignalTopic | 'all') => {
    for (const callback of callbacks) callback(topic);
  };

  function open() {
    if (source || callbacks.size === 0 || page.visibilityState === 'hidden') return;
    source = connect();
    source.addEventListener('message', ({ data }: MessageEvent<SignalTopic>) => notify(data));
    source.addEventListener('open', () => {
      if (hasOpenedBefore) notify('all');
      hasOpenedBefore = true;
    });
  }

  function close() {
    source?.close();
    source = null;
  }

  const onVisibilityChange = () => (page.visibilityState === 'hidden' ? close() : open());

  return {
    watchSignals(callback: SignalCallback): () => void {
      if (callbacks.size === 0) page.addEventListener('visibilitychange', onVisibilityChange);
      callbacks.add(callback);
      open();
      return () => {
        callbacks.delete(callback);
        if (callbacks.size > 0) return;
        page.removeEventListener('visibilitychange', onVisibilityChange);
        close();
        hasOpenedBefore = false;
      };
    },
  };
}

let live: ReturnType<typeof createLive> | null = null;

/** Calls back when something changes on the server for this user. Returns a function that stops it. */
export function watchSignals(callback: SignalCallback): () => void {
  live ??= createLive({ page: document, connect: () => new EventSource('/api/live') });
  return live.watchSignals(callback);
}
