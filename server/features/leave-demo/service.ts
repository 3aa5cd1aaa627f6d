import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { StartProblem } from '../../start-problem.ts';
import { recordAction } from '../audit/service.ts';
import {
  hasRealPayments,
  hasSandboxPayments,
  removeSandboxPayments,
} from '../billing/sandbox/service.ts';
import { deleteDemoCode } from '../accounts/service.ts';
import { publishSignal } from '../live/service.ts';
import { endSessions } from '../sessions/service.ts';
import { removeListening } from './remove-listening.ts';

const BECAUSE = 'Made in demo mode.';

const listDemoAccounts = (db: Db) =>
  db.selectFrom('users').select(['id', 'username', 'is_admin']).where('is_demo', '=', 1);

const hasDemoAccounts = async (db: Db): Promise<boolean> =>
  (await listDemoAccounts(db).limit(1).executeTakeFirst()) !== undefined;

/** Test payments would get numbers between those of real invoices. */
async function refuseTestPayments(db: Db): Promise<void> {
  if (await hasRealPayments(db))
    throw new StartProblem(
      'This database has real payments, but PAYMENTS is sandbox, which only takes test cards. Set PAYMENTS to the provider that took them, or use an empty DATA_DIR or database to try things out.',
    );
}

const LIVE_SINCE = 'live-since';

const markAsLive = (db: Db, now: number) =>
  db
    .insertInto('counters')
    .values({ name: LIVE_SINCE, value: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** The demo would add its mixes, listeners and accounts, whose password everyone knows. */
async function refuseLiveSite(db: Db): Promise<void> {
  const live = await db
    .selectFrom('counters')
    .select('name')
    .where('name', '=', LIVE_SINCE)
    .executeTakeFirst();
  if (live)
    throw new StartProblem(
      'This database belongs to a live site, but without its settings this would be a demo. Start with the settings of the site (see docs/operations.md), or use an empty DATA_DIR to try things out.',
    );
}

/**
 * Throws if the site would take real payments with data of the demo: everyone knows the password of
 * its administrator, and test cards have paid for access. Also the other way round: test cards never
 * pay in a database with real payments, and a demo never starts in that of a live site.
 */
export async function refuseDemoData({
  config,
  database,
  clock,
}: Pick<Deps, 'config' | 'database' | 'clock'>): Promise<void> {
  if (config.payments.provider === 'sandbox') {
    await refuseTestPayments(database.db);
    if (config.demo) await refuseLiveSite(database.db);
    return;
  }
  const found = [
    ...((await hasDemoAccounts(database.db)) ? ['demo accounts'] : []),
    ...((await hasSandboxPayments(database.db)) ? ['payments with test cards'] : []),
  ];
  if (found.length === 0) {
    await markAsLive(database.db, clock.now());
    return;
  }
  throw new StartProblem(
    `This database has ${found.join(' and ')}, but PAYMENTS is ${config.payments.provider}. Run “npm run admin -- leave-demo” with the same settings to remove them (mixes and other accounts stay), or use an empty DATA_DIR or database.`,
  );
}

/** The roles that were given, without those taken away later. */
async function listGiven(tx: Tx) {
  const changes = await tx
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'via', 'subject_id'])
    .where('action', 'in', ['admin.created', 'admin.added', 'admin.removed'])
    .orderBy('id')
    .execute();
  return changes.filter(
    ({ action, subject_id }, index) =>
      action !== 'admin.removed' &&
      !changes
        .slice(index)
        .some((later) => later.action === 'admin.removed' && later.subject_id === subject_id),
  );
}

/** Administrators whose role comes from the console or the setup link, directly or through others. */
async function listTrusted(tx: Tx): Promise<Set<string>> {
  const given = await listGiven(tx);
  const trusted = new Set<string>();
  const spread = () =>
    given.filter(({ actor_id, via, subject_id }) => {
      const isGiven = via !== 'web' || trusted.has(actor_id ?? '');
      if (!isGiven || !subject_id || trusted.has(subject_id)) return false;
      trusted.add(subject_id);
      return true;
    });
  while (spread().length > 0);
  return trusted;
}

/** Takes the role from administrators that the demo's administrator made. */
async function demoteAdministrators(tx: Tx, deps: Deps, now: number) {
  const trusted = await listTrusted(tx);
  const administrators = await tx
    .selectFrom('users')
    .select(['id', 'username'])
    .where('is_admin', '=', 1)
    .where('is_demo', '=', 0)
    .orderBy('username')
    .execute();
  const demoted = administrators.filter(({ id }) => !trusted.has(id));
  for (const { id } of demoted) {
    await tx
      .updateTable('users')
      .set({ is_admin: 0, updated_at: now })
      .where('id', '=', id)
      .execute();
    await endSessions(tx, deps, id, 'account disabled');
    const subject = { kind: 'user' as const, id };
    const change = { before: { isAdmin: true }, after: { isAdmin: false } };
    const action = { actor: 'console' as const, action: 'admin.removed', subject, ...change };
    await recordAction(tx, { ...action, because: BECAUSE }, now);
    await publishSignal(tx, `user:${id}`, now);
  }
  return demoted;
}

/** In demo mode every mail is in the outbox, where the demo's administrators read its links. */
async function removeLinks(tx: Tx) {
  for (const table of ['outbox', 'password_resets', 'email_links'] as const)
    await tx.deleteFrom(table).execute();
  // So nobody has shown that an address is theirs, except those that the operator entered.
  await tx
    .updateTable('users')
    .set({ email_verified_at: null })
    .where('is_admin', '=', 0)
    .execute();
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/**
 * Makes a database of demo mode one of production: removes the demo accounts, the roles they gave,
 * everything that test cards paid for, and all plays and figures. Mixes, uploads, settings and other
 * accounts stay.
 */
export async function leaveDemo(deps: Deps): Promise<string> {
  const { config, database, clock, payments } = deps;
  const now = clock.now();
  const removed = await database.db.transaction().execute(async (tx) => {
    const accounts = await listDemoAccounts(tx).execute();
    const demoted = await demoteAdministrators(tx, deps, now);
    const administrators = [...accounts.filter(({ is_admin }) => is_admin === 1), ...demoted];
    const paid = await removeSandboxPayments(
      tx,
      administrators.map(({ id }) => id),
      { calendar: payments.calendar, timeZone: config.timeZone },
    );
    await tx.deleteFrom('users').where('is_demo', '=', 1).execute();
    await removeListening(tx);
    await removeLinks(tx);
    await deleteDemoCode(tx);
    await recordAction(
      tx,
      {
        actor: 'console',
        action: 'site.left-demo',
        subject: { kind: 'site' },
        after: { accounts: accounts.length, administrators: demoted.length, payers: paid },
      },
      now,
    );
    return { accounts, demoted, paid };
  });
  return [
    `Removed ${count(removed.accounts.length, 'demo account')}, the test payments of ${count(removed.paid, 'user')}, and all plays and figures. Mixes, uploads and settings are unchanged.`,
    ...removed.demoted.map(
      ({ username }) =>
        `${username} became an administrator in demo mode and no longer is one. To change that: npm run admin -- promote ${username}`,
    ),
  ].join('\n');
}
