import { MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import {
  failure,
  isRefusal,
  isUnauthorized,
  type RefundRequest,
} from '../../../ports/payments/payments.ts';

type RefundDeps = Pick<Deps, 'database' | 'payments' | 'clock'>;

/** Longer than a provider takes to answer, and to show a refund whose answer was lost. */
const LEASE_MS = 1.5 * MINUTE;

/** Returns whether the request is new. Throws while someone else asks for the same refund. */
async function claimRequest(
  { database, payments: { name: provider }, clock }: RefundDeps,
  { chargeId: charge_id, amount, key }: RefundRequest,
): Promise<boolean> {
  const now = clock.now();
  const lease_until = now + LEASE_MS;
  const inserted = await database.db
    .insertInto('refund_requests')
    .values({ provider, charge_id, key, amount, lease_until, requested_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted) return true;
  const claimed = await database.db
    .updateTable('refund_requests')
    .set({ lease_until })
    .where('provider', '=', provider)
    .where('charge_id', '=', charge_id)
    .where('key', '=', key)
    .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<=', now)]))
    .returning('key')
    .executeTakeFirst();
  if (!claimed) throw failure('This refund is under way, and its result isn’t known yet.');
  return false;
}

const releaseRequest = (
  { database, payments }: RefundDeps,
  { chargeId, key }: RefundRequest,
): Promise<unknown> =>
  database.db
    .updateTable('refund_requests')
    .set({ lease_until: null })
    .where('provider', '=', payments.name)
    .where('charge_id', '=', chargeId)
    .where('key', '=', key)
    .execute();

const forgetRequest = (
  { database, payments }: RefundDeps,
  { chargeId, key }: RefundRequest,
): Promise<unknown> =>
  database.db
    .deleteFrom('refund_requests')
    .where('provider', '=', payments.name)
    .where('charge_id', '=', chargeId)
    .where('key', '=', key)
    .execute();

/**
 * Asks the provider for a refund. The request is stored first: two processes never ask for the same
 * refund at once, which not every provider would notice, and a refund made here can be told from one
 * made at the provider. If the answer is lost, the lease lasts until the provider shows the refund.
 */
export async function refundCharge(deps: RefundDeps, request: RefundRequest): Promise<void> {
  const isNew = await claimRequest(deps, request);
  try {
    await deps.payments.refund(request);
  } catch (error) {
    // A refusal of an earlier request may mean that it has been refunded.
    if (isRefusal(error) && isNew) await forgetRequest(deps, request);
    else if (isRefusal(error) || isUnauthorized(error)) await releaseRequest(deps, request);
    throw error;
  }
  await releaseRequest(deps, request);
}

/** The provider has accepted this very request; it may take a while to show the refund. */
export async function isRequested(
  db: Db,
  provider: string,
  { chargeId, key }: Pick<RefundRequest, 'chargeId' | 'key'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('refund_requests')
    .select('lease_until')
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.lease_until === null;
}

/** How much of these charges the site has asked to refund, in cents. */
export async function sumRefundRequests(
  db: Db,
  provider: string,
  chargeIds: readonly string[],
): Promise<Map<string, number>> {
  if (chargeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('refund_requests')
    .select(['charge_id', 'amount'])
    .where('provider', '=', provider)
    .where('charge_id', 'in', [...chargeIds])
    .execute();
  const sums = new Map<string, number>();
  for (const { charge_id, amount } of rows)
    sums.set(charge_id, (sums.get(charge_id) ?? 0) + amount);
  return sums;
}
