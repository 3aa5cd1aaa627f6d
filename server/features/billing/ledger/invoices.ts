import type { Page, PageQuery } from '#contract/paging.ts';
import {
  FULL_TAX_INVOICE_ABOVE,
  Seller,
  type BuyerDetails,
  type CreditNote,
  type CreditNotePage,
  type Invoice,
  type InvoicePage,
} from '#contract/paying/invoices.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Db } from '../../../db/connect.ts';
import { buildSeller, type Settings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import { CursorNumber, paginate } from '../../../http/route/paginate.ts';
import { toVatPercent } from '#contract/rules/vat.ts';
import type { CreditNoteRow, InvoiceRow } from '../queries.ts';
import { parseCard } from '../subscriptions/cards.ts';

export async function findBuyer(db: Db, userId: string): Promise<BuyerDetails | null> {
  const row = await db
    .selectFrom('buyer_details')
    .select(['name', 'address', 'vat_number'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? { name: row.name, address: row.address, vatNumber: row.vat_number } : null;
}

export const readBuyer = async ({ database }: Deps, userId: string) => ({
  buyer: await findBuyer(database.db, userId),
});

/**
 * For invoices from now on. One that the law wants complete and isn't gets them too: that corrects
 * the document without changing what it says about money.
 */
export async function saveBuyer(
  { database, clock }: Deps,
  userId: string,
  { name, address, vatNumber }: BuyerDetails,
) {
  const values = { name, address, vat_number: vatNumber, updated_at: clock.now() };
  await database.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('buyer_details')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute();
    await tx
      .updateTable('invoices')
      .set({ buyer_name: name, buyer_address: address, buyer_vat_number: vatNumber || null })
      .where('user_id', '=', userId)
      .where('amount', '>', FULL_TAX_INVOICE_ABOVE)
      .where('vat_rate', 'is not', null)
      .where('buyer_address', 'is', null)
      .execute();
  });
  return { buyer: await findBuyer(database.db, userId) };
}

export async function removeBuyer({ database }: Deps, userId: string) {
  await database.db.deleteFrom('buyer_details').where('user_id', '=', userId).execute();
  return { buyer: null };
}

const DIGITS = 6;

export const formatInvoiceNumber = (number: number): string => String(number).padStart(DIGITS, '0');

const PREFIXES = { credit: 'CN', debit: 'DN' } as const;

/** `CN-000001`, or `DN-000001` for a debit note. */
export const formatNoteNumber = ({ kind, number }: Pick<CreditNoteRow, 'kind' | 'number'>) =>
  `${PREFIXES[kind]}-${formatInvoiceNumber(number)}`;

/** For the invoice; null if the settings don't name the seller. */
export function formatSeller(settings: Settings): string | null {
  if (settings.sellerName === '') return null;
  return JSON.stringify(buildSeller(settings));
}

export const presentNote = (row: CreditNoteRow): CreditNote => ({
  id: row.id,
  kind: row.kind,
  number: formatNoteNumber(row),
  at: row.at,
  issuedAt: row.issued_at,
  amount: Math.abs(row.amount),
  reason: row.reason,
});

export const presentInvoice = (row: InvoiceRow, notes: readonly CreditNoteRow[]): Invoice => ({
  id: row.id,
  number: formatInvoiceNumber(row.number),
  at: row.at,
  issuedAt: row.issued_at,
  plan: row.plan,
  months: row.months,
  from: row.from_at,
  to: row.to_at,
  amount: row.amount,
  refunded: row.refunded,
  currency: CURRENCY,
  card: parseCard(row.card),
  status: row.status,
  creditNotes: notes.filter((note) => note.invoice_id === row.id).map(presentNote),
});

/** Whether an invoice with VAT has been issued. */
export async function hasTaxInvoices(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('invoices')
    .select('id')
    .where('vat_rate', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export const selectInvoicesOf = (db: Db, userId: string) =>
  db.selectFrom('invoices').selectAll().where('user_id', '=', userId);

/** Without a user, only one that belongs to no account. */
export const findInvoice = (
  db: Db,
  userId: string | null,
  id: string,
): Promise<InvoiceRow | undefined> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .executeTakeFirst();

/** Oldest first. */
export const listNotesOf = async (
  db: Db,
  invoices: readonly Pick<InvoiceRow, 'id'>[],
): Promise<CreditNoteRow[]> =>
  invoices.length === 0
    ? []
    : db
        .selectFrom('credit_notes')
        .selectAll()
        .where(
          'invoice_id',
          'in',
          invoices.map(({ id }) => id),
        )
        .orderBy('at')
        .orderBy('id')
        .execute();

/** Newest first; numbers only count up. */
export async function listInvoicesOf(
  { database }: Deps,
  userId: string,
  page: PageQuery,
): Promise<Page<Invoice>> {
  const { rows, nextCursor } = await paginate(selectInvoicesOf(database.db, userId), page, {
    orderBy: [['number', CursorNumber]],
  });
  const notes = await listNotesOf(database.db, rows);
  return { items: rows.map((row) => presentInvoice(row, notes)), nextCursor };
}

/** With the buyer's present name, for invoices that don't have the one of their day. */
const selectDocuments = (db: Db) =>
  db
    .selectFrom('invoices')
    .leftJoin('users', 'users.id', 'invoices.user_id')
    .selectAll('invoices')
    .select(['users.username', 'users.email']);

type DocumentRow = InvoiceRow & { username: string | null; email: string | null };

/** Whose documents to look at: a member sees their own, an administrator everyone's. */
type Owner = { userId: string } | 'anyone';

async function findDocument(db: Db, owner: Owner, id: string): Promise<DocumentRow> {
  const query = selectDocuments(db).where('invoices.id', '=', id);
  const row = await (
    owner === 'anyone' ? query : query.where('invoices.user_id', '=', owner.userId)
  ).executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

const unknownSeller = {
  status: '',
  address: '',
  registration: '',
  vatNumber: '',
  phone: '',
  email: '',
};

function presentDocument(
  row: DocumentRow,
  siteName: string,
  part: { amount: number; vat: number },
) {
  const name = row.buyer_name ?? row.username;
  const amount = Math.abs(part.amount);
  const vat = Math.abs(part.vat);
  return {
    description: row.description ?? `Premium, ${row.plan}`,
    seller: row.seller
      ? Seller.parse(JSON.parse(row.seller))
      : { name: siteName, ...unknownSeller },
    buyer:
      name === null
        ? null
        : {
            name,
            email: row.buyer_email ?? row.email ?? '',
            address: row.buyer_address ?? '',
            vatNumber: row.buyer_vat_number ?? '',
          },
    lacksBuyer:
      row.vat_rate !== null && row.amount > FULL_TAX_INVOICE_ABOVE && row.buyer_address === null,
    tax:
      row.vat_rate === null
        ? null
        : { percent: toVatPercent(row.vat_rate), vat, excluding: amount - vat },
  };
}

async function presentInvoicePage(
  { database, config }: Deps,
  row: DocumentRow,
): Promise<InvoicePage> {
  const notes = await listNotesOf(database.db, [row]);
  return { ...presentInvoice(row, notes), ...presentDocument(row, config.siteName, row) };
}

export const getInvoice = async (deps: Deps, userId: string, id: string): Promise<InvoicePage> =>
  presentInvoicePage(deps, await findDocument(deps.database.db, { userId }, id));

/** For whoever has the gift's reference. */
export const getInvoiceOfGift = async (deps: Deps, id: string): Promise<InvoicePage> =>
  presentInvoicePage(deps, await findDocument(deps.database.db, 'anyone', id));

/** For an administrator. */
export async function getMemberInvoice(
  deps: Deps,
  id: string,
): Promise<InvoicePage & { userId: string | null }> {
  const row = await findDocument(deps.database.db, 'anyone', id);
  return { ...(await presentInvoicePage(deps, row)), userId: row.user_id };
}

export async function getCreditNote(
  { database, config }: Deps,
  owner: Owner,
  id: string,
): Promise<CreditNotePage> {
  const note = await database.db
    .selectFrom('credit_notes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!note) throw new AppError('not_found');
  const row = await findDocument(database.db, owner, note.invoice_id);
  return {
    ...presentNote(note),
    currency: CURRENCY,
    invoice: { id: row.id, number: formatInvoiceNumber(row.number), issuedAt: row.issued_at },
    ...presentDocument(row, config.siteName, note),
  };
}
