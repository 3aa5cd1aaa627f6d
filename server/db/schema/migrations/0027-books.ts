import { sql, type Transaction } from 'kysely';
import { dayOf } from '#contract/rules/days.ts';
import { runStatements, type MigrationSteps } from './migration.ts';

const BATCH = 500;
const TIME_ZONE = 'Africa/Johannesburg';

async function readSetting(tx: Transaction<unknown>, name: string): Promise<unknown> {
  const { rows } = await sql<{ value: string }>`
    select value from settings where name = ${name}`.execute(tx);
  return rows[0] && JSON.parse(rows[0].value);
}

/** Documents from before are booked on the day of their payment or refund. */
async function fillDays(tx: Transaction<unknown>, table: string, timeZone: string) {
  const { rows } = await sql<{ id: string; at: number | string }>`
    select id, at from ${sql.table(table)} order by id`.execute(tx);
  for (let start = 0; start < rows.length; start += BATCH) {
    const values = rows
      .slice(start, start + BATCH)
      .map(
        ({ id, at }) => sql`(cast(${id} as text), cast(${dayOf(Number(at), timeZone)} as text))`,
      );
    await sql`
      update ${sql.table(table)} set booked_on = days.column2
      from (values ${sql.join(values)}) as days
      where ${sql.table(table)}.id = days.column1`.execute(tx);
  }
}

/** The one rate becomes the first of a list. */
async function moveRate(tx: Transaction<unknown>) {
  const percent = await readSetting(tx, 'vatPercent');
  if (percent === undefined) return;
  const rates = JSON.stringify([{ percent, from: '2018-04-01' }]);
  await sql`
    update settings set name = 'vatRates', value = ${rates} where name = 'vatPercent'`.execute(tx);
}

export const books: MigrationSteps = {
  up: async (tx, dialect) => {
    await runStatements(tx, dialect, [
      // The date of a document, and the calendar day that decides in which month it is booked.
      `alter table invoices add column issued_at time not null default 0`,
      `alter table invoices add column booked_on text not null default ''`,
      `alter table credit_notes add column issued_at time not null default 0`,
      `alter table credit_notes add column booked_on text not null default ''`,
      `alter table refused_payments add column booked_on text not null default ''`,
      // A card check, a late fee or a payment that we didn't accept.
      `alter table refused_payments add column kind text not null default 'payment'`,
      `update invoices set issued_at = at`,
      `update credit_notes set issued_at = at`,
      `alter table invoices add column buyer_address text`,
      `alter table invoices add column buyer_vat_number text`,
      `create table buyer_details (
         user_id text primary key not null references users (id) on delete cascade,
         name text not null,
         address text not null,
         vat_number text not null,
         updated_at time not null)`,
    ]);
    const timeZone = await readSetting(tx, 'timeZone');
    for (const table of ['invoices', 'credit_notes', 'refused_payments'])
      await fillDays(tx, table, typeof timeZone === 'string' ? timeZone : TIME_ZONE);
    await moveRate(tx);
    await runStatements(tx, dialect, [
      `create index invoices_by_booking on invoices (booked_on, number)`,
      `create index credit_notes_by_booking on credit_notes (booked_on, kind, number)`,
      `create index refused_payments_by_booking on refused_payments (booked_on, id)`,
    ]);
  },
};
