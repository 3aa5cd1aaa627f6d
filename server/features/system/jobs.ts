import { DELETED_PLAYLIST_MS } from '#contract/rules/playlists.ts';
import type { Db } from '../../db/connect.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';

/** Small enough that no one waits for the write lock. */
const BATCH = 500;

const DEAD_JOB_MS = 14 * DAY;
/** Outside demo mode no one reads the outbox, and a reset link in it gives access to an account. */
const OUTBOX_MS = 7 * DAY;
const DEMO_OUTBOX_MS = 30 * DAY;
const MISSES_MS = 400 * DAY;
/** The ledger stays; the provider's exact words matter as long as a payment can be disputed. */
const WEBHOOK_EVENTS_MS = 400 * DAY;
/** Unless a setting says otherwise. Daily totals stay. */
const EVENT_DAYS = 400;

const SIGNALS_MS = HOUR;

export type SweepOptions = { now: number; isDemo: boolean; eventDays?: number };
type DeleteBatch = (db: Db, options: SweepOptions) => Promise<{ numDeletedRows: bigint }>;

const deleteSessions: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('sessions')
    .where('token_hash', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('token_hash')
        .where('expires_at', '<=', now)
        .limit(BATCH),
    )
    .executeTakeFirst();

const deleteResets: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('password_resets')
    .where('token_hash', 'in', (select) =>
      select
        .selectFrom('password_resets')
        .select('token_hash')
        .where('expires_at', '<=', now)
        .limit(BATCH),
    )
    .executeTakeFirst();

/** A limit in the past is the same as no limit. */
const deleteRateLimits: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('rate_limits')
    .where('key', 'in', (select) =>
      select.selectFrom('rate_limits').select('key').where('tat', '<=', now).limit(BATCH),
    )
    .where('tat', '<=', now)
    .executeTakeFirst();

const deleteOldEmails: DeleteBatch = (db, { now, isDemo }) =>
  db
    .deleteFrom('outbox')
    .where('id', 'in', (select) =>
      select
        .selectFrom('outbox')
        .select('id')
        .where('created_at', '<=', now - (isDemo ? DEMO_OUTBOX_MS : OUTBOX_MS))
        .limit(BATCH),
    )
    .executeTakeFirst();

const deleteDeadJobs: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('jobs')
    .where('id', 'in', (select) =>
      select
        .selectFrom('jobs')
        .select('id')
        .where('state', '=', 'dead')
        .where('updated_at', '<=', now - DEAD_JOB_MS)
        .limit(BATCH),
    )
    .executeTakeFirst();

/** Before the playlists, because deleting a long one would hold the write lock for all its rows. */
const deletePlaylistTracks: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('playlist_tracks')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('playlist_id', 'track_id'),
        'in',
        selectFrom('playlists')
          .innerJoin('playlist_tracks as entries', 'entries.playlist_id', 'playlists.id')
          .select(['entries.playlist_id', 'entries.track_id'])
          .where('deleted_at', '<=', now - DELETED_PLAYLIST_MS)
          .limit(BATCH)
          .$asTuple('playlist_id', 'track_id'),
      ),
    )
    .executeTakeFirst();

const deletePlaylists: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('playlists')
    .where('id', 'in', (select) =>
      select
        .selectFrom('playlists')
        .select('id')
        .where('deleted_at', '<=', now - DELETED_PLAYLIST_MS)
        .limit(BATCH),
    )
    .executeTakeFirst();

/** Clients that missed them have loaded everything since. */
const deleteOldSignals: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('signals')
    .where('id', 'in', (select) =>
      select
        .selectFrom('signals')
        .select('id')
        .where('created_at', '<', now - SIGNALS_MS)
        .limit(BATCH),
    )
    .executeTakeFirst();

/** Reports show searches without results for a year. */
const deleteOldMisses: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('search_misses')
    .where('day', '<', new Date(now - MISSES_MS).toISOString().slice(0, 10))
    .executeTakeFirst();

const deleteOldEvents: DeleteBatch = (db, { now, eventDays = EVENT_DAYS }) =>
  db
    .deleteFrom('analytics_events')
    .where('id', 'in', (select) =>
      select
        .selectFrom('analytics_events')
        .select('id')
        .where('at', '<', now - eventDays * DAY)
        .orderBy('at')
        .limit(BATCH),
    )
    .executeTakeFirst();

/** If the provider sends one again after that, it is stored again and changes nothing. */
const deleteOldWebhookEvents: DeleteBatch = (db, { now }) =>
  db
    .deleteFrom('webhook_events')
    .where('id', 'in', (select) =>
      select
        .selectFrom('webhook_events')
        .select('id')
        .where('received_at', '<', now - WEBHOOK_EVENTS_MS)
        .where('state', '=', 'done')
        .orderBy('received_at')
        .limit(BATCH),
    )
    .executeTakeFirst();

const batches = [
  deleteSessions,
  deleteResets,
  deleteRateLimits,
  deleteOldEmails,
  deleteDeadJobs,
  deletePlaylistTracks,
  deletePlaylists,
  deleteOldMisses,
  deleteOldEvents,
  deleteOldWebhookEvents,
  deleteOldSignals,
];

/** Deletes expired rows in batches until none are left or the job is aborted. */
export async function sweepExpired(db: Db, options: SweepOptions, signal?: AbortSignal) {
  for (const deleteBatch of batches) {
    let deleted = BATCH;
    while (deleted >= BATCH && !signal?.aborted) {
      const result = await deleteBatch(db, options);
      deleted = Number(result.numDeletedRows);
    }
  }
}

export const sweep = defineSchedule({
  name: 'sweep-expired',
  everyMs: HOUR,
  run: async ({ config, database, clock }: Deps, { signal }) =>
    sweepExpired(
      database.db,
      { now: clock.now(), isDemo: config.demo, eventDays: config.eventDays },
      signal,
    ),
});
