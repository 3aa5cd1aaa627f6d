import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { isAccountUsable } from '../../http/guards.ts';
import { findDisabled } from './disabled-queries.ts';
import { lockAdministrators } from './dissolve-account.ts';
import { lockUserById, setAdministrator, type UserRow } from './queries.ts';

/** Those who can really sign in and run the site. Locks them, so that the answer holds to the end of the transaction. */
export async function listUsableAdministrators(
  tx: Tx,
  { database, config }: Pick<Deps, 'database' | 'config'>,
): Promise<UserRow[]> {
  const administrators = await lockAdministrators(tx, database.dialect);
  const disabled = await findDisabled(
    tx,
    administrators.map(({ id }) => id),
  );
  return administrators.filter((user) => isAccountUsable(config, user) && !disabled.has(user.id));
}

/** A site without an administrator cannot be repaired from within. */
export async function refuseLastAdministrator(
  tx: Tx,
  deps: Pick<Deps, 'database' | 'config'>,
  id: string,
  message?: string,
) {
  const administrators = await listUsableAdministrators(tx, deps);
  if (administrators.some((user) => user.id !== id)) return;
  throw new AppError('last_admin', message === undefined ? {} : { message });
}

const LAST_ONE = 'This is the only administrator. Make somebody else one first.';

/** Answers the account as it was, or null when there is none. */
export async function changeAdministrator(
  tx: Tx,
  deps: Deps,
  { id, isAdmin }: { id: string; isAdmin: boolean },
): Promise<UserRow | null> {
  if (!isAdmin) await refuseLastAdministrator(tx, deps, id, LAST_ONE);
  const user = await lockUserById(tx, deps.database.dialect, id);
  if (!user) return null;
  await setAdministrator(tx, id, isAdmin ? 1 : 0, deps.clock.now());
  return user;
}
