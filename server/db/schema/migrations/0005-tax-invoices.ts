import { runStatements, type MigrationSteps } from './migration.ts';

export const taxInvoices: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // What the provider kept of a payment, if it says.
      `alter table ledger_entries add column fee integer`,

      // What an invoice said on its day. Invoices from before have none of it.
      `alter table invoices add column seller text`,
      `alter table invoices add column buyer_name text`,
      `alter table invoices add column buyer_email text`,
      `alter table invoices add column description text`,
      `alter table invoices add column vat_rate integer`,
      `alter table invoices add column vat integer not null default 0`,
      `alter table invoices add column fee integer`,

      // Credit notes and debit notes, each numbered without gaps: an invoice itself never changes.
      `create table credit_notes (
         id text primary key not null,
         kind text not null,
         number integer not null,
         invoice_id text not null references invoices (id),
         at time not null,
         amount integer not null,
         vat integer not null,
         currency text not null,
         reason text not null,
         constraint credit_notes_once unique (kind, number))`,
      `create index credit_notes_by_invoice on credit_notes (invoice_id, at)`,
      `create index credit_notes_by_time on credit_notes (at, id)`,

      // Payments that we didn't accept, and their refunds: money in and out without an invoice.
      `create table refused_payments (
         id text primary key not null,
         provider text not null,
         charge_id text not null,
         at time not null,
         amount integer not null,
         currency text not null,
         fee integer,
         because text not null)`,
      `create index refused_payments_by_charge on refused_payments (provider, charge_id)`,
      `create index refused_payments_by_time on refused_payments (at, id)`,
    ]),
};
