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

/** From when to when what they paid for ends: after the first, up to the second. */
function paidBetween(
  filter: 'active' | 'grace' | 'free',
  { now, graceMs }: ListMoment,
): { above: number; upTo: number } {
  if (filter === 'active') return { above: now, upTo: Number.MAX_SAFE_INTEGER };
  if (filter === 'grace') return { above: now - graceMs, upTo: now };
  return { above: -1, upTo: now - graceMs };
}

type Place = Pick<Database, 'db' | 'dialect'>;

/** Those whose paid time ends last come first; the position goes on exactly there. */
function listByPaid(
  place: Place,
  { above, upTo }: { above: number; upTo: number },
  { after, limit }: Page,
  text: string,
) {
  const [paid, id] = after ?? [upTo, null];
  return selectUsers(place.db)
    .where(PAID, '>', above)
    .where(PAID, '<=', Math.min(paid, upTo))
    .$if(id !== null, (query) =>
      query.where(({ or, eb }) => or([eb(PAID, '<', paid), eb('users.id', '<', id ?? '')])),
    )
    .$if(text !== '', (query) => query.where(holdsText(place, text)))
    .orderBy(PAID, 'desc')
    .orderBy('users.id', 'desc')
    .limit(limit)
    .execute();
}

type IdFilter = 'all' | 'admin' | 'disabled' | 'cancelled';

/** The newest account first. */
function listById(place: Place, filter: IdFilter, { after, limit }: Page, text: string) {
  const id = after?.[1] ?? null;
  return selectUsers(place.db)
    .$if(filter === 'admin', (query) => query.where('users.is_admin', '=', sql.lit(1)))
    .$if(filter === 'disabled', (query) =>
      query.where('users.id', 'in', (eb) => eb.selectFrom('disabled_accounts').select('user_id')),
    )
    .$if(filter === 'cancelled', (query) =>
      query.where('users.id', 'in', (eb) =>
        eb
          .selectFrom('agreements')
          .select('agreements.user_id')
          .where('agreements.status', '=', 'ending')
          .$castTo<{ user_id: string }>(),
      ),
    )
    .$if(id !== null, (query) => query.where('users.id', '<', id ?? ''))
    .$if(text !== '', (query) => query.where(holdsText(place, text)))
    .orderBy('users.id', 'desc')
    .limit(limit)
    .execute();
}

export const listUsers = (
  place: Place,
  { filter, text }: { filter: SubscriberFilter; text: string },
  moment: ListMoment,
  page: Page,
) =>
  filter === 'active' || filter === 'grace' || filter === 'free'
    ? listByPaid(place, paidBetween(filter, moment), page, text)
    : listById(place, filter, page, text);

export type ListedUser = Awaited<ReturnType<typeof listUsers>>[number];

export const findListedUser = (db: Db, id: string): Promise<ListedUser | undefined> =>
  selectUsers(db).where('users.id', '=', id).executeTakeFirst();
