import type { Tx } from '../../db/connect.ts';
import type { Calendar } from '../../ports/payments/payments.ts';
import { holdAccount } from './account.ts';
import { newEvent, type NewEvent } from './ledger-event.ts';
import { listLedger } from './queries.ts';
import { recordEvents } from './record.ts';

type Place = { now: number; calendar: Calendar };

async function record(tx: Tx, userId: string, event: NewEvent, place: Place) {
  await holdAccount(tx, userId);
  const ledger = await listLedger(tx, userId);
  return recordEvents(tx, { userId, ledger }, [event], place);
}

/** Access that nobody pays for: given by whoever runs the site, or to an account of the demo. */
export const grantUntil = (
  tx: Tx,
  userId: string,
  { until, because, actor }: { until: number; because: string; actor: string },
  place: Place,
) => record(tx, userId, newEvent('grant', place.now, because, { until, actor }), place);

/** At once and without grace: everything that was paid for or given until now stops counting. */
export const endAccess = (
  tx: Tx,
  userId: string,
  { because, actor }: { because: string; actor: string },
  place: Place,
) => record(tx, userId, newEvent('end', place.now, because, { actor }), place);
