import { setImmediate } from 'node:timers/promises';
import { sql, type Expression, type SqlBool } from 'kysely';
import type { SubscriberFilter } from '#contract/admin/subscribers.ts';
import { isDisabled } from '../../db/is-disabled.ts';
import type { Database, Db } from '../../db/connect.ts';
import { selectSharingUsers } from '../networks/service.ts';

/** Users who never paid sort last. */
const PAID = sql<number>`coalesce(users.paid_through, 0)`;

export type AccessTime = { now: number; graceMs: number };
export type ListCursor = [paid: number, id: string];
type Page = { after: ListCursor | null; limit: number };

const selectUsers = (db: Db) =>
  db
    .selectFrom('users')
    .select([
      'users.id',
      'users.username',
      'users.email',
      'users.email_verified_at',
      'users.avatar_key',
      'users.created_at',
      'users.paid_through',
      'users.is_admin',
      'users.is_helper',
    ])
    .select(isDisabled);

/** Part of the name or e-mail. */
const matchesText = ({ dialect }: Pick<Database, 'dialect'>, text: string): Expression<SqlBool> =>
  dialect === 'sqlite'
    ? sql`(instr(users.username_key, ${text}) > 0 or instr(users.email_key, ${text}) > 0)`
    : sql`(position(${text} in users.username_key) > 0 or position(${text} in users.email_key) > 0)`;

const PAID_FILTERS = ['active', 'grace', 'free'] as const;
type PaidFilter = (typeof PAID_FILTERS)[number];
const isPaidFilter = (filter: SubscriberFilter): filter is PaidFilter =>
  PAID_FILTERS.some((name) => name === filter);

/** The range of `paid_through`: after `above`, up to and including `upTo`. */
function findPaidRange(
  filter: PaidFilter,
  { now, graceMs }: AccessTime,
): { above: number; upTo: number } {
  if (filter === 'active') return { above: now, upTo: Number.MAX_SAFE_INTEGER };
  if (filter === 'grace') return { above: now - graceMs, upTo: now };
  return { above: -1, upTo: now - graceMs };
}

type DatabaseAndDialect = Pick<Database, 'db' | 'dialect'>;

/** Latest end of the paid period first. */
function listByPaid(
  { db }: DatabaseAndDialect,
  { above, upTo }: { above: number; upTo: number },
  { after, limit }: Page,
) {
  const [paid, id] = after ?? [upTo, null];
  return selectUsers(db)
    .where(PAID, '>', above)
    .where(PAID, '<=', Math.min(paid, upTo))
    .$if(id !== null, (query) =>
      query.where(({ or, eb }) => or([eb(PAID, '<', paid), eb('users.id', '<', id ?? '')])),
    )
    .orderBy(PAID, 'desc')
    .orderBy('users.id', 'desc')
    .limit(limit)
    .execute();
}

type IdFilter = Exclude<SubscriberFilter, PaidFilter>;

/** Newest account first. */
const selectByFilter = (db: Db, filter: IdFilter, { now }: AccessTime) =>
  selectUsers(db)
    .$if(filter === 'admin', (query) => query.where('users.is_admin', '=', sql.lit(1)))
    .$if(filter === 'helper', (query) => query.where('users.is_helper', '=', sql.lit(1)))
    .$if(filter === 'disabled', (query) =>
      query.where('users.id', 'in', (eb) => eb.selectFrom('disabled_accounts').select('user_id')),
    )
    .$if(filter === 'shared', (query) => query.where('users.id', 'in', selectSharingUsers(db, now)))
    .$if(filter === 'cancelled' || filter === 'late', (query) =>
      query.where('users.id', 'in', (eb) =>
        eb
          .selectFrom('subscriptions')
          .select('subscriptions.user_id')
          .where(
            'subscriptions.status',
            'in',
            filter === 'late' ? (['late', 'needs_member'] as const) : (['ending'] as const),
          )
          .$castTo<{ user_id: string }>(),
      ),
    )
    .orderBy('users.id', 'desc');

const listById = (
  { db }: DatabaseAndDialect,
  filter: IdFilter,
  time: AccessTime,
  { after, limit }: Page,
) =>
  selectByFilter(db, filter, time)
    .$if(after !== null, (query) => query.where('users.id', '<', after?.[1] ?? ''))
    .limit(limit)
    .execute();

/** How many names to search at once; other requests get their turn in between. */
const BATCH_SIZE = 10_000;

async function findBatchEnd(db: Db, below: string | null): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .$if(below !== null, (query) => query.where('id', '<', below ?? ''))
    .orderBy('id', 'desc')
    .offset(BATCH_SIZE)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Newest account first, whatever the filter. */
async function listByText(
  database: DatabaseAndDialect,
  { filter, text }: { filter: SubscriberFilter; text: string },
  time: AccessTime,
  { after, limit }: Page,
): Promise<ListedUser[]> {
  const paid = isPaidFilter(filter) ? findPaidRange(filter, time) : null;
  const idFilter = isPaidFilter(filter) ? 'all' : filter;
  const found: ListedUser[] = [];
  for (let below = after?.[1] ?? null; ;) {
    const end = await findBatchEnd(database.db, below);
    const rows = await selectByFilter(database.db, idFilter, time)
      .where(matchesText(database, text))
      .$if(paid !== null, (query) =>
        query.where(PAID, '>', paid?.above ?? 0).where(PAID, '<=', paid?.upTo ?? 0),
      )
      .$if(below !== null, (query) => query.where('users.id', '<', below ?? ''))
      .$if(end !== null, (query) => query.where('users.id', '>=', end ?? ''))
      .limit(limit - found.length)
      .execute();
    found.push(...rows);
    if (end === null || found.length >= limit) return found;
    below = end;
    await setImmediate();
  }
}

export async function listUsers(
  database: DatabaseAndDialect,
  { filter, text }: { filter: SubscriberFilter; text: string },
  time: AccessTime,
  page: Page,
): Promise<ListedUser[]> {
  if (text !== '') return listByText(database, { filter, text }, time, page);
  if (isPaidFilter(filter)) return listByPaid(database, findPaidRange(filter, time), page);
  return listById(database, filter, time, page);
}

export type ListedUser = Awaited<ReturnType<typeof listById>>[number];

export const findListedUser = (db: Db, id: string): Promise<ListedUser | undefined> =>
  selectUsers(db).where('users.id', '=', id).executeTakeFirst();

export const listLedgersOf = (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('ledger_entries')
        .selectAll()
        .where('user_id', 'in', ids)
        .orderBy('user_id')
        .orderBy('seq')
        .execute();
