import { DAY, HOUR } from '#contract/rules/time.ts';
import { buildSubscription } from '../../../db/build-rows.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { newId } from '../../../db/ids.ts';
import { defineSchedule } from '../../../jobs/define-job.ts';
import { failure, type Calendar } from '../../../ports/payments/payments.ts';
import {
  createProviderSubscriptions,
  type ProviderSubscription,
  type ProviderSubscriptions,
} from '../../../ports/payments/provider-subscriptions.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import { appendEntry, buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import { findRunningSubscription, findSubscription } from '../queries.ts';
import { findMethod, keepCard, sealCard } from '../subscriptions/cards.ts';
import {
  compareRenewals,
  creditTime,
  dueOf,
  finishComing,
  listComing,
  lockComing,
  updateComing,
  type ComingRow,
} from './compare-renewals.ts';
import { workThrough } from '../work-through.ts';
import { findCandidates } from './find-candidates.ts';

/** So close to a payment the provider may be making it already, and members need a word before ours. */
const LEAST_MS = 2 * DAY;

/** A month without a difference, and nothing that is due and not compared yet. */
export const isReady = (row: ComingRow, now: number, calendar: Calendar): boolean =>
  row.state === 'shadow' &&
  calendar.addMonths(row.clean_since, 1) <= now &&
  dueOf(row, calendar) > now;

/** Why it must not be ended at the provider now. One whose member is gone may be ended any time. */
async function findObstacle(
  deps: Deps,
  { user_id, state }: ComingRow,
  theirs: ProviderSubscription,
): Promise<string | null> {
  if (user_id === null) return null;
  const [candidate] = state === 'shadow' ? await findCandidates(deps, [theirs]) : [];
  if (candidate?.problem) return candidate.problem;
  if (candidate && candidate.user?.id !== user_id) return 'Another account has its address by now.';
  if (theirs.state === 'other') return `It isn’t simply renewing there (${theirs.status}).`;
  const isSoon = (theirs.nextAt ?? 0) < deps.clock.now() + LEAST_MS;
  return isSoon ? 'It is charged there within two days; try again after that.' : null;
}

/** Before theirs ends, its card and the end of its paid time are ours. Returns the row, or why not. */
async function prepare(
  deps: Deps,
  row: ComingRow,
  theirs: ProviderSubscription,
  isForced: boolean,
): Promise<ComingRow | string> {
  const { database, payments, clock } = deps;
  const now = clock.now();
  const obstacle = await findObstacle(deps, row, theirs);
  const sealed = await sealCard(database.db, row.provider, theirs.card);
  return database.db.transaction().execute(async (tx) => {
    const current = await lockComing(tx, row);
    if (!current || current.state === 'done') return 'It is done.';
    const { user_id: userId, state, method_id } = current;
    // Until it can be ended, the provider goes on charging it, and we go on comparing.
    if (obstacle !== null) await updateComing(tx, current, { state: 'shadow' }, now);
    if (obstacle !== null) return obstacle;
    if (state === 'shadow' && !isForced && !isReady(current, now, payments.calendar))
      return 'Its month in shadow isn’t over, or something differed.';
    const isKept = (state === 'ending' && method_id !== null) || userId === null || !sealed;
    return updateComing(
      tx,
      current,
      {
        state: 'ending',
        method_id: isKept ? method_id : await keepCard(tx, userId, sealed, now),
        // What it has charged so far is in its next date; what it charges from now on is counted.
        ...(theirs.nextAt !== null && { first_at: theirs.nextAt, periods: 0 }),
        watched_since: now,
      },
      now,
    );
  });
}

