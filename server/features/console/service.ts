import { Email, NewPassword, Username } from '#contract/accounts.ts';
import type { Deps } from '../../deps.ts';
import { newToken } from '../../http/route/tokens.ts';
import { hashPassword } from '../../background/passwords.ts';
import {
  createAdministrator,
  findPasswordProblem,
  findUserByLogin,
  createResetLink,
  resetProtection,
  startGrace,
  toAccountKey,
} from '../accounts/service.ts';
import { recordAction } from '../audit/service.ts';
import { runComingOver } from '../billing/coming-over/service.ts';
import { listRenewals } from '../billing/subscriptions/service.ts';
import { changeAdmin } from '../subscribers/service.ts';
import { formatDay } from '#contract/rules/format.ts';
import { DAY } from '#contract/rules/time.ts';

/** A problem with a command; its message says what to do. */
export class ConsoleProblem extends Error {
  override name = 'ConsoleProblem';
}

const ADMIN_USAGE = `Usage:
  npm run admin -- create <username> <e-mail>
  npm run admin -- promote <username or e-mail>
  npm run admin -- demote <username or e-mail>
  npm run admin -- reset-password <username or e-mail>
  npm run admin -- reset-two-step <username or e-mail>
  npm run admin -- extend-grace <username or e-mail>
  npm run admin -- renewals <days, at most 28>
  npm run admin -- coming-over list
  npm run admin -- coming-over shadow <plan of the provider> …
  npm run admin -- coming-over compare
  npm run admin -- coming-over take-over
  npm run admin -- coming-over take-over-now <subscription of the provider> …
The command asks for the password or prints a link to set it; never pass a password as an argument.`;

const LINK_MS = DAY;
const reason = 'Run on the server console.';

export type Console = {
  /** Null without a terminal: the command then prints a link. */
  askPassword: (() => Promise<string>) | null;
};

function check<T>(
  schema: { safeParse: (text: unknown) => { data?: T; error?: { issues: { message: string }[] } } },
  text: string,
  what: string,
): T {
  const { data, error } = schema.safeParse(text);
  if (data === undefined) throw new ConsoleProblem(`Invalid ${what}: ${error?.issues[0]?.message}`);
  return data;
}

async function requireUser({ database }: Deps, name: string) {
  const user = await findUserByLogin(database.db, toAccountKey(name));
  if (!user) throw new ConsoleProblem(`Account "${name}" not found.`);
  return user;
}

const describeLink = (link: string, username: string) =>
  `Open this link within 24 hours to set the password of ${username}:\n${link}`;

async function create(deps: Deps, { askPassword }: Console, name: string, address: string) {
  const username = check(Username, name, 'username');
  const email = check(Email, address, 'e-mail address');
  const password = askPassword ? check(NewPassword, await askPassword(), 'password') : null;
  const { siteName } = deps.config;
  const problem = password && (await findPasswordProblem(password, { siteName, username, email }));
  if (problem) throw new ConsoleProblem(`Invalid password: ${problem}`);
  // Without a password, a random one that the link replaces.
  const passwordHash = await hashPassword(password ?? newToken(), deps.passwordCost);
  const now = deps.clock.now();
  return deps.database.db.transaction().execute(async (tx) => {
    const user = await createAdministrator(tx, deps, { username, email, passwordHash });
    const subject = { kind: 'user' as const, id: user.id };
    await recordAction(tx, { actor: 'console', action: 'admin.created', subject, reason }, now);
    if (password !== null) return `${username} is an administrator and can log in.`;
    const link = await createResetLink(tx, deps, { userId: user.id, validMs: LINK_MS });
    return `${username} is an administrator.\n${describeLink(link, username)}`;
  });
}

async function change(deps: Deps, name: string, isAdmin: boolean) {
  const user = await requireUser(deps, name);
  await changeAdmin(deps, 'console', user.id, { isAdmin, reason });
  return isAdmin
    ? `${user.username} is an administrator.`
    : `${user.username} is no longer an administrator.`;
}

async function resetPassword(deps: Deps, name: string) {
  const { id, username } = await requireUser(deps, name);
  const link = await deps.database.db.transaction().execute(async (tx) => {
    const subject = { kind: 'user' as const, id };
    const action = {
      actor: 'console' as const,
      action: 'user.reset-link',
      subject,
      reason,
    };
    await recordAction(tx, action, deps.clock.now());
    return createResetLink(tx, deps, { userId: id, validMs: LINK_MS });
  });
  return describeLink(link, username);
}

const describeGrace = ({ config }: Deps, username: string, until: number) =>
  `${username} can use the admin pages without two-step login or a passkey until ${formatDay(until, config.timeZone)}.`;

/** For someone who has lost the phone and the recovery codes. */
async function resetTwoStep(deps: Deps, name: string) {
  const { id, username } = await requireUser(deps, name);
  const until = await deps.database.db.transaction().execute(async (tx) => {
    const ended = await resetProtection(tx, deps, id);
    const action = { action: 'user.two-step-reset', reason };
    await recordAction(
      tx,
      { actor: 'console', subject: { kind: 'user', id }, ...action },
      deps.clock.now(),
    );
    return ended;
  });
  deps.jobs.wake();
  const done = `Removed two-step login and the passkeys of ${username}, and logged out every device.`;
  return until === null ? done : `${done}\n${describeGrace(deps, username, until)}`;
}

async function extendGrace(deps: Deps, name: string) {
  const { id, username, is_admin } = await requireUser(deps, name);
  if (!is_admin) throw new ConsoleProblem(`${username} is not an administrator.`);
  if (!deps.config.requiresAdminProtection)
    throw new ConsoleProblem('Administrators need no two-step login on this site: ADMIN_TWO_STEP.');
  const until = await deps.database.db.transaction().execute(async (tx) => {
    const action = { action: 'admin.grace-extended', reason };
    await recordAction(
      tx,
      { actor: 'console', subject: { kind: 'user', id }, ...action },
      deps.clock.now(),
    );
    return startGrace(tx, deps, id);
  });
  deps.jobs.wake();
  return describeGrace(deps, username, until);
}

async function comeOver(deps: Deps, args: readonly string[]) {
  const said = await runComingOver(deps, args);
  if (said === null) throw new ConsoleProblem(ADMIN_USAGE);
  return said;
}

/** Runs a command of the operator and returns the message to print. */
export async function runAdminCommand(
  deps: Deps,
  [command, ...args]: readonly string[],
  console: Console,
): Promise<string> {
  if (command === 'coming-over') return comeOver(deps, args);
  const [name, address, ...rest] = args;
  const isComplete = name !== undefined && rest.length === 0;
  if (isComplete && command === 'create' && address) return create(deps, console, name, address);
  if (!isComplete || address !== undefined) throw new ConsoleProblem(ADMIN_USAGE);
  if (command === 'renewals' && /^(?:[1-9]|1\d|2[0-8])$/.test(name))
    return listRenewals(deps, Number(name));
  if (command === 'promote') return change(deps, name, true);
  if (command === 'demote') return change(deps, name, false);
  if (command === 'reset-password') return resetPassword(deps, name);
  if (command === 'reset-two-step') return resetTwoStep(deps, name);
  if (command === 'extend-grace') return extendGrace(deps, name);
  throw new ConsoleProblem(ADMIN_USAGE);
}
