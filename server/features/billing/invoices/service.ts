import type { z } from 'zod';
import type { Invoice, InvoicePage } from '#contract/billing.ts';
import type { PageQuery } from '#contract/paging.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { CursorNumber, paginate } from '../../../http/paginate.ts';
import type { InvoiceRow } from '../queries.ts';
import { parseCard } from '../subscription/present-subscription.ts';

const DIGITS = 6;

export const formatInvoiceNumber = (number: number): string => String(number).padStart(DIGITS, '0');

const presentInvoice = (row: InvoiceRow): Invoice => ({
  id: row.id,
  number: formatInvoiceNumber(row.number),
  at: row.at,
  plan: row.plan,
  from: row.from_at,
  to: row.to_at,
  amount: row.amount,
  refunded: row.refunded,
  currency: CURRENCY,
  card: parseCard(row.card),
  status: row.status,
});

export const selectInvoicesOf = (db: Db, userId: string) =>
  db.selectFrom('invoices').selectAll().where('user_id', '=', userId);

export const findInvoice = (db: Db, userId: string, id: string): Promise<InvoiceRow | undefined> =>
  selectInvoicesOf(db, userId).where('id', '=', id).executeTakeFirst();

/** Newest first; numbers only count up. */
export async function listInvoicesOf(
  { database }: Deps,
  userId: string,
  page: PageQuery,
): Promise<{ items: Invoice[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await paginate(selectInvoicesOf(database.db, userId), page, {
    orderBy: [['number', CursorNumber]],
  });
  return { items: rows.map(presentInvoice), nextCursor };
}

export async function getInvoice(
  { database, config }: Deps,
  viewer: Viewer,
  id: string,
): Promise<z.output<typeof InvoicePage>> {
  const row = await findInvoice(database.db, viewer.user.id, id);
  if (!row) throw new AppError('not_found');
  const { username, email } = viewer.user;
  return { ...presentInvoice(row), seller: config.siteName, buyer: { username, email } };
}
