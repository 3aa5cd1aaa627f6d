import { sql } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';

/** `time` and `flag` are written out for the dialect; the rest reads the same on both. */
const statements = [
  `create table settings (name text primary key not null, value text not null, updated_at time not null)`,

  `create table counters (name text primary key not null, value time not null)`,

  `create table billing_accounts (
     user_id text primary key not null references users (id) on delete cascade,
     version integer not null)`,

  `create table checkouts (
     reference text primary key not null,
     checkout_id text,
     user_id text references users (id) on delete set null,
     provider text not null,
     plan text not null,
     amount integer not null,
     renewal_amount integer not null,
     currency text not null,
     coupon_id text,
     free_days integer not null,
     free_kind text,
     first_charge_at time not null,
     state text not null,
     customer_id text,
     agreement_id text,
     is_purchase_told flag not null,
     created_at time not null,
     updated_at time not null)`,
  `create index checkouts_by_user on checkouts (user_id, created_at)`,
  `create index checkouts_open on checkouts (created_at) where state = 'open'`,
  `create index checkouts_by_customer on checkouts (provider, customer_id) where customer_id is not null`,

  `create table agreements (
     id text primary key not null,
     provider text not null,
     agreement_id text not null,
     user_id text references users (id) on delete set null,
     customer_id text not null,
     reference text,
     plan text not null,
     next_plan text,
     status text not null,
     terms text not null,
     next_charge_at time,
     next_amount integer,
     card text,
     problem_since time,
     problem text,
     is_duplicate flag not null,
     started_at time not null,
     check_at time,
     updated_at time not null,
     constraint agreements_once unique (provider, agreement_id))`,
  `create index agreements_by_user on agreements (user_id)`,
  `create index agreements_by_customer on agreements (provider, customer_id)`,
  `create index agreements_to_check on agreements (check_at) where check_at is not null`,

  `create table payment_notices (
     id text primary key not null,
     provider text not null,
     event_id text not null,
     kind text not null,
     subjects text not null,
     body text not null,
     state text not null,
     user_id text references users (id) on delete set null,
     received_at time not null,
     settled_at time,
     constraint payment_notices_once unique (provider, event_id))`,
  `create index payment_notices_by_user on payment_notices (user_id)`,
  `create index payment_notices_by_time on payment_notices (received_at)`,

  `create table ledger (
     user_id text not null references users (id) on delete cascade,
     seq integer not null,
     kind text not null,
     at time not null,
     recorded_at time not null,
     provider text,
     charge_id text,
     agreement_id text,
     plan text,
     amount integer,
     currency text,
     days integer,
     months integer,
     until time,
     because text not null,
     detail text,
     actor text not null,
     primary key (user_id, seq))`,
  `create unique index ledger_charges on ledger (provider, charge_id)
     where kind in ('charge', 'charge-refused')`,
  `create index ledger_by_charge on ledger (provider, charge_id) where charge_id is not null`,

  `create table invoices (
     id text primary key not null,
     number integer not null unique,
     user_id text references users (id) on delete set null,
     provider text not null,
     charge_id text not null,
     plan text not null,
     at time not null,
     from_at time not null,
     to_at time not null,
     amount integer not null,
     refunded integer not null,
     currency text not null,
     card text,
     status text not null,
     constraint invoices_once unique (provider, charge_id))`,
  `create index invoices_by_user on invoices (user_id, number)`,

  `create table coupons (
     id text primary key not null,
     code text not null unique,
     kind text not null,
     percent integer,
     free_days integer,
     plans text not null,
     max_uses integer,
     uses integer not null,
     starts_at time,
     ends_at time,
     created_by text not null,
     created_at time not null)`,
  `create index coupons_by_time on coupons (created_at, id)`,

  `create table coupon_uses (
     coupon_id text not null references coupons (id) on delete cascade,
     user_id text not null references users (id) on delete cascade,
     reference text not null,
     is_used flag not null,
     at time not null,
     primary key (coupon_id, user_id))`,
  `create index coupon_uses_by_user on coupon_uses (user_id)`,
  `create index coupon_uses_by_reference on coupon_uses (reference)`,

  `create table gifts (
     id text primary key not null,
     token_hash text not null unique,
     months integer not null,
     from_name text not null,
     created_by text not null,
     created_at time not null,
     redeemed_by text references users (id) on delete set null,
     redeemed_at time)`,
  `create index gifts_by_taker on gifts (redeemed_by)`,

  `create table sent_messages (
     key text primary key not null,
     user_id text not null references users (id) on delete cascade,
     created_at time not null)`,
  `create index sent_messages_by_user on sent_messages (user_id)`,

  // Whoever had access before payments were written down keeps it, and the ledger says why.
  `insert into ledger (user_id, seq, kind, at, recorded_at, until, because, actor)
     select id, 1, 'grant', created_at, created_at, paid_through,
       'Access that was given before payments were recorded.', 'system'
     from users where paid_through is not null`,
];

function write(statement: string, dialect: DialectName): string {
  const time = dialect === 'sqlite' ? 'integer' : 'bigint';
  const strict = dialect === 'sqlite' && statement.startsWith('create table') ? ' strict' : '';
  const typed = statement.replaceAll(/ time\b/g, ` ${time}`).replaceAll(/ flag\b/g, ' integer');
  return typed + strict;
}

/** Settings, and all that is known of money: checkouts, agreements, webhooks, the ledger, the books. */
export const billing: Migration = {
  name: '0014-billing',
  up: async (tx, dialect) => {
    for (const statement of statements) await sql.raw(write(statement, dialect)).execute(tx);
  },
};
