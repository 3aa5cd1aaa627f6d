import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { isAccountUsable } from '../../http/guards.ts';
import { shortenSessions } from '../../http/sessions.ts';
import {
  listDisabledUserIds,
  lockAdministrators,
  lockUserById,
  updateIsAdmin,
  type UserRow,
} from './queries.ts';

/** Administrators who can log in. Locks them, so that the result stays true until the transaction ends. */
export async function listUsableAdministrators(
  tx: Tx,
  { database, config }: Pick<Deps, 'database' | 'config'>,
): Promise<UserRow[]> {
  const administrators = await lockAdministrators(tx, database.dialect);
  const disabled = await listDisabledUserIds(
    tx,
    administrators.map(({ id }) => id),
  );
  return administrators.filter((user) => isAccountUsable(config, user) && !disabled.has(user.id));
}

/** A site without an administrator can only be repaired from the console. */
export async function assertAnotherAdministrator(
  tx: Tx,
  deps: Pick<Deps, 'database' | 'config'>,
  id: string,
  message?: string,
) {
  const administrators = await listUsableAdministrators(tx, deps);
  if (administrators.some((user) => user.id !== id)) return;
  throw new AppError('last_admin', message === undefined ? {} : { message });
}

export const LAST_ADMINISTRATOR =
  'This is the only administrator. Make someone else an administrator first.';

/** Returns the user as it was before the change, or null if there is none. */
export async function changeAdminRole(
  tx: Tx,
  deps: Deps,
  { id, isAdmin }: { id: string; isAdmin: boolean },
): Promise<UserRow | null> {
  if (!isAdmin) await assertAnotherAdministrator(tx, deps, id, LAST_ADMINISTRATOR);
  const user = await lockUserById(tx, deps.database.dialect, id);
  if (!user) return null;
  await updateIsAdmin(tx, id, isAdmin ? 1 : 0, deps.clock.now());
  await shortenSessions(tx, { id, is_admin: isAdmin ? 1 : 0 });
  return user;
}
