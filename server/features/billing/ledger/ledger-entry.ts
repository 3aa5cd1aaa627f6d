import { z } from 'zod';
import type { LedgerEntriesTable, LedgerEntryKind } from '../../../db/billing-tables.ts';

/** An entry before it is appended, when it gets its user and its number. */
export type NewLedgerEntry = Omit<LedgerEntriesTable, 'user_id' | 'seq' | 'recorded_at'>;

const defaults = {
  provider: null,
  charge_id: null,
  provider_subscription_id: null,
  plan: null,
  amount: null,
  currency: null,
  days: null,
  months: null,
  until: null,
  detail: null,
  actor: 'system',
};

export const buildLedgerEntry = (
  kind: LedgerEntryKind,
  at: number,
  because: string,
  more: Partial<NewLedgerEntry> = {},
): NewLedgerEntry => ({ ...defaults, kind, at, because, ...more });

/** The detail of a `charge-refused` entry: a checkout was paid with something the user did not agree to. */
const RefusedPurchase = z.object({
  reference: z.string(),
  /** The amount was right, but its coupon was already used up. */
  isCouponSpent: z.boolean().default(false),
});
type RefusedPurchase = z.infer<typeof RefusedPurchase>;

export const formatRefusedPurchase = (purchase: RefusedPurchase): string =>
  JSON.stringify(purchase);

export function parseRefusedPurchase({
  kind,
  detail,
}: Pick<LedgerEntriesTable, 'kind' | 'detail'>): RefusedPurchase | null {
  if (kind !== 'charge-refused' || detail === null) return null;
  return RefusedPurchase.safeParse(JSON.parse(detail)).data ?? null;
}
