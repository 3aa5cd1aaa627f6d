import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { deleteSessionsOf } from '../../http/session-store.ts';
import { refuseLastAdministrator } from './administrators.ts';
import { deleteDisabled, findDisabledAccount, insertDisabled } from './disabled-queries.ts';
import { lockUserById } from './queries.ts';
import { deleteResetsOf } from './reset-queries.ts';

const LAST_ONE = 'This is the only administrator. Make somebody else one first.';
const SHARED = 'The accounts of the demo are shared by everybody here and stay open.';

/** Nobody gets in any more, and whoever is in is out. True when it was open before. */
export async function disableAccount(
  tx: Tx,
  deps: Deps,
  { id, because }: { id: string; because: string },
): Promise<boolean> {
  await refuseLastAdministrator(tx, deps, id, LAST_ONE);
  const user = await lockUserById(tx, deps.database.dialect, id);
  if (!user) throw new AppError('not_found');
  if (user.is_demo) throw new AppError('demo_account', { message: SHARED });
  if (await findDisabledAccount(tx, id)) return false;
  await insertDisabled(tx, { user_id: id, at: deps.clock.now(), because });
  await deleteSessionsOf(tx, id);
  await deleteResetsOf(tx, id);
  return true;
}

/** True when it was shut before. */
export async function enableAccount(tx: Tx, { database }: Deps, id: string): Promise<boolean> {
  if (!(await lockUserById(tx, database.dialect, id))) throw new AppError('not_found');
  if (!(await findDisabledAccount(tx, id))) return false;
  await deleteDisabled(tx, id);
  return true;
}
