import type { SignalTopic } from '#contract/live.ts';

export type SignalListener = (topic: SignalTopic | 'all') => void;

type Source = Pick<EventSource, 'close' | 'addEventListener'>;
type Page = Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;

export type LiveOptions = { page: Page; connect: () => Source };

/**
 * One stream for the whole page, open while somebody listens and the page is seen: a hidden tab would
 * keep a phone's radio awake, and a browser allows only a few streams for one site. What happened in
 * between is not told, so a stream that opens again says that everything may have changed.
 */
export function createLive({ page, connect }: LiveOptions) {
  const listeners = new Set<SignalListener>();
  let source: Source | null = null;
  let hasMissed = false;

  const tell = (topic: SignalTopic | 'all') => {
    for (const listener of listeners) listener(topic);
  };

  function open() {
    if (source || listeners.size === 0 || page.visibilityState === 'hidden') return;
    source = connect();
    source.addEventListener('message', ({ data }: MessageEvent<SignalTopic>) => tell(data));
    source.addEventListener('open', () => {
      if (hasMissed) tell('all');
      hasMissed = true;
    });
  }

  function close() {
    source?.close();
    source = null;
  }

  const follow = () => (page.visibilityState === 'hidden' ? close() : open());

  return {
    onSignal(listener: SignalListener): () => void {
      if (listeners.size === 0) page.addEventListener('visibilitychange', follow);
      listeners.add(listener);
      open();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        page.removeEventListener('visibilitychange', follow);
        close();
        hasMissed = false;
      };
    },
  };
}

let live: ReturnType<typeof createLive> | null = null;

/** Tells what has changed on the server for whoever is signed in; answers how to stop. */
export function onSignal(listener: SignalListener): () => void {
  live ??= createLive({ page: document, connect: () => new EventSource('/api/live') });
  return live.onSignal(listener);
}
