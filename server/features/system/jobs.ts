import { sql, type RawBuilder } from 'kysely';
import { dayOf } from '#contract/rules/days.ts';
import { DELETED_PLAYLIST_MS } from '#contract/rules/playlists.ts';
import type { Db } from '../../db/connect.ts';
import { deleteDayKeys } from '../../db/daily-hash.ts';
import type { Tables } from '../../db/types/tables.ts';
import { DAY, HOUR, MINUTE, WEEK } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { isClockSteady, UNNOTICED_MS } from '../../jobs/wrong-clock.ts';

/** Small enough that no one waits for the write lock. */
const BATCH = 500;

const DEAD_JOB_MS = 14 * DAY;
/** A receipt for someone who never verified their address; the subscription page shows it all. */
const HELD_JOB_MS = 90 * DAY;
/** Outside demo mode no one reads the outbox, and a reset link in it gives access to an account. */
const OUTBOX_MS = 7 * DAY;
const DEMO_OUTBOX_MS = 30 * DAY;
const MISSES_MS = 400 * DAY;
/** Unless a setting says otherwise. Daily totals stay. */
const EVENT_DAYS = 400;

const IMPORT_DRAFT_MS = DAY;
const IMPORT_LINES_MS = 30 * DAY;

/** A gift that nobody paid for keeps no addresses. */
const UNPAID_GIFT_MS = 30 * DAY;

/** That one mail didn’t arrive says nothing any more. */
const MAIL_REPORTS_MS = 90 * DAY;

const SIGNALS_MS = HOUR;

export type SweepOptions = {
  now: number;
  isDemo: boolean;
  eventDays?: number;
  timeZone?: string;
  /** Deletes nothing. */
  isClockDoubtful?: boolean;
};
type DeleteBatch = (db: Db, options: SweepOptions) => Promise<bigint | undefined>;

/** Deletes a batch of the rows that match; `ids` says which columns identify one. */
const deleteRows =
  <T extends keyof Tables>(
    table: T,
    ids: (keyof Tables[T] & string) | (keyof Tables[T] & string)[],
    match: (options: SweepOptions) => RawBuilder<unknown>,
  ): DeleteBatch =>
  async (db, options) => {
    const columns = sql.join([ids].flat().map((id) => sql.ref(id)));
    const rows = sql`select ${columns} from ${sql.table(table)} where ${match(options)} limit ${BATCH}`;
    const command = sql`delete from ${sql.table(table)} where (${columns}) in (${rows})`;
    return (await command.execute(db)).numAffectedRows;
  };

/** A clock that was fast leaves rows that would be valid for too long: their period starts again now. */
const endWithin =
  (
    table: 'password_resets' | 'email_links' | 'passkey_challenges',
    periodMs: number,
    match = sql`1 = 1`,
  ): DeleteBatch =>
  async (db, { now }) => {
    const latest = now + periodMs;
    await sql`update ${sql.table(table)} set expires_at = ${latest} where expires_at > ${latest} and ${match}`.execute(
      db,
    );
    return 0n;
  };

/** A limit in the past is the same as no limit. */
const deleteRateLimits: DeleteBatch = async (db, { now }) => {
  const { numDeletedRows } = await db
    .deleteFrom('rate_limits')
    .where('key', 'in', (select) =>
      select.selectFrom('rate_limits').select('key').where('tat', '<=', now).limit(BATCH),
    )
    .where('tat', '<=', now)
    .executeTakeFirst();
  return numDeletedRows;
};

/** Before the playlists, because deleting a long one would hold the write lock for all its rows. */
const deletePlaylistTracks: DeleteBatch = async (db, { now }) => {
  const { numDeletedRows } = await db
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
  return numDeletedRows;
};

/** No mix plays them, nor did before its audio was replaced, which a report may still ask. */
const isUnplayed = ({ now }: SweepOptions) => sql`updated_at <= ${now - DAY}
  and not exists (select 1 from track_recordings where recording_id = recordings.id)
  and not exists (select 1 from past_tracklists
    where past_tracklists.chapters like '%"' || recordings.id || '"%')`;

/** The figures of an import stay; who was in the file doesn't. */
const deleteImportLines: DeleteBatch = async (db, { now }) => {
  const { numDeletedRows } = await db
    .deleteFrom('member_import_lines')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('import_id', 'line'),
        'in',
        selectFrom('member_imports')
          .innerJoin('member_import_lines as old', 'old.import_id', 'member_imports.id')
          .select(['old.import_id', 'old.line'])
          .where((where) =>
            where.or([
              where('finished_at', '<=', now - IMPORT_LINES_MS),
              where.and([
                where('state', 'in', ['checking', 'draft']),
                where('created_at', '<=', now - IMPORT_DRAFT_MS),
              ]),
            ]),
          )
          .limit(BATCH)
          .$asTuple('import_id', 'line'),
      ),
    )
    .executeTakeFirst();
  return numDeletedRows;
};

