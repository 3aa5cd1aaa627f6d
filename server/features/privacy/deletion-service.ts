import type { z } from 'zod';
import type { DeleteAccountBody } from '#contract/privacy.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import {
  dissolveAccount,
  lockUserById,
  provePassword,
  refuseDemoAccount,
  refuseLastAdministrator,
  withCode,
} from '../accounts/service.ts';
import { stopPaying } from '../billing/service.ts';
import { forgetPlays } from '../plays/service.ts';
import { sections } from './sections.ts';

/** Everything personal in one transaction: a member is here or gone, and never half of it. */
export async function deleteAccount(
  deps: Deps,
  viewer: Viewer,
  { password, code }: z.output<typeof DeleteAccountBody>,
) {
  const { database, clock, jobs } = deps;
  const { dialect } = database;
  const { id } = viewer.user;
  refuseDemoAccount(viewer);
  const provenHash = await provePassword(deps, viewer, { password, field: 'password' });
  await withCode(deps, { userId: id, code }, async (tx) => {
    // A heartbeat holds its play and then asks for the member: in the other order both would wait.
    await forgetPlays(tx, dialect, id);
    if (viewer.user.is_admin) await refuseLastAdministrator(tx, deps, id);
    const user = await lockUserById(tx, dialect, id);
    if (user?.password_hash !== provenHash) throw new AppError('wrong_password');
    // Those that began while we waited for the member.
    await forgetPlays(tx, dialect, id);
    await stopPaying(tx, deps, id);
    for (const { forget } of sections) await forget?.(tx, dialect, id, clock.now());
    await dissolveAccount(tx, user, clock.now());
  });
  jobs.wake();
}