/** Ours goes on where the time that was paid there ends, and charges then for the first time. */
async function writeOurs(tx: Tx, deps: Deps, row: ComingRow, userId: string): Promise<void> {
  const context = toLedgerContext(deps);
  const { now } = context;
  const { provider, plan, amount } = row;
  const until = Math.max(dueOf(row, context.calendar), now + LEAST_MS);
  const running = await findRunningSubscription(tx, userId);
  // Bought a moment ago: its next payment comes after this time.
  if (running) return creditTime(tx, deps, row, { until, subscription_id: running.id });
  const id = newId(now);
  const method = await findMethod(tx, row.method_id);
  const subscription = buildSubscription({
    id,
    user_id: userId,
    provider,
    plan,
    amount,
    status: 'active',
    period: 1,
    next_at: until,
    started_at: now,
    method_id: method?.state === 'active' ? method.id : null,
  });
  await tx.insertInto('subscriptions').values(subscription).execute();
  const reason = `Continues the subscription at ${provider}.`;
  const facts = { provider, plan, subscription_id: id };
  const entry = buildLedgerEntry('subscribed', now, reason, facts);
  await appendEntry(tx, userId, entry, context);
  await creditTime(tx, deps, row, { until, subscription_id: id });
  const at = (await findSubscription(tx, id))?.next_at ?? until;
  const message = { kind: 'came-over' as const, plan, amount, at };
  await enqueueMessages(tx, deps, userId, [{ key: `came-over:${id}`, message }]);
}

/** Only what the provider itself says to have ended: from then on ours may charge. */
async function startOurs(
  deps: Deps,
  provider: ProviderSubscriptions,
  row: ComingRow,
  theirs: ProviderSubscription,
): Promise<void> {
  if (theirs.state !== 'ended') throw failure('The provider goes on charging a subscription.');
  const charges = await provider.listCharges(theirs, row.watched_since);
  await deps.database.db.transaction().execute(async (tx) => {
    const current = await lockComing(tx, row);
    if (current?.state !== 'ending') return;
    const periods = current.periods + charges.length;
    const now = deps.clock.now();
    const ended = await finishComing(tx, current, periods, now);
    if (ended.user_id !== null) await writeOurs(tx, deps, ended, ended.user_id);
  });
  deps.jobs.wake();
}

/**
 * Ends theirs. Whoever ends it there themselves until then wants no other: it goes back into shadow,
 * where it is left ended. So does what couldn't be ended, unless something else works on it as well.
 */
async function endTheirs(deps: Deps, provider: ProviderSubscriptions, prepared: ComingRow) {
  const { provider_subscription_id: id } = prepared;
  const putBack = () =>
    deps.database.db.transaction().execute(async (tx) => {
      const current = await lockComing(tx, prepared);
      if (current?.user_id && current.updated_at === prepared.updated_at)
        await updateComing(tx, current, { state: 'shadow' }, deps.clock.now());
    });
  const isEnded = async () => (await provider.read(id)).state === 'ended';
  if (await isEnded()) return putBack();
  try {
    await provider.end(id);
  } catch (error) {
    const isKept = !(await isEnded().catch(() => true));
    if (isKept) await putBack();
    throw error;
  }
}

/**
 * First theirs ends, then ours charges. Whoever runs it again goes on where it stopped. Returns why
 * it wasn't taken over; null if it was.
 */
export async function takeOver(
  deps: Deps,
  provider: ProviderSubscriptions,
  row: ComingRow,
  isForced: boolean,
): Promise<string | null> {
  const { db } = deps.database;
  const { provider_subscription_id: id } = row;
  if (row.state === 'shadow') await compareRenewals(deps, provider, row);
  const theirs = await provider.read(id);
  if (theirs.state !== 'ended') {
    const prepared = await prepare(deps, row, theirs, isForced);
    if (typeof prepared === 'string') return prepared;
    // Otherwise we may have asked for its end before, without hearing the answer.
    if (row.state === 'shadow') await endTheirs(deps, provider, prepared);
    else await provider.end(id);
  }
  const current = await db.transaction().execute((tx) => lockComing(tx, row));
  if (current?.state !== 'ending') return 'It has ended there.';
  await startOurs(deps, provider, current, await provider.read(id));
  return null;
}

/** Asks the provider nothing unless an operator has started to bring subscriptions over. */
export const comeOver = defineSchedule({
  name: 'come-over',
  lane: 'payments',
  everyMs: 3 * HOUR,
  run: async (deps: Deps, { signal }) => {
    const rows = await listComing(deps.database.db, deps.payments.name);
    if (rows.length === 0) return;
    const provider = await createProviderSubscriptions(deps.config.payments, deps.clock);
    if (!provider) return;
    await workThrough(deps, rows, signal, async (row) => {
      if (row.state === 'ending') await takeOver(deps, provider, row, true);
      else await compareRenewals(deps, provider, row);
    });
  },
});
