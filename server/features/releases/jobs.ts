import { z } from 'zod';
import { EARLY_ACCESS_MS, hasFullAccess, visibleUntil } from '#contract/rules/release.ts';
import type { TracksTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { isAccountUsable } from '../../http/guards.ts';
import { readGraceMs } from '../../http/access-policy.ts';
import { attemptsOver } from '../../jobs/backoff.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { allowsMail, buildUnsubscribeUrl } from '../preferences/service.ts';
import {
  findAddress,
  findReleased,
  listReaders,
  listToAnnounce,
  markMailed,
  setAnnounced,
  unmarkMailed,
  type Reader,
} from './queries.ts';
import { writeReleaseMessage } from './release-message.ts';
import { DAY } from '#contract/rules/time.ts';

const BATCH = 200;

type Listener = Reader & { grace_ms: number };

function mayHear(track: TracksTable, listener: Listener, now: number): boolean {
  const isForThem = !track.is_subscriber_only || hasFullAccess(listener, now);
  return isForThem && visibleUntil(listener, now) >= (track.publish_at ?? Infinity);
}

export const sendReleaseMail = defineJob({
  name: 'send-release-mail',
  payload: z.object({ trackId: z.string(), userId: z.string() }),
  maxAttempts: attemptsOver(DAY),
  run: async (deps: Deps, { trackId, userId }) => {
    const { database, config, clock, mail, site } = deps;
    const [track, user] = [
      await findReleased(database.db, trackId),
      await findAddress(database.db, userId),
    ];
    // Taken back, or no longer wanted, since it was asked for.
    if (!track || !user || !isAccountUsable(config, user)) return;
    if (!(await allowsMail(database.db, userId, 'releases'))) return;
    // Moved to a later time since then.
    if (!mayHear(track, { ...user, grace_ms: await readGraceMs(deps) }, clock.now()))
      return void (await unmarkMailed(database.db, trackId, userId));
    const unsubscribeUrl = await buildUnsubscribeUrl(deps, { userId, kind: 'releases' });
    await mail.send(
      writeReleaseMessage({
        to: user.email,
        username: user.username,
        siteName: config.siteName,
        origin: site.origin,
        unsubscribeUrl,
        key: `release:${trackId}:${userId}`,
        track,
      }),
    );
  },
});

/** Everybody who may hear it by now, each once; killed anywhere, the next run goes on. */
async function announce(deps: Deps, track: TracksTable, signal: AbortSignal) {
  const { database, clock } = deps;
  const grace_ms = await readGraceMs(deps);
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const now = clock.now();
    const readers = await listReaders(database.db, { after, limit: BATCH });
    const told = readers.filter((reader) => mayHear(track, { ...reader, grace_ms }, now));
    const userIds = told.map(({ id }) => id);
    await database.db.transaction().execute(async (tx) => {
      for (const userId of await markMailed(tx, track.id, userIds))
        await enqueue(tx, sendReleaseMail, { trackId: track.id, userId }, { now });
    });
    const last = readers.at(-1);
    if (!last || readers.length < BATCH) return;
    after = last.id;
  }
}

/** Looks every minute what has come out; after a downtime, what came out meanwhile. */
export const announceReleases = defineSchedule({
  name: 'announce-releases',
  everyMs: 60_000,
  run: async (deps: Deps, { signal }) => {
    const now = deps.clock.now();
    const due = await listToAnnounce(deps.database.db, { now, earlyMs: EARLY_ACCESS_MS });
    for (const track of due) {
      await announce(deps, track, signal);
      await setAnnounced(deps.database.db, track.id, now);
    }
    if (due.length > 0) deps.jobs.wake();
  },
});
