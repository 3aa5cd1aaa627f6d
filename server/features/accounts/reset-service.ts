import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { deleteSessionsOf } from '../../http/session-store.ts';
import { hashToken } from '../../http/tokens.ts';
import { enqueue } from '../../jobs/queue.ts';
import { sendPasswordReset } from './jobs.ts';
import { hashPassword } from '../../passwords.ts';
import { lockUserById, updateUser } from './queries.ts';
import { deleteResetsOf, findResetUser, takeReset } from './reset-queries.ts';

/** The same work whether or not the address is known; the job finds out, where nobody watches. */
export async function requestReset(deps: Deps, email: string) {
  await enqueue(deps.database.db, sendPasswordReset, { email }, { now: deps.clock.now() });
  deps.jobs.wake();
}

export async function confirmReset(
  { database, clock, passwordCost }: Deps,
  input: { token: string; password: string },
) {
  const passwordHash = await hashPassword(input.password, passwordCost);
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const tokenHash = hashToken(input.token);
    const owner = await findResetUser(tx, tokenHash);
    if (owner) await lockUserById(tx, database.dialect, owner);
    const userId = await takeReset(tx, tokenHash, now);
    if (!userId) throw new AppError('reset_token_invalid');
    await updateUser(tx, userId, { password_hash: passwordHash }, now);
    await deleteResetsOf(tx, userId);
    await deleteSessionsOf(tx, userId);
  });
}
