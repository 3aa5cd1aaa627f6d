import { z } from 'zod';
import type { LedgerTable } from '../../db/billing-tables.ts';

/** What the ledger keeps of a payment for a checkout that was not the one agreed to. */
const RefusedPurchase = z.object({
  reference: z.string(),
  /** The price was right, but the code it comes from had been used up before. */
  isCodeSpent: z.boolean().default(false),
});
type RefusedPurchase = z.infer<typeof RefusedPurchase>;

export const writeRefusedPurchase = (purchase: RefusedPurchase): string => JSON.stringify(purchase);

export function readRefusedPurchase({
  kind,
  detail,
}: Pick<LedgerTable, 'kind' | 'detail'>): RefusedPurchase | null {
  if (kind !== 'charge-refused' || detail === null) return null;
  return RefusedPurchase.safeParse(JSON.parse(detail)).data ?? null;
}
