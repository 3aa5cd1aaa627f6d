import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import { needsProtection } from '../../../http/route/guards.ts';
import { defineSchedule } from '../../../jobs/define-job.ts';
import { endSessions, shortenSessions } from '../../sessions/service.ts';
import { notifyUser } from '../jobs.ts';
import { deletePasskeys } from './passkey-queries.ts';
import { deleteTotp, findTotp, isConfirmed } from './totp-queries.ts';
import {
  listDisabledUserIds,
  lockAdministrators,
  lockUserById,
  updateRights,
  type Rights,
  type UserRow,
} from '../queries.ts';

/** Administrators who can log in. Locks them, so that the result stays true until the transaction ends. */
export async function listUsableAdministrators(
  tx: Tx,
  { database }: Pick<Deps, 'database'>,
): Promise<UserRow[]> {
  const administrators = await lockAdministrators(tx, database.dialect);
  const disabled = await listDisabledUserIds(
    tx,
    administrators.map(({ id }) => id),
  );
  return administrators.filter((user) => !disabled.has(user.id));
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

export type Role = 'member' | 'helper' | 'admin';

const rightsOf: Record<Role, Rights> = {
  member: { is_admin: 0, is_helper: 0 },
  helper: { is_admin: 0, is_helper: 1 },
  admin: { is_admin: 1, is_helper: 0 },
};

const roleOf = (user: Rights): Role =>
  user.is_admin === 1 ? 'admin' : user.is_helper === 1 ? 'helper' : 'member';

/** Returns the role before the change, or null if there is no such user. */
export async function changeRole(
  tx: Tx,
  deps: Deps,
  { id, role }: { id: string; role: Role },
): Promise<Role | null> {
  if (role !== 'admin') await assertAnotherAdministrator(tx, deps, id, LAST_ADMINISTRATOR);
  const user = await lockUserById(tx, deps.database.dialect, id);
  if (!user) return null;
  const changed: UserRow = { ...user, ...rightsOf[role] };
  await updateRights(tx, id, rightsOf[role], deps.clock.now());
  await shortenSessions(tx, changed);
  if (changed.is_admin !== user.is_admin) await changeGrace(tx, deps, changed);
  return roleOf(user);
}

/** Long enough to find out about it, also for someone who is away for some days. */
const GRACE_MS = 7 * DAY;

const setGrace = (tx: Tx, userId: string, until: number | null) =>
  tx.updateTable('users').set({ admin_grace_until: until }).where('id', '=', userId).execute();

/** From now on the administrator has a week, and a mail that says so. */
export async function startGrace(tx: Tx, deps: Deps, userId: string): Promise<number> {
  const now = deps.clock.now();
  await setGrace(tx, userId, now + GRACE_MS);
  await notifyUser(tx, { userId, event: 'admin-grace' }, now);
  return now + GRACE_MS;
}

/** In the transaction in which someone becomes an administrator or stops being one. */
export async function changeGrace(tx: Tx, deps: Deps, user: UserRow): Promise<number | null> {
  if (needsProtection(deps, user)) return startGrace(tx, deps, user.id);
  await setGrace(tx, user.id, null);
  return null;
}

/** For someone who can't log in with it any more. Returns until when an administrator may do without. */
export async function resetProtection(tx: Tx, deps: Deps, userId: string): Promise<number | null> {
  const user = await lockUserById(tx, deps.database.dialect, userId);
  if (!user) throw new AppError('not_found');
  const event = isConfirmed(await findTotp(tx, userId)) ? 'totp-off' : 'passkey-removed';
  await deleteTotp(tx, userId);
  await deletePasskeys(tx, userId);
  await endSessions(tx, deps, userId, 'account was in other hands');
  await notifyUser(tx, { userId, event }, deps.clock.now());
  return changeGrace(tx, deps, user);
}

/**
 * For those who are administrators already when the rule begins: after an upgrade or a change of the
 * setting. Where the rule ends, so does the time, and a later rule gives another week.
 */
export async function startMissingGraces(deps: Deps): Promise<void> {
  const { database, jobs } = deps;
  await database.db.transaction().execute(async (tx) => {
    for (const user of await lockAdministrators(tx, database.dialect))
      if ((user.admin_grace_until === null) === needsProtection(deps, user))
        await changeGrace(tx, deps, user);
  });
  jobs.wake();
}

export const startAdminGraces = defineSchedule({
  name: 'start-admin-graces',
  everyMs: HOUR,
  run: startMissingGraces,
});
