import { Email, NewPassword, Username } from '#contract/accounts.ts';
import type { Deps } from '../../deps.ts';
import { newToken } from '../../http/tokens.ts';
import { hashPassword } from '../../passwords.ts';
import {
  createAdministrator,
  findUserByLogin,
  createResetLink,
  toAccountKey,
} from '../accounts/service.ts';
import { recordAct } from '../audit/service.ts';
import { changeAdmin } from '../subscribers/service.ts';
import { DAY } from '#contract/rules/time.ts';

/** A wish that cannot be granted; its message is all that whoever typed it needs. */
export class ConsoleProblem extends Error {
  override name = 'ConsoleProblem';
}

export const ADMIN_USAGE = `Use one of:
  npm run admin -- create <username> <e-mail>
  npm run admin -- promote <username or e-mail>
  npm run admin -- demote <username or e-mail>
  npm run admin -- reset-password <username or e-mail>
A password is asked for, or set through a link that is printed; it is never part of the command.`;

const LINK_MS = DAY;
const BECAUSE = 'Typed on the server’s console.';

export type Console = {
  /** Null where nobody can type: a link is printed instead. */
  askPassword: (() => Promise<string>) | null;
};

function check<T>(
  schema: { safeParse: (text: unknown) => { data?: T; error?: { issues: { message: string }[] } } },
  text: string,
  what: string,
): T {
  const { data, error } = schema.safeParse(text);
  if (data === undefined)
    throw new ConsoleProblem(`The ${what} does not do: ${error?.issues[0]?.message}`);
  return data;
}

async function requireUser({ database }: Deps, name: string) {
  const user = await findUserByLogin(database.db, toAccountKey(name));
  if (!user) throw new ConsoleProblem(`There is no account "${name}".`);
  return user;
}

const describeLink = (link: string, username: string) =>
  `Open this once, within 24 hours, to set the password of ${username}:\n${link}`;

async function create(deps: Deps, { askPassword }: Console, name: string, address: string) {
  const username = check(Username, name, 'username');
  const email = check(Email, address, 'e-mail address');
  const password = askPassword ? check(NewPassword, await askPassword(), 'password') : null;
  // Nobody knows the other one: the link replaces it.
  const passwordHash = await hashPassword(password ?? newToken(), deps.passwordCost);
  const now = deps.clock.now();
  return deps.database.db.transaction().execute(async (tx) => {
    const user = await createAdministrator(tx, { username, email, passwordHash }, now);
    const subject = { kind: 'user' as const, id: user.id };
    await recordAct(tx, { actor: 'console', act: 'admin.created', subject, because: BECAUSE }, now);
    if (password !== null) return `${username} is an administrator and can log in.`;
    const link = await createResetLink(tx, deps, { userId: user.id, validMs: LINK_MS });
    return `${username} is an administrator.\n${describeLink(link, username)}`;
  });
}

async function change(deps: Deps, name: string, isAdmin: boolean) {
  const user = await requireUser(deps, name);
  await changeAdmin(deps, 'console', user.id, { isAdmin, because: BECAUSE });
  return isAdmin
    ? `${user.username} is an administrator.`
    : `${user.username} is no longer an administrator.`;
}

async function resetPassword(deps: Deps, name: string) {
  const { id, username } = await requireUser(deps, name);
  const link = await deps.database.db.transaction().execute(async (tx) => {
    const subject = { kind: 'user' as const, id };
    const act = { actor: 'console' as const, act: 'user.reset-link', subject, because: BECAUSE };
    await recordAct(tx, act, deps.clock.now());
    return createResetLink(tx, deps, { userId: id, validMs: LINK_MS });
  });
  return describeLink(link, username);
}

/** Runs one command of whoever sits at the server and answers what to tell them. */
export async function runAdminCommand(
  deps: Deps,
  [command, name, address, ...rest]: readonly string[],
  seat: Console,
): Promise<string> {
  const isComplete = name !== undefined && rest.length === 0;
  if (isComplete && command === 'create' && address) return create(deps, seat, name, address);
  if (!isComplete || address !== undefined) throw new ConsoleProblem(ADMIN_USAGE);
  if (command === 'promote') return change(deps, name, true);
  if (command === 'demote') return change(deps, name, false);
  if (command === 'reset-password') return resetPassword(deps, name);
  throw new ConsoleProblem(ADMIN_USAGE);
}
