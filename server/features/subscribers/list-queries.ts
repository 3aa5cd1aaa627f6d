import { setImmediate } from 'node:timers/promises';
import { sql, type Expression, type SqlBool } from 'kysely';
import type { SubscriberFilter } from '#contract/subscribers.ts';
import type { Database, Db } from '../../db/connect.ts';

/** Those who never paid are those whose time ended when time began. */
const PAID = sql<number>`coalesce(users.paid_through, 0)`;

export type ListMoment = { now: number; graceMs: number };
export type ListPosition = [paid: number, id: string];
type Page = { after: ListPosition | null; limit: number };

const selectUsers = (db: Db) =>
  db
    .selectFrom('users')
    .select([
      'users.id',
      'users.username',
      'users.email',
      'users.avatar_key',
      'users.created_at',
      'users.paid_through',
      'users.is_admin',
      'users.is_demo',
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('disabled_accounts')
          .select('user_id')
          .whereRef('disabled_accounts.user_id', '=', 'users.id'),
      ).as('is_disabled'),
    );

/** A part of the name or of the address, wherever it stands. */
const holdsText = ({ dialect }: Pick<Database, 'dialect'>, text: string): Expression<SqlBool> =>
  dialect === 'sqlite'
    ? sql`(instr(users.username_key, ${text}) > 0 or instr(users.email_key, ${text}) > 0)`
    : sql`(position(${text} in users.username_key) > 0 or position(${text} in users.email_key) > 0)`;

const PAID_FILTERS = ['active', 'grace', 'free'] as const;
type PaidFilter = (typeof PAID_FILTERS)[number];
const isPaidFilter = (filter: SubscriberFilter): filter is PaidFilter =>
  PAID_FILTERS.some((name) => name === filter);

/** From when to when what they paid for ends: after the first, up to the second. */
function paidBetween(
  filter: PaidFilter,
  { now, graceMs }: ListMoment,
): { above: number; upTo: number } {
  if (filter === 'active') return { above: now, upTo: Number.MAX_SAFE_INTEGER };
  if (filter === 'grace') return { above: now - graceMs, upTo: now };
  return { above: -1, upTo: now - graceMs };
}

type Place = Pick<Database, 'db' | 'dialect'>;

/** Those whose paid time ends last come first; the position goes on exactly there. */
function listByPaid(
  { db }: Place,
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

/** The newest account first. */
const selectByKind = (db: Db, filter: IdFilter) =>
  selectUsers(db)
    .$if(filter === 'admin', (query) => query.where('users.is_admin', '=', sql.lit(1)))
    .$if(filter === 'disabled', (query) =>
      query.where('users.id', 'in', (eb) => eb.selectFrom('disabled_accounts').select('user_id')),
    )
    .$if(filter === 'cancelled' || filter === 'late', (query) =>
      query.where('users.id', 'in', (eb) =>
        eb
          .selectFrom('provider_subscriptions')
          .select('provider_subscriptions.user_id')
          .where('provider_subscriptions.status', '=', filter === 'late' ? 'late' : 'ending')
          .$castTo<{ user_id: string }>(),
      ),
    )
    .orderBy('users.id', 'desc');

const listById = ({ db }: Place, filter: IdFilter, { after, limit }: Page) =>
  selectByKind(db, filter)
    .$if(after !== null, (query) => query.where('users.id', '<', after?.[1] ?? ''))
    .limit(limit)
    .execute();

/** So many names are looked through at once; then whoever else waits has a turn. */
const STRETCH = 10_000;

async function findStretchEnd(db: Db, below: string | null): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .$if(below !== null, (query) => query.where('id', '<', below ?? ''))
    .orderBy('id', 'desc')
    .offset(STRETCH)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** By a part of a name: the newest account first, whatever is asked for besides. */
async function listByText(
  place: Place,
  { filter, text }: { filter: SubscriberFilter; text: string },
  moment: ListMoment,
  { after, limit }: Page,
): Promise<ListedUser[]> {
  const paid = isPaidFilter(filter) ? paidBetween(filter, moment) : null;
  const kind = isPaidFilter(filter) ? 'all' : filter;
  const found: ListedUser[] = [];
  for (let below = after?.[1] ?? null; ;) {
    const end = await findStretchEnd(place.db, below);
    const rows = await selectByKind(place.db, kind)
      .where(holdsText(place, text))
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
  place: Place,
  { filter, text }: { filter: SubscriberFilter; text: string },
  moment: ListMoment,
  page: Page,
): Promise<ListedUser[]> {
  if (text !== '') return listByText(place, { filter, text }, moment, page);
  if (isPaidFilter(filter)) return listByPaid(place, paidBetween(filter, moment), page);
  return listById(place, filter, page);
}

export type ListedUser = Awaited<ReturnType<typeof listById>>[number];

export const findListedUser = (db: Db, id: string): Promise<ListedUser | undefined> =>
  selectUsers(db).where('users.id', '=', id).executeTakeFirst();
