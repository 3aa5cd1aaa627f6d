import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { confirmSession } from '../../sessions/service.ts';
import { verifyCurrentPassword } from './refused-passwords.ts';
import { lockUserById, type UserRow } from '../queries.ts';
import { withLoginCode } from './totp-service.ts';

/** What shows that a request comes from the owner of the account and not just from their device. */
export type Proof = {
  password: string;
  /** Needed if two-step login is on. */
  code?: string | undefined;
  /** Where the form has the password. */
  field?: string;
};

/**
 * Checks the password, and the code if two-step login is on. Then runs `work`, with the user's row
 * locked, in the transaction that uses the code up.
 */
export async function confirmIdentity<T>(
  deps: Deps,
  viewer: Viewer,
  { password, code, field = 'password' }: Proof,
  work: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const { id } = viewer.user;
  const verifiedHash = await verifyCurrentPassword(deps, viewer, { password, field });
  return withLoginCode(deps, { userId: id, code, device: viewer.sessionHash }, async (tx) => {
    const user = await lockUserById(tx, deps.database.dialect, id);
    // A reset may have changed the password since we verified it.
    if (user?.password_hash !== verifiedHash) throw new AppError('wrong_password');
    return work(tx, user);
  });
}

/** For some minutes, this device may then do what needs more than being logged in. */
export const confirmDevice = (deps: Deps, viewer: Viewer, proof: Proof) =>
  confirmIdentity(deps, viewer, proof, (tx) =>
    confirmSession(tx, viewer.sessionHash ?? '', deps.clock.now()),
  );
