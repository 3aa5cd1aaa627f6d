import { z } from 'zod';
import { ScrobbleService } from '#contract/clients/scrobbling.ts';
import { DAY, HOUR, SECOND } from '#contract/rules/time.ts';
import type { ScrobblesTable } from '../../db/types/account-tables.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { decryptText } from '../../db/secrets.ts';
import { backoffDelay } from '../../jobs/backoff.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { isClockSteady } from '../../jobs/wrong-clock.ts';
import { MAX_SCROBBLES, scrobble, updateNowPlaying } from './lastfm.ts';
import { MAX_LISTENS, submitListens, submitPlayingNow } from './listenbrainz.ts';
import {
  deleteOldListens,
  deleteOldScrobbles,
  deleteScrobbles,
  findAccount,
  hasScrobbles,
  listScrobbles,
  listWaitingAccounts,
  updateAccount,
  updateIsScrobbling,
  type AccountKey,
  type ScrobbleAccount,
} from './queries.ts';
import type { Listen, SendResult, Target } from './send-listens.ts';

export const SECRET_PURPOSE = 'scrobbling';
/** Last.fm takes nothing older. */
export const MAX_AGE_MS = 14 * DAY;
const LISTEN_MS = DAY;
const RESUMED_ACCOUNTS = 1000;
/** Pause between two batches, so that a long queue doesn't go out at once. */
const BETWEEN_BATCHES_MS = SECOND;

const REFUSED: SendResult = { kind: 'refused' };

const AccountPayload = z.object({ userId: z.string(), service: ScrobbleService });

/** Null if the token can't be read, because the site has got new keys. */
async function toTarget(
  { config, database, site, log }: Deps,
  { server, secret: encrypted }: ScrobbleAccount,
  signal: AbortSignal,
): Promise<Target | null> {
  const secret = await decryptText(database.db, SECRET_PURPOSE, encrypted).catch(
    (error: unknown) => {
      log.warn({ err: error }, 'The token of a listener can’t be decrypted.');
      return null;
    },
  );
  if (secret === null) return null;
  return {
    server: server ?? config.listenbrainzUrl,
    secret,
    siteName: config.siteName,
    origin: site.origin,
    allowsPrivate: config.allowsPrivateServers,
    signal,
  };
}

/** Null if the operator has removed the service. */
function send(
  { config }: Deps,
  { service }: ScrobbleAccount,
  target: Target,
  listens: readonly Listen[],
): Promise<SendResult> | null {
  if (service === 'listenbrainz') return submitListens(target, listens);
  return config.lastfm ? scrobble(config.lastfm, target, listens) : null;
}

/** Asks one by one for what a service rejects together, and drops the ones that it rejects alone. */
async function sendBatch(
  deps: Deps,
  account: ScrobbleAccount,
  target: Target,
  rows: readonly ScrobblesTable[],
): Promise<{ result: SendResult | null; sent: ScrobblesTable[] }> {
  const result = await send(deps, account, target, rows);
  if (result?.kind === 'accepted') return { result, sent: [...rows] };
  if (result?.kind !== 'rejected') return { result, sent: [] };
  if (rows.length === 1) {
    deps.log.warn({ service: account.service }, 'A service rejected a listen; it was dropped.');
    return { result: { kind: 'accepted', waitMs: 0 }, sent: [...rows] };
  }
  const sent: ScrobblesTable[] = [];
  for (const row of rows) {
    const one = await sendBatch(deps, account, target, [row]);
    sent.push(...one.sent);
    if (one.result?.kind !== 'accepted') return { result: one.result, sent };
  }
  return { result: { kind: 'accepted', waitMs: 0 }, sent };
}

