import { z } from 'zod';
import type { Invoice, InvoicePage } from '#contract/billing.ts';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import type { Viewer } from '../../http/guards.ts';
import { findInvoice, listInvoices, type InvoiceRow } from './queries.ts';
import { readCard } from './terms.ts';

const DIGITS = 6;

export const writeInvoiceNumber = (number: number): string => String(number).padStart(DIGITS, '0');

const presentInvoice = (row: InvoiceRow): Invoice => ({
  id: row.id,
  number: writeInvoiceNumber(row.number),
  at: row.at,
  plan: row.plan,
  from: row.from_at,
  to: row.to_at,
  amount: row.amount,
  refunded: row.refunded,
  currency: CURRENCY,
  card: readCard(row.card),
  status: row.status,
});

export const readInvoices = (deps: Deps, viewer: Viewer, page: PageQuery) =>
  readInvoicesOf(deps, viewer.user.id, page);

export async function readInvoicesOf(
  { database }: Deps,
  userId: string,
  { cursor, limit = DEFAULT_PAGE_SIZE }: PageQuery,
): Promise<{ items: Invoice[]; nextCursor: string | null }> {
  const rows = await listInvoices(database.db, userId, {
    below: cursor ? decodeCursor(z.int(), cursor) : null,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(presentInvoice),
    nextCursor: last ? encodeCursor(last.number) : null,
  };
}

export async function readInvoice(
  { database, config }: Deps,
  viewer: Viewer,
  id: string,
): Promise<z.output<typeof InvoicePage>> {
  const row = await findInvoice(database.db, viewer.user.id, id);
  if (!row) throw new AppError('not_found');
  const { username, email } = viewer.user;
  return { ...presentInvoice(row), seller: config.siteName, buyer: { username, email } };
}
