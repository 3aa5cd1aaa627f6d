import { z } from 'zod';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { allowSendingAgain, forgetMessage, planMessage, sendOnce } from '../../jobs/send-once.ts';
import { readMailSite } from '../mails/service.ts';
import { allowsMail, buildUnsubscribeUrl } from '../preferences/service.ts';
import { openCatalogue } from '../tracks/service.ts';
import {
  findRecipient,
  findReleased,
  listMailSubscribers,
  listToAnnounce,
  markMailed,
  setAnnounced,
  unmarkMailed,
} from './queries.ts';
import { announceOnDevices } from './notices.ts';
import { writeReleaseMail } from './release-mail.ts';
import { maySee, tellInBatches } from './recipients.ts';

const keyReleaseMail = (trackId: string, userId: string) => `release:${trackId}:${userId}`;

/** At most once: among a thousand mails, nobody gets one twice because the server stopped. */
export const sendReleaseMail = defineJob({
  name: 'send-release-mail',
  lane: 'bulk-mail',
  payload: z.object({ trackId: z.string(), userId: z.string() }),
  maxAttempts: countAttemptsWithin(DAY),
  canDiscard: true,
  run: async (deps: Deps, { trackId, userId }, job) => {
    const { database, clock } = deps;
    const [track, user] = [
      await findReleased(database.db, trackId),
      await findRecipient(database.db, userId),
    ];
    // Someone may have unpublished the track or unsubscribed since the job was enqueued.
    if (!track || !user) return;
    if (!(await allowsMail(database.db, userId, 'releases'))) return;
    // Someone may have moved the release to a later time.
    const reader = { ...user, ...(await readAccessPolicy(deps)) };
    if (!maySee(track, reader, clock.now()))
      return void (await unmarkMailed(database.db, trackId, userId));
    const catalogue = await openCatalogue(deps, reader);
    const [facts] = await catalogue.readAny([trackId]);
    if (!facts) return;
    const unsubscribeUrl = await buildUnsubscribeUrl(deps, { userId, kind: 'releases' });
    const key = keyReleaseMail(trackId, userId);
    await planMessage(database.db, { key, userId }, clock.now());
    const message = writeReleaseMail(await readMailSite(deps), facts, {
      to: user.email,
      username: user.username,
      hasFullAccess: catalogue.visibility.includesSubscriberOnly,
      unsubscribeUrl,
      key,
    });
    // `release_mails` says for good that it was announced.
    const onSent = (tx: Tx) => forgetMessage(tx, key);
    await sendOnce(deps, { ...message, key }, job, { onSent });
  },
  onRetry: (tx, { trackId, userId }) => allowSendingAgain(tx, keyReleaseMail(trackId, userId)),
});

/** Notifies everyone who may hear the track, once. After a crash the next run continues. */
async function announce(deps: Deps, track: TracksTable, signal: AbortSignal) {
  const { database, clock } = deps;
  const policy = await readAccessPolicy(deps);
  await tellInBatches(
    signal,
    (page) => listMailSubscribers(database.db, page),
    async (subscribers) => {
      const now = clock.now();
      const userIds = subscribers
        .filter((user) => maySee(track, { ...user, ...policy }, now))
        .map(({ id }) => id);
      await database.db.transaction().execute(async (tx) => {
        for (const userId of await markMailed(tx, track.id, userIds))
          await enqueue(tx, sendReleaseMail, { trackId: track.id, userId }, { now });
      });
    },
  );
}

/** Checks for new releases every minute, including those of a downtime. */
export const announceReleases = defineSchedule({
  name: 'announce-releases',
  everyMs: MINUTE,
  run: async (deps: Deps, { signal }) => {
    const now = deps.clock.now();
    const { early_ms: earlyMs } = await readAccessPolicy(deps);
    const due = await listToAnnounce(deps.database.db, { now, earlyMs });
    for (const track of due) {
      await announce(deps, track, signal);
      await announceOnDevices(deps, track, signal);
      await setAnnounced(deps.database.db, track.id, now);
    }
    if (due.length > 0) deps.jobs.wake();
  },
});
