import type { z } from 'zod';
import type { DeleteAccountBody } from '#contract/privacy.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import {
  deleteUser,
  lockUserById,
  verifyCurrentPassword,
  assertAnotherAdministrator,
  withLoginCode,
} from '../accounts/service.ts';
import { endPaidPeriods, lockKnownAccount } from '../billing/ledger/service.ts';
import { anonymisePlays } from '../plays/service.ts';
import { personalData } from './personal-data.ts';

/** Deletes all personal data in one transaction. */
export async function deleteAccount(
  deps: Deps,
  viewer: Viewer,
  { password, code }: z.output<typeof DeleteAccountBody>,
) {
  const { database, clock, jobs } = deps;
  const { dialect } = database;
  const { id } = viewer.user;
  const verifiedHash = await verifyCurrentPassword(deps, viewer, { password, field: 'password' });
  await withLoginCode(deps, { userId: id, code, device: viewer.sessionHash }, async (tx) => {
    // Before the user, like a payment that is being settled: one of them waits for all of the other.
    await lockKnownAccount(tx, id);
    // Plays before the user, in the order a heartbeat locks them; otherwise both would deadlock.
    await anonymisePlays(tx, dialect, id);
    if (viewer.user.is_admin) await assertAnotherAdministrator(tx, deps, id);
    const user = await lockUserById(tx, dialect, id);
    if (user?.password_hash !== verifiedHash) throw new AppError('wrong_password');
    // Plays that started while we waited for the lock.
    await anonymisePlays(tx, dialect, id);
    await endPaidPeriods(tx, deps, id);
    for (const { erase } of personalData) await erase?.(tx, dialect, id, clock.now());
    await deleteUser(tx, user, clock.now());
  });
  jobs.wake();
}
