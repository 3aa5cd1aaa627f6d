import type { QueryClient } from '@tanstack/react-query';
import { MINUTE, SECOND } from '#contract/rules/time.ts';
import type { Health } from '#contract/system.ts';
import { request } from '#web/lib/api/api.ts';
import {
  outageStore,
  failedRequestStore,
  type Outage,
  type FailedRequest,
} from '#web/lib/api/outage.ts';
import type { Player } from '#web/player/create-player.ts';

/** When to ask again if the server hasn't said so. */
const RETRY_MS = 5 * SECOND;
const CHECK_LIMIT_MS = 8 * SECOND;
/** After a longer outage, nobody expects sound any more. */
const LONGEST_SILENCE_MS = 10 * MINUTE;

type Ports = {
  /** Null if the server doesn't answer. */
  ask: () => Promise<Health | null>;
  wait: (ms: number, callback: () => void) => () => void;
};

type Known = { suspected: Outage | null; shown: Outage | null };

function findOutage(health: Health | null, { suspected, shown }: Known): Outage | null {
  const isDown = (part: string) =>
    health?.components.some(({ name, status }) => name === part && status === 'error');
  if (!health || isDown('database')) return 'reaching';
  // The server has just refused to save something, whatever it thinks of itself.
  if (suspected === 'saving') return 'saving';
  if (isDown('storage') && (suspected ?? shown)) return shown === 'saving' ? 'saving' : 'playing';
  return suspected === 'busy' ? 'busy' : null;
}

/**
 * A request that fails may be the fault of that request. So each failure makes the page ask the server
 * how it is, and then again for as long as something is missing.
 */
export function createOutageWatch({ ask, wait }: Ports) {
  let suspected: Outage | null = null;
  let retryMs = RETRY_MS;
  let running: Promise<void> | null = null;
  let cancelNext = (): void => undefined;

  async function check(): Promise<void> {
    cancelNext();
    const health = await ask();
    const outage = findOutage(health, { suspected, shown: outageStore.get() });
    suspected = null;
    outageStore.set(outage);
    if (outage) cancelNext = wait(retryMs, () => void checkNow());
  }

  const checkNow = (): Promise<void> =>
    (running ??= check().finally(() => {
      running = null;
    }));

  return {
    checkNow,
    async reportFailedRequest({ outage, retryAfterMs = RETRY_MS }: FailedRequest): Promise<void> {
      if (suspected !== 'saving') suspected = outage;
      retryMs = retryAfterMs;
      // A known outage is checked again on its own schedule.
      if (outageStore.get() === null) await checkNow();
    },
  };
}

async function readHealth(): Promise<Health | null> {
  try {
    const signal = AbortSignal.timeout(CHECK_LIMIT_MS);
    const answer = await request('/api/health', { cache: 'no-store', signal });
    const health = (await answer.json()) as Partial<Health>;
    return health.components ? (health as Health) : null;
  } catch {
    return null;
  }
}

export const outageWatch = createOutageWatch({
  ask: readHealth,
  wait(ms, callback) {
    // So that not every open page asks at the same moment.
    const timer = setTimeout(callback, ms * (1 + Math.random() / 4));
    return () => clearTimeout(timer);
  },
});

/** When everything is back, the page loads what it couldn't, and a mix that had to stop goes on. */
export function watchOutages(client: QueryClient, player: Pick<Player, 'retryFailed'>): () => void {
  let lostAt: number | null = null;
  const stopWatching = outageStore.subscribe(() => {
    if (outageStore.get() !== null) {
      lostAt ??= Date.now();
      return;
    }
    if (Date.now() - (lostAt ?? 0) < LONGEST_SILENCE_MS) player.retryFailed();
    lostAt = null;
    void client.refetchQueries({
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    });
  });
  const reportLast = () => {
    const failed = failedRequestStore.get();
    if (failed) void outageWatch.reportFailedRequest(failed);
  };
  const stopReporting = failedRequestStore.subscribe(reportLast);
  reportLast();
  return () => {
    stopWatching();
    stopReporting();
  };
}
