import { sql } from 'kysely';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { CreditNotesTable } from '../../db/types/books-tables.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';

const BATCH_SIZE = 500;

/** In batches, so that memory holds one of them however long the table is. */
async function* readBatches<Row>(
  readBatch: (last: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ;) {
    const rows: Row[] = await readBatch(last, BATCH_SIZE);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < BATCH_SIZE) return;
  }
}

type Numbers = { first: number | null; last: number | null };

const numbers = [
  sql<number | null>`min(number)`.as('first'),
  sql<number | null>`max(number)`.as('last'),
] as const;

const findInvoiceNumbers = (db: Db, { from, to }: DayRange): Promise<Numbers> =>
  db
    .selectFrom('invoices')
    .select(numbers)
    .where('booked_on', '>=', from)
    .where('booked_on', '<=', to)
    .executeTakeFirstOrThrow();

const findNoteNumbers = (
  db: Db,
  { from, to }: DayRange,
  kind: CreditNotesTable['kind'],
): Promise<Numbers> =>
  db
    .selectFrom('credit_notes')
    .select(numbers)
    .where('booked_on', '>=', from)
    .where('booked_on', '<=', to)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();

const listInvoices = (db: Db, { from, to }: DayRange, first: number, last: number, limit: number) =>
  db
    .selectFrom('invoices')
    .leftJoin('users', 'users.id', 'invoices.user_id')
    .selectAll('invoices')
    .select(['users.username', 'users.email'])
    .where('invoices.number', '>=', first)
    .where('invoices.number', '<=', last)
    .where('invoices.booked_on', '>=', from)
    .where('invoices.booked_on', '<=', to)
    .orderBy('invoices.number')
    .limit(limit)
    .execute();

const listNotes = (
  db: Db,
  { from, to }: DayRange,
  { kind, first, last }: { kind: CreditNotesTable['kind']; first: number; last: number },
  limit: number,
) =>
  db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
    .leftJoin('users', 'users.id', 'invoices.user_id')
    .selectAll('credit_notes')
    .select(['invoices.number as invoice_number', 'invoices.vat_rate', 'invoices.description'])
    .select(['invoices.provider', 'invoices.charge_id', 'invoices.plan'])
    .select(['invoices.buyer_name', 'invoices.buyer_email', 'users.username', 'users.email'])
    .select(['invoices.buyer_address', 'invoices.buyer_vat_number'])
    .where('credit_notes.kind', '=', kind)
    .where('credit_notes.number', '>=', first)
    .where('credit_notes.number', '<=', last)
    .where('credit_notes.booked_on', '>=', from)
    .where('credit_notes.booked_on', '<=', to)
    .orderBy('credit_notes.number')
    .limit(limit)
    .execute();

const listRefused = (
  db: Db,
  { from, to }: DayRange,
  after: [string, string] | null,
  limit: number,
) =>
  db
    .selectFrom('refused_payments')
    .selectAll()
    .where('booked_on', '<=', to)
    .where(startAfter(['booked_on', 'id'], after, from))
    .orderBy('booked_on')
    .orderBy('id')
    .limit(limit)
    .execute();

export type InvoiceDocument = Awaited<ReturnType<typeof listInvoices>>[number];
export type NoteDocument = Awaited<ReturnType<typeof listNotes>>[number];

/** By number, which is also the order of their dates. */
export async function* readInvoices(db: Db, period: DayRange): AsyncGenerator<InvoiceDocument> {
  const { first, last } = await findInvoiceNumbers(db, period);
  if (first === null || last === null) return;
  yield* readBatches<InvoiceDocument>((before, limit) =>
    listInvoices(db, period, before ? before.number + 1 : first, last, limit),
  );
}

/** Credit notes by number, then debit notes. */
export async function* readNotes(db: Db, period: DayRange): AsyncGenerator<NoteDocument> {
  for (const kind of ['credit', 'debit'] as const) {
    const { first, last } = await findNoteNumbers(db, period, kind);
    if (first === null || last === null) continue;
    yield* readBatches<NoteDocument>((before, limit) =>
      listNotes(db, period, { kind, first: before ? before.number + 1 : first, last }, limit),
    );
  }
}

export const readRefused = (db: Db, period: DayRange) =>
  readBatches<Awaited<ReturnType<typeof listRefused>>[number]>((before, limit) =>
    listRefused(db, period, before ? [before.booked_on, before.id] : null, limit),
  );

type BuyerRow = Pick<
  InvoiceDocument,
  'buyer_name' | 'buyer_email' | 'buyer_address' | 'buyer_vat_number' | 'username' | 'email'
>;

/** As on the invoice; an old invoice has the present name, and a deleted account none. */
export const toBuyer = (row: BuyerRow) => ({
  name: row.buyer_name ?? row.username ?? 'Deleted account',
  email: row.buyer_email ?? row.email ?? '',
  address: row.buyer_address?.split('\n') ?? [],
  vatNumber: row.buyer_vat_number ?? '',
});
