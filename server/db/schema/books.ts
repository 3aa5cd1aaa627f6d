import type { Statement } from './migrations/migration.ts';

/** Documents with numbers, and what the months of the books consist of. */
export const books: Statement[] = [
  // One invoice per charge, as it was said on its day. `booked_on` is the calendar day that decides
  // in which month it is booked. A payment for some months has no plan.
  `create table invoices (
     id text primary key not null,
     number integer not null unique,
     user_id text references users (id) on delete set null,
     provider text not null,
     charge_id text not null,
     plan text,
     months integer,
     at time not null,
     issued_at time not null,
     booked_on text not null,
     from_at time not null,
     to_at time not null,
     amount integer not null,
     refunded integer not null,
     vat_rate integer,
     vat integer not null,
     fee integer,
     currency text not null,
     card text,
     status text not null,
     seller text,
     buyer_name text,
     buyer_email text,
     buyer_address text,
     buyer_vat_number text,
     description text,
     constraint invoices_once unique (provider, charge_id))`,
  `create index invoices_by_user on invoices (user_id, number)`,
  `create index invoices_by_time on invoices (at, id)`,
  `create index invoices_by_booking on invoices (booked_on, number)`,

  // Credit notes and debit notes, each numbered without gaps: an invoice itself never changes.
  `create table credit_notes (
     id text primary key not null,
     kind text not null,
     number integer not null,
     invoice_id text not null references invoices (id),
     at time not null,
     issued_at time not null,
     booked_on text not null,
     amount integer not null,
     vat integer not null,
     currency text not null,
     reason text not null,
     constraint credit_notes_once unique (kind, number))`,
  `create index credit_notes_by_invoice on credit_notes (invoice_id, at)`,
  `create index credit_notes_by_time on credit_notes (at, id)`,
  `create index credit_notes_by_booking on credit_notes (booked_on, kind, number)`,

  // Money in and out without an invoice: payments that we didn't accept and their refunds, card
  // checks, late fees.
  `create table refused_payments (
     id text primary key not null,
     kind text not null,
     provider text not null,
     charge_id text not null,
     at time not null,
     booked_on text not null,
     amount integer not null,
     currency text not null,
     fee integer,
     because text not null)`,
  `create index refused_payments_by_charge on refused_payments (provider, charge_id)`,
  `create index refused_payments_by_time on refused_payments (at, id)`,
  `create index refused_payments_by_booking on refused_payments (booked_on, id)`,

  // What a member wants on their invoices.
  `create table buyer_details (
     user_id text primary key not null references users (id) on delete cascade,
     name text not null,
     address text not null,
     vat_number text not null,
     updated_at time not null)`,
];
