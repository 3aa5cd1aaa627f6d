import { lockAccount } from '../queries.ts';
import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Deps } from '../../../deps.ts';
import {
  createProviderSubscriptions,
  type ProviderSubscriptions,
} from '../../../ports/payments/provider-subscriptions.ts';
import { recordAction } from '../../audit/service.ts';
import { askProvider } from '../ask-provider.ts';
import {
  compareRenewals,
  creditTime,
  dueOf,
  listComing,
  listDifferences,
  type ComingRow,
} from './compare-renewals.ts';
import { findCandidates, type Candidate } from './find-candidates.ts';
import { isReady, takeOver } from './take-over.ts';

const joinCells = (...cells: string[]): string => cells.join('  ');
const NOTHING = 'Nothing is in shadow.';

function describeCandidate({ config }: Deps, { theirs, user, problem }: Candidate): string {
  const { id, planId, amount, currency, nextAt, email } = theirs;
  const next = nextAt === null ? 'no date' : formatDate(nextAt, config.timeZone);
  const who = user?.username ?? email ?? 'no address';
  return joinCells(
    id,
    planId,
    formatMoney(amount, currency),
    next,
    who,
    problem ?? 'can come over',
  );
}

async function list(deps: Deps, provider: ProviderSubscriptions): Promise<string[]> {
  const plans = Map.groupBy(await provider.list(), ({ planId }) => planId);
  const lines = [];
  for (const ofPlan of plans.values())
    for (const one of await findCandidates(deps, ofPlan)) lines.push(describeCandidate(deps, one));
  return lines.length > 0 ? lines : ['The provider charges no subscriptions itself.'];
}

/** Writes down what we would charge. The time that is paid there counts here from now on. */
async function startShadow(deps: Deps, { theirs, user }: Candidate): Promise<void> {
  const { plan, nextAt, amount } = theirs;
  if (user === null || plan === null || nextAt === null) return;
  const now = deps.clock.now();
  const row: ComingRow = {
    provider: deps.payments.name,
    provider_subscription_id: theirs.id,
    user_id: user.id,
    state: 'shadow',
    plan,
    amount,
    first_at: nextAt,
    periods: 0,
    watched_since: now,
    clean_since: now,
    equal_renewals: 0,
    differences: '[]',
    method_id: null,
    updated_at: now,
  };
  await deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, user.id);
    const written = await tx
      .insertInto('coming_subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('state')
      .executeTakeFirst();
    if (written) await creditTime(tx, deps, row, { until: nextAt });
  });
}

async function shadow(deps: Deps, provider: ProviderSubscriptions, plans: readonly string[]) {
  const sold = (await provider.list()).filter(({ planId }) => plans.includes(planId));
  const candidates = await findCandidates(deps, sold);
  for (const one of candidates) if (one.problem === null) await startShadow(deps, one);
  return candidates.map((one) =>
    one.problem === null ? joinCells(one.theirs.id, 'in shadow') : describeCandidate(deps, one),
  );
}

async function compare(deps: Deps, provider: ProviderSubscriptions): Promise<string[]> {
  const { database, payments, clock, config } = deps;
  const { db } = database;
  for (const row of await listComing(db, payments.name))
    if (row.state === 'shadow') await compareRenewals(deps, provider, row);
  const lines = (await listComing(db, payments.name)).flatMap((row) => {
    const { provider_subscription_id: id, amount, equal_renewals: equal } = row;
    const next = formatDate(dueOf(row, payments.calendar), config.timeZone);
    const state = isReady(row, clock.now(), payments.calendar) ? 'can be taken over' : row.state;
    const what = `next ${formatMoney(amount, CURRENCY)} on ${next}`;
    const differences = listDifferences(row).map((difference) => `  ${difference}`);
    return [joinCells(id, state, what, `renewals that were the same: ${equal}`), ...differences];
  });
  return lines.length > 0 ? lines : [NOTHING];
}

/** Those that are ready, or those that are named, ready or not. */
async function takeOverAll(deps: Deps, provider: ProviderSubscriptions, named: readonly string[]) {
  const isForced = named.length > 0;
  const rows = await listComing(deps.database.db, deps.payments.name);
  const lines = [];
  for (const row of rows) {
    const { provider_subscription_id: id } = row;
    if (isForced && !named.includes(id)) continue;
    const problem = await takeOver(deps, provider, row, isForced);
    lines.push(joinCells(id, problem ?? 'taken over'));
  }
  return lines.length > 0 ? lines : [NOTHING];
}

const recordCommand = ({ database, clock }: Deps, command: string) =>
  database.db.transaction().execute((tx) =>
    recordAction(
      tx,
      {
        actor: 'console',
        action: 'coming-over.run',
        subject: { kind: 'site' },
        after: { command },
      },
      clock.now(),
    ),
  );

/** The operator's command. Null if it is used wrongly. */
export async function runComingOver(
  deps: Deps,
  [command = '', ...names]: readonly string[],
): Promise<string | null> {
  const provider = await createProviderSubscriptions(deps.config.payments, deps.clock);
  if (!provider) return 'The sandbox charges no subscriptions itself.';
  const commands = new Map(
    names.length > 0
      ? [
          ['shadow', () => shadow(deps, provider, names)],
          ['take-over-now', () => takeOverAll(deps, provider, names)],
        ]
      : [
          ['list', () => list(deps, provider)],
          ['compare', () => compare(deps, provider)],
          ['take-over', () => takeOverAll(deps, provider, [])],
        ],
  );
  const run = commands.get(command);
  if (!run) return null;
  if (command !== 'list') await recordCommand(deps, [command, ...names].join(' '));
  return (await askProvider(deps, run)).join('\n');
}
