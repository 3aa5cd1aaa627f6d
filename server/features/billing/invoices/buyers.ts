import { FULL_TAX_INVOICE_ABOVE, type BuyerDetails } from '#contract/paying/invoices.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';

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
