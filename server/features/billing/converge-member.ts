import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { readGraceMs } from '../../http/access-policy.ts';
import { enqueue } from '../../jobs/queue.ts';
import { AccountMoved, claimAccount, openAccount, type Account } from './account.ts';
import { planCheck } from './plan-check.ts';
import { converge } from './converge.ts';
import { settleCoupons } from './coupon-uses.ts';
import type { NewEvent } from './ledger-event.ts';
import { enqueueMessages } from './message-jobs.ts';
import { planMessages } from './plan-messages.ts';
import { findPaidThrough } from './paid-through.ts';
import { findCheckout, type AgreementRow, type CheckoutRow } from './queries.ts';
import { readTruth, type Hints } from './read-truth.ts';
import { recordEvents } from './record.ts';
import { settleKey, settleMemberRequest } from './requests.ts';
import type { Outcome } from './truth.ts';

/** Why something happened, where somebody here asked for it. */
export type Intent = Pick<NewEvent, 'kind' | 'because' | 'actor' | 'detail'>;

const MOST_TRIES = 6;

async function writeRows(tx: Tx, { checkouts, agreements }: Outcome) {
  // Only what is decided here: others write the rest of the row at the same time.
  for (const { reference, state, customer_id, agreement_id, updated_at } of checkouts)
    await tx
      .updateTable('checkouts')
      .set({ state, customer_id, agreement_id, updated_at })
      .where('reference', '=', reference)
      .execute();
  for (const row of agreements)
    await tx
      .insertInto('agreements')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
}

const mergeRows = (known: readonly AgreementRow[], changed: readonly AgreementRow[]) => {
  const rows = new Map(known.map((row) => [row.id, row]));
  for (const row of changed) rows.set(row.id, row);
  return [...rows.values()];
};

/** Who owes a payment and cancels has nothing left to use up: some providers end it at once. */
const isMeant = (event: NewEvent, intent: Intent): boolean =>
  event.kind === intent.kind || (intent.kind === 'cancelled' && event.kind === 'ended');

const withIntent = (events: readonly NewEvent[], intent: Intent | undefined): NewEvent[] =>
  events.map((event) => (intent && isMeant(event, intent) ? { ...event, ...intent } : event));

/** All of it or nothing, and only while what it was decided on still holds. */
async function writeOutcome(
  deps: Deps,
  tx: Tx,
  account: Account,
  { outcome, graceMs }: { outcome: Outcome; graceMs: number },
): Promise<void> {
  const { calendar } = deps.payments;
  const now = deps.clock.now();
  const { userId, known } = account;
  const agreements = mergeRows(known.agreements, outcome.agreements);
  const isChanged =
    outcome.events.length + outcome.checkouts.length + outcome.agreements.length > 0;
  let recorded = {
    ledger: [...known.ledger],
    paidThrough: findPaidThrough(known.ledger, calendar),
  };
  if (isChanged) {
    await claimAccount(tx, account);
    await writeRows(tx, outcome);
    await settleCoupons(tx, outcome.checkouts, now);
    recorded = await recordEvents(tx, { userId, ledger: known.ledger }, outcome.events, {
      now,
      calendar,
      timeZone: deps.config.timeZone,
    });
  }
  const events = recorded.ledger.slice(known.ledger.length);
  const { paidThrough } = recorded;
  const { ledger } = recorded;
  const provider = deps.payments.name;
  const dates = { paidThrough, now, graceMs, calendar };
  const messages = planMessages({ events, ledger, agreements, provider, ...dates });
  await enqueueMessages(tx, userId, messages, now);
  for (const row of agreements)
    await tx
      .updateTable('agreements')
      .set({ check_at: planCheck(row, now, calendar) })
      .where('id', '=', row.id)
      .execute();
  if (outcome.hasToUnwind)
    await enqueue(tx, settleMemberRequest, { userId }, { now, uniqueKey: settleKey(userId) });
}

async function findExtra(db: Db, hints: Hints, userId: string): Promise<CheckoutRow[]> {
  const rows: CheckoutRow[] = [];
  for (const reference of hints.references ?? []) {
    const row = await findCheckout(db, reference);
    if (row?.user_id === userId) rows.push(row);
  }
  return rows;
}

/**
 * Asks the provider what is true of a member and writes down what was not known. It may run any
 * number of times, at once or after a crash at any point: the result is the same.
 */
export async function convergeMember(
  deps: Deps,
  userId: string,
  { hints = {}, intent }: { hints?: Hints; intent?: Intent } = {},
): Promise<void> {
  const { database, payments, clock } = deps;
  const { db } = database;
  const graceMs = await readGraceMs(deps);
  for (let attempt = 1; ; attempt += 1) {
    const account = await openAccount(db, userId, await findExtra(db, hints, userId));
    const truth = await readTruth({ db, payments, now: clock.now() }, account, hints);
    const moment = { now: clock.now(), provider: payments.name };
    const found = converge(account.known, truth, moment);
    const outcome = { ...found, events: withIntent(found.events, intent) };
    try {
      await db.transaction().execute((tx) => writeOutcome(deps, tx, account, { outcome, graceMs }));
      break;
    } catch (error) {
      if (!(error instanceof AccountMoved) || attempt >= MOST_TRIES) throw error;
    }
  }
  deps.jobs.wake();
}
