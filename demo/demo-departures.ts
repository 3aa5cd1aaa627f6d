import { createRandom } from '#contract/rules/random.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Tx } from '#server/db/connect.ts';
import { recordDeparture, type Leaving } from '#server/features/departures/service.ts';
import type { DemoPayments } from './demo-payments.ts';

const SAID: readonly Leaving[] = [
  { way: 'cancelled', reason: 'too-expensive', comment: 'Back when I have a job again.' },
  { way: 'cancelled', reason: 'only-for-a-while', comment: 'Got it for the road trip. Worth it!' },
  { way: 'cancelled', reason: 'not-enough-music', comment: 'More amapiano please.' },
  { way: 'cancelled', reason: 'technical-problems', comment: 'Kept stopping in the taxi.' },
  { way: 'cancelled', reason: 'too-expensive' },
  { way: 'cancelled', reason: 'another-service' },
  { way: 'cancelled' },
  { way: 'cancelled' },
  { way: 'unpaid' },
  { way: 'unpaid' },
];

/** Those who paid for some months only have left, each for a reason. */
export async function addDemoDepartures(
  tx: Tx,
  payments: readonly DemoPayments[],
  { seed, now, timeZone }: { seed: number; now: number; timeZone: string },
): Promise<void> {
  const random = createRandom(seed);
  for (const { listenerId, ledger } of payments) {
    const [first, last] = [ledger[0], ledger.at(-1)];
    if (first?.kind !== 'charge' || last?.kind !== 'charge' || last.plan === null) continue;
    const at = Math.min(now, last.at + Math.round((2 + random() * 28) * DAY));
    const subscription = {
      id: `demo-${listenerId}`,
      user_id: listenerId,
      plan: last.plan,
      started_at: first.at,
    };
    const left = SAID[Math.floor(random() * SAID.length)] ?? { way: 'cancelled' };
    await recordDeparture(tx, subscription, left, { now: at, timeZone, endsAt: at });
  }
}