/** What is known about networks is only for the day itself. The keys go first. */
const deleteNetworkKeys: DeleteBatch = async (db, { now, timeZone = 'UTC' }) => {
  await deleteDayKeys(db, dayOf(now, timeZone));
  return 0n;
};

const isBeforeToday = ({ now, timeZone = 'UTC' }: SweepOptions) =>
  sql`day < ${dayOf(now, timeZone)}`;

const repairs = [
  // Links that are mailed, and those that an administrator passes on.
  endWithin('password_resets', HOUR, sql`email is not null and is_invitation = 0`),
  endWithin('password_resets', DAY, sql`is_invitation = 0`),
  endWithin('password_resets', 7 * DAY),
  endWithin('email_links', 7 * DAY),
  endWithin('passkey_challenges', 5 * MINUTE),
];

const deletions = [
  deleteNetworkKeys,
  deleteRows('network_listeners', ['day', 'track_id', 'network'], isBeforeToday),
  deleteRows('analytics_arrivals', ['day', 'network'], isBeforeToday),
  deleteRows('gifts', 'id', ({ now }) => {
    return sql`reference is not null and paid_at is null and created_at <= ${now - UNPAID_GIFT_MS}`;
  }),
  deleteRows('sessions', 'token_hash', ({ now }) => sql`expires_at <= ${now - UNNOTICED_MS}`),
  deleteRows('download_networks', 'link', ({ now }) => sql`expires_at <= ${now}`),
  deleteRows('credential_networks', 'network', ({ now }) => sql`seen_at <= ${now - WEEK}`),
  deleteRows('passkey_challenges', 'challenge_hash', ({ now }) => sql`expires_at <= ${now}`),
  deleteRows('password_resets', 'token_hash', ({ now }) => {
    return sql`expires_at <= ${now - UNNOTICED_MS}`;
  }),
  deleteRows('email_links', 'token_hash', ({ now }) => sql`expires_at <= ${now - UNNOTICED_MS}`),
  deleteRows('held_jobs', 'id', ({ now }) => sql`created_at <= ${now - HELD_JOB_MS}`),
  deleteRateLimits,
  deleteRows('outbox', 'id', ({ now, isDemo }) => {
    return sql`created_at <= ${now - (isDemo ? DEMO_OUTBOX_MS : OUTBOX_MS)}`;
  }),
  deleteRows('jobs', 'id', ({ now }) => {
    return sql`state = ${'dead'} and updated_at <= ${now - DEAD_JOB_MS}`;
  }),
  deletePlaylistTracks,
  deleteImportLines,
  deleteRows('member_imports', 'id', ({ now }) => {
    return sql`state in ('checking', 'draft') and created_at <= ${now - IMPORT_DRAFT_MS}`;
  }),
  deleteRows('mail_reports', ['email_key', 'kind'], ({ now }) => {
    return sql`reported_at <= ${now - MAIL_REPORTS_MS}`;
  }),
  deleteRows('playlists', 'id', ({ now }) => sql`deleted_at <= ${now - DELETED_PLAYLIST_MS}`),
  deleteRows('recordings', 'id', isUnplayed),
  // Reports show searches without results for a year.
  deleteRows('search_misses', ['day', 'query'], ({ now }) => {
    return sql`day < ${new Date(now - MISSES_MS).toISOString().slice(0, 10)}`;
  }),
  deleteRows('analytics_events', 'id', ({ now, eventDays = EVENT_DAYS }) => {
    return sql`at < ${now - eventDays * DAY} order by at`;
  }),
  // Clients that missed them have loaded everything since.
  deleteRows('signals', 'id', ({ now }) => sql`created_at < ${now - SIGNALS_MS}`),
];

/** Deletes expired rows in batches until none are left or the job is aborted. */
export async function sweepExpired(db: Db, options: SweepOptions, signal?: AbortSignal) {
  for (const deleteBatch of options.isClockDoubtful ? repairs : [...repairs, ...deletions]) {
    let deleted = BATCH;
    while (deleted >= BATCH && !signal?.aborted) {
      deleted = Number(await deleteBatch(db, options));
    }
  }
}

export const sweep = defineSchedule({
  name: 'sweep-expired',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => {
    const { config, database, clock } = deps;
    await sweepExpired(
      database.db,
      {
        isClockDoubtful: !(await isClockSteady(deps)),
        now: clock.now(),
        isDemo: config.demo,
        eventDays: config.eventDays,
        timeZone: config.timeZone,
      },
      signal,
    );
  },
});
