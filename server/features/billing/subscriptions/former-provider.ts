import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { REFERENCE_PREFIX } from '../../../ports/payments/payments.ts';
import { nameProvider, openIssue, unknownChargeKey } from '../../payment-issues/service.ts';
import { updatePayment } from '../checkout/open-page.ts';
import { PAGE_MS } from '../checkout/settle-payment.ts';
import type { PaymentRow } from '../queries.ts';

/** A payment that only the provider’s own pages can explain. */
export const openUnknownIssue = (
  tx: Tx,
  { provider, reference, reason }: Pick<PaymentRow, 'provider' | 'reference'> & { reason: string },
  now: number,
) =>
  openIssue(
    tx,
    {
      key: unknownChargeKey(provider, reference),
      kind: 'unknown-charge',
      provider,
      reference,
      reason,
    },
    now,
  );

/** An issue names no more references. */
const MAX_NAMED = 20;

function describePages(provider: string, references: readonly string[]): string {
  const more = references.length - MAX_NAMED;
  const rest = more > 0 ? `, and ${more} more that begin with “${REFERENCE_PREFIX}”` : '';
  const pages = references.length === 1 ? 'A payment page was' : 'Payment pages were';
  return `${pages} still open when the site changed its payment provider, and may have been paid there. Look at ${nameProvider(provider)} for ${references.slice(0, MAX_NAMED).join(', ')}${rest}; if money arrived, refund it there.`;
}

/** All pages of a provider at once, when the newest is over: one issue, however many there were. */
async function closePages(tx: Tx, { payments, clock }: Deps): Promise<void> {
  const now = clock.now();
  const providers = await tx
    .selectFrom('payments')
    .select('provider')
    .where('provider', '<>', payments.name)
    .where('state', '=', 'open')
    .groupBy('provider')
    .having((having) => having.fn.max('created_at'), '<=', now - PAGE_MS)
    .execute();
  for (const { provider } of providers) {
    const closed = await tx
      .updateTable('payments')
      .set({ state: 'expired', check_at: null, updated_at: now })
      .where('provider', '=', provider)
      .where('state', '=', 'open')
      .returning('reference')
      .execute();
    const references = closed.map(({ reference }) => reference).toSorted();
    const [reference] = references;
    if (reference === undefined) continue;
    const reason = describePages(provider, references);
    await openUnknownIssue(tx, { provider, reference, reason }, now);
  }
}

/**
 * Nobody reads the payments of a provider that was in use before. Its pages close like any other, and
 * whatever may have moved money is an issue. One that we asked for stays so: it may have been charged.
 */
export async function closeForeignPages(tx: Tx, deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await closePages(tx, deps);
  const rows = await tx
    .selectFrom('payments')
    .selectAll()
    .where('provider', '<>', deps.payments.name)
    .where('state', 'in', ['asked', 'pending'])
    .where('created_at', '<=', now - PAGE_MS)
    .orderBy('reference')
    .execute();
  for (const row of rows) {
    const reason = `A payment (${row.reference}) was on its way when the site changed its payment provider. Look it up at ${nameProvider(row.provider)}; if the money arrived, refund it there.`;
    await openUnknownIssue(tx, { ...row, reason }, now);
    if (row.state !== 'asked')
      await updatePayment(tx, row, { state: 'expired', check_at: null }, now);
  }
}
