import { monthsOf } from '#contract/rules/plans.ts';
import { buildUser } from '../db/build-rows.ts';
import type { LedgerEntriesTable } from '../db/types/billing-tables.ts';
import {
  buildLedgerEntry,
  type NewLedgerEntry,
  appendLedgerEntries,
} from '../features/billing/ledger/ledger-entries.ts';
import type { Random } from './random.ts';
import type { TestApp } from './test-app.ts';
import { DAY } from '#contract/rules/time.ts';

const START = Date.UTC(2026, 0, 31, 20);
const MEMBERS = 14;

/** Renewals on time, late or never, both plans, partial and full refunds, disputes, gifts. */
function buildHistory(test: TestApp, random: Random, id: string): NewLedgerEntry[] {
  const plan = random.pick(['monthly', 'monthly', 'annual'] as const);
  const amount = plan === 'annual' ? 790_00 : random.pick([79_00, 39_50]);
  const of = {
    provider: 'sandbox',
    subscription_id: `${id}-a`,
    plan,
    amount,
    currency: 'ZAR',
  };
  const events: NewLedgerEntry[] = [];
  let at = START + random.below(200) * DAY + random.below(DAY);
  for (let n = 1 + random.below(8); n > 0 && at < test.clock.now(); n -= 1) {
    const charge = { ...of, charge_id: `${id}-${n}` };
    events.push(buildLedgerEntry('charge', at, 'Paid.', charge));
    const later = at + random.below(20) * DAY;
    const luck = random.below(14);
    if (luck === 0)
      events.push(buildLedgerEntry('refund', later, 'Back.', { ...charge, amount: 10_00 }));
    if (luck <= 1) events.push(buildLedgerEntry('refund', later + DAY, 'Back.', charge));
    if (luck === 2) events.push(buildLedgerEntry('dispute', later, 'Held.', charge));
    if (luck === 2) events.push(buildLedgerEntry('dispute-won', later + DAY, 'Ours.', charge));
    if (luck === 3) events.push(buildLedgerEntry('gift', later, 'Gift.', { months: 1 }));
    if (luck === 4) events.push(buildLedgerEntry('trial', at - 3 * DAY, 'Trial.', { days: 3 }));
    const next = test.deps.payments.calendar.addMonths(at, monthsOf(plan));
    at = next + random.pick([0, 0, 0, 2, 5, 40]) * DAY;
  }
  return events;
}

export async function recordHistory(
  { deps, clock }: TestApp,
  userId: string,
  events: readonly NewLedgerEntry[],
) {
  const place = {
    now: clock.now(),
    calendar: deps.payments.calendar,
    timeZone: deps.config.timeZone,
  };
  let known: LedgerEntriesTable[] = [];
  for (const event of events)
    await deps.database.db.transaction().execute(async (tx) => {
      const written = await appendLedgerEntries(tx, { userId, ledger: known }, [event], place);
      known = written.ledger;
    });
}

/** Users with random payments. Returns their ledgers, user by user. */
export async function payAtRandom(test: TestApp, random: Random): Promise<LedgerEntriesTable[]> {
  const { db } = test.deps.database;
  const now = test.clock.now();
  for (let index = 0; index < MEMBERS; index += 1) {
    const id = `member-${index}`;
    await db
      .insertInto('users')
      .values(buildUser({ id, created_at: now }))
      .execute();
    await recordHistory(test, id, buildHistory(test, random, id));
  }
  return db.selectFrom('ledger_entries').selectAll().orderBy('user_id').orderBy('seq').execute();
}