/** In the transaction that ends the run: what the answer means for the account, and when to go on. */
async function recordResult(
  tx: Db,
  { clock, log }: Deps,
  account: ScrobbleAccount,
  result: SendResult,
): Promise<void> {
  const now = clock.now();
  const key: AccountKey = { userId: account.user_id, service: account.service };
  if (result.kind === 'refused') {
    await updateAccount(tx, key, { refused_at: now, failed_at: null, attempts: 0 });
    return updateIsScrobbling(tx, account.user_id);
  }
  if (result.kind === 'failed') {
    const attempts = account.attempts + 1;
    await updateAccount(tx, key, { attempts, failed_at: account.failed_at ?? now });
    const delay = Math.max(result.waitMs, backoffDelay(attempts, Math.random()));
    log.info({ service: account.service, reason: result.reason }, 'Listens wait for a service.');
    return requestSending(tx, key, { now, runAt: now + delay });
  }
  const waitMs = result.kind === 'accepted' ? result.waitMs : 0;
  await updateAccount(tx, key, { attempts: 0, failed_at: null, sent_at: now });
  const runAt = now + Math.max(waitMs, BETWEEN_BATCHES_MS);
  // Also what was heard while this run was busy: it found this job and added none.
  if (await hasScrobbles(tx, key)) await requestSending(tx, key, { now, runAt });
}

/**
 * Sends what waits for one account, oldest first. It never fails: the account remembers what happened,
 * and nobody but the listener could do anything about it.
 */
export const sendScrobbles = defineJob({
  name: 'submit-listens',
  lane: 'scrobbles',
  payload: AccountPayload,
  run: async (deps: Deps, key, job) => {
    const { db } = deps.database;
    const account = await findAccount(db, key);
    if (!account || account.refused_at !== null) return;
    const limit = key.service === 'lastfm' ? MAX_SCROBBLES : MAX_LISTENS;
    const rows = await listScrobbles(db, key, limit);
    if (rows.length === 0) return;
    const target = await toTarget(deps, account, job.signal);
    const { result, sent } = target
      ? await sendBatch(deps, account, target, rows)
      : { result: REFUSED, sent: [] };
    // Interrupted by a restart: the next worker sends the same again, which changes nothing.
    job.signal.throwIfAborted();
    await job.finish(async (tx) => {
      await deleteScrobbles(tx, sent);
      if (result) await recordResult(tx, deps, account, result);
    });
  },
});

export async function requestSending(
  tx: Db,
  key: AccountKey,
  { now, runAt = now }: { now: number; runAt?: number },
): Promise<void> {
  const uniqueKey = `scrobbles:${key.userId}:${key.service}`;
  await enqueue(tx, sendScrobbles, key, { now, runAt, uniqueKey });
}

/** Tells a service what has just begun. Not repeated: a minute later it isn't true any more. */
export const sendPlayingNow = defineJob({
  name: 'submit-playing-now',
  lane: 'scrobbles',
  maxAttempts: 1,
  payload: AccountPayload.extend({
    artist: z.string(),
    title: z.string(),
    release: z.string(),
    trackId: z.string(),
    durationMs: z.number(),
    until: z.number(),
  }),
  canDiscard: true,
  run: async (deps: Deps, { userId, service, until, trackId, durationMs, ...names }, job) => {
    const { database, clock, config } = deps;
    const account = await findAccount(database.db, { userId, service });
    // While a service doesn't answer, listens wait for it, and nothing else is tried.
    if (!account || account.refused_at !== null || account.attempts > 0) return;
    if (clock.now() >= until) return;
    const target = await toTarget(deps, account, job.signal);
    if (!target) return;
    const playing = { ...names, track_id: trackId, duration_ms: durationMs };
    if (service === 'listenbrainz') await submitPlayingNow(target, playing);
    else if (config.lastfm) await updateNowPlaying(config.lastfm, target, playing);
  },
});

/** Goes on where nothing else would, and deletes what is too old to send. */
export const tendScrobbles = defineSchedule({
  name: 'tend-scrobbles',
  everyMs: HOUR,
  run: async (deps: Deps) => {
    const { db } = deps.database;
    const now = deps.clock.now();
    if (await isClockSteady(deps)) {
      await deleteOldScrobbles(db, now - MAX_AGE_MS);
      await deleteOldListens(db, now - LISTEN_MS);
    }
    for (const { user_id: userId, service } of await listWaitingAccounts(db, RESUMED_ACCOUNTS))
      await requestSending(db, { userId, service }, { now });
  },
});
