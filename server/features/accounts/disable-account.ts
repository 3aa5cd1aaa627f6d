import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { deleteUserSessions } from '../../http/sessions.ts';
import { assertAnotherAdministrator, LAST_ADMINISTRATOR } from './administrators.ts';
import { deleteResets } from './password-reset.ts';
import {
  deleteDisabledAccount,
  findDisabledAccount,
  insertDisabledAccount,
  lockUserById,
} from './queries.ts';

const SHARED = 'Demo accounts are shared and can’t be disabled.';

/** Ends every session and blocks new ones. True if the account was enabled before. */
export async function disableAccount(
  tx: Tx,
  deps: Deps,
  { id, reason }: { id: string; reason: string },
): Promise<boolean> {
  await assertAnotherAdministrator(tx, deps, id, LAST_ADMINISTRATOR);
  const user = await lockUserById(tx, deps.database.dialect, id);
  if (!user) throw new AppError('not_found');
  if (user.is_demo) throw new AppError('demo_account', { message: SHARED });
  if (await findDisabledAccount(tx, id)) return false;
  await insertDisabledAccount(tx, { user_id: id, at: deps.clock.now(), because: reason });
  await deleteUserSessions(tx, id);
  await deleteResets(tx, id);
  return true;
}

/** True if the account was disabled before. */
export async function enableAccount(tx: Tx, { database }: Deps, id: string): Promise<boolean> {
  if (!(await lockUserById(tx, database.dialect, id))) throw new AppError('not_found');
  if (!(await findDisabledAccount(tx, id))) return false;
  await deleteDisabledAccount(tx, id);
  return true;
}
