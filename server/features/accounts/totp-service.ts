import type { TotpState } from '#contract/security.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { hashToken } from '../../http/tokens.ts';
import { tellOwner } from './jobs.ts';
import { takeTotpCode, withCode } from './prove-code.ts';
import { provePassword, refuseDemoAccount } from './prove-password.ts';
import { lockUserById } from './queries.ts';
import { groupRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { newTotpSecret, writeTotpUri } from './totp-code.ts';
import {
  beginTotp,
  confirmTotp,
  countRecoveryCodes,
  deleteTotp,
  findTotp,
  isConfirmed,
  replaceRecoveryCodes,
} from './totp-queries.ts';

export async function readTotp({ database }: Deps, viewer: Viewer): Promise<TotpState> {
  const totp = await findTotp(database.db, viewer.user.id);
  if (!isConfirmed(totp)) return { isOn: false, recoveryCodesLeft: 0 };
  return { isOn: true, recoveryCodesLeft: await countRecoveryCodes(database.db, viewer.user.id) };
}

/** Nothing changes for a login before a code has shown that the app has the secret. */
export async function startTotp(
  deps: Deps,
  viewer: Viewer,
  { password }: { password: string },
): Promise<{ secret: string; uri: string }> {
  refuseDemoAccount(viewer);
  await provePassword(deps, viewer, { password, field: 'password' });
  const { database, clock, config } = deps;
  const { id, username } = viewer.user;
  const secret = newTotpSecret();
  await database.db.transaction().execute(async (tx) => {
    await lockUserById(tx, database.dialect, id);
    if (isConfirmed(await findTotp(tx, id))) throw new AppError('totp_on');
    await beginTotp(tx, { user_id: id, secret, created_at: clock.now() });
  });
  return { secret, uri: writeTotpUri(secret, { issuer: config.siteName, label: username }) };
}

export async function turnTotpOn(
  deps: Deps,
  viewer: Viewer,
  { code }: { code: string },
): Promise<{ recoveryCodes: string[] }> {
  const { database, clock, jobs } = deps;
  const { id } = viewer.user;
  const now = clock.now();
  const codes = newRecoveryCodes();
  await database.db.transaction().execute(async (tx) => {
    await lockUserById(tx, database.dialect, id);
    const totp = await findTotp(tx, id);
    if (!totp) throw new AppError('totp_not_begun');
    if (isConfirmed(totp)) throw new AppError('totp_on');
    await takeTotpCode(tx, id, code, now);
    await confirmTotp(tx, id, now);
    await replaceRecoveryCodes(tx, id, codes.map(hashToken));
    await tellOwner(tx, { userId: id, event: 'totp-on' }, now);
  });
  jobs.wake();
  return { recoveryCodes: codes.map(groupRecoveryCode) };
}

type BothSteps = { password: string; code: string };

/** For those who have used most of them, or lost the list. */
export async function renewRecoveryCodes(
  deps: Deps,
  viewer: Viewer,
  { password, code }: BothSteps,
): Promise<{ recoveryCodes: string[] }> {
  const { database, clock, jobs } = deps;
  const { id } = viewer.user;
  await provePassword(deps, viewer, { password, field: 'password' });
  const codes = newRecoveryCodes();
  await withCode(deps, { userId: id, code }, async (tx) => {
    await lockUserById(tx, database.dialect, id);
    if (!isConfirmed(await findTotp(tx, id))) throw new AppError('not_found');
    await replaceRecoveryCodes(tx, id, codes.map(hashToken));
    await tellOwner(tx, { userId: id, event: 'recovery-codes' }, clock.now());
  });
  jobs.wake();
  return { recoveryCodes: codes.map(groupRecoveryCode) };
}

export async function turnTotpOff(deps: Deps, viewer: Viewer, { password, code }: BothSteps) {
  const { id } = viewer.user;
  await provePassword(deps, viewer, { password, field: 'password' });
  await withCode(deps, { userId: id, code }, async (tx) => {
    if (!(await findTotp(tx, id))) throw new AppError('not_found');
    await deleteTotp(tx, id);
    await tellOwner(tx, { userId: id, event: 'totp-off' }, deps.clock.now());
  });
  deps.jobs.wake();
}
