import type { Tx } from '../../db/connect.ts';
import { holdAccount } from './account.ts';
import { requestEnd } from './leavers.ts';
import { newEvent, type NewEvent } from './ledger-event.ts';
import { listAgreementsOf, listLedger, type LedgerRow } from './queries.ts';
import { recordEvents, type Place } from './record.ts';

async function record(tx: Tx, userId: string, event: NewEvent, place: Place) {
  await holdAccount(tx, userId);
  const ledger = await listLedger(tx, userId);
  await recordEvents(tx, { userId, ledger }, [event], place);
}

/** Access that nobody pays for: given by whoever runs the site, or to an account of the demo. */
export const grantUntil = (
  tx: Tx,
  userId: string,
  { until, because, actor }: { until: number; because: string; actor: string },
  place: Place,
) => record(tx, userId, newEvent('grant', place.now, because, { until, actor }), place);

/**
 * At once and without grace: everything that was paid for or given until now stops counting, and
 * nothing more is charged.
 */
export async function endAccess(
  tx: Tx,
  userId: string,
  { because, actor }: { because: string; actor: string },
  place: Place,
) {
  await record(tx, userId, newEvent('end', place.now, because, { actor }), place);
  for (const { provider, agreement_id: agreementId, status } of await listAgreementsOf(tx, userId))
    if (status === 'active' || status === 'late')
      await requestEnd(tx, { provider, agreementId }, place.now);
}

/** The first line in the ledger of an account that is made with access, for many at once. */
export const firstGrant = (
  userId: string,
  { until, because, now }: { until: number; because: string; now: number },
): LedgerRow => ({
  ...newEvent('grant', now, because, { until }),
  user_id: userId,
  seq: 1,
  recorded_at: now,
});
