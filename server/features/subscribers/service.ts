import type { Subscriber } from '#contract/admin/subscribers.ts';
import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import {
  changeRole,
  disableAccount,
  enableAccount,
  inviteHelper,
  lockUserById,
  startMailAgain,
  type Role,
} from '../accounts/service.ts';
import { recordAction } from '../audit/service.ts';
import { publishSignal } from '../live/service.ts';
import { deleteFeedOf } from '../podcasts/service.ts';
import { endSessions } from '../sessions/service.ts';
import { requireSubscriber } from './read-subscribers.ts';

/** An administrator, or the server console. */
export type Actor = Viewer | 'console';

const actions = {
  admin: { added: 'admin.added', removed: 'admin.removed', field: 'isAdmin' },
  helper: { added: 'helper.added', removed: 'helper.removed', field: 'isHelper' },
} as const;

/** One record for each right that was given or taken. */
async function recordRights(
  tx: Tx,
  {
    by,
    id,
    before,
    after,
    reason,
  }: { by: Actor; id: string; before: Role; after: Role; reason?: string },
  now: number,
): Promise<void> {
  for (const [right, { added, removed, field }] of Object.entries(actions)) {
    const [had, has] = [before === right, after === right];
    if (had === has) continue;
    await recordAction(
      tx,
      {
        actor: by,
        action: has ? added : removed,
        subject: { kind: 'user', id },
        before: { [field]: had },
        after: { [field]: has },
        ...(reason !== undefined && { reason }),
      },
      now,
    );
  }
}

async function setRole(
  tx: Tx,
  deps: Deps,
  by: Actor,
  { id, role, reason }: { id: string; role: Role; reason?: string | undefined },
): Promise<void> {
  const now = deps.clock.now();
  const before = await changeRole(tx, deps, { id, role });
  if (!before) throw new AppError('not_found');
  if (before === role) return;
  await recordRights(tx, { by, id, before, after: role, ...(reason && { reason }) }, now);
  await publishSignal(tx, `user:${id}`, now);
}

export async function changeAdmin(
  deps: Deps,
  by: Actor,
  id: string,
  { isAdmin, reason }: { isAdmin: boolean; reason: string },
): Promise<Subscriber> {
  const role = isAdmin ? 'admin' : 'member';
  await deps.database.db.transaction().execute((tx) => setRole(tx, deps, by, { id, role, reason }));
  return requireSubscriber(deps, id);
}

/** Whoever isn't a helper keeps the role they have. */
export async function removeHelper(deps: Deps, by: Viewer, id: string): Promise<Subscriber> {
  const { isHelper } = await requireSubscriber(deps, id);
  if (isHelper)
    await deps.database.db
      .transaction()
      .execute((tx) => setRole(tx, deps, by, { id, role: 'member' }));
  return requireSubscriber(deps, id);
}

/** By the address of an account, or of somebody who has none yet: then a mail asks for a password. */
export async function addHelper(
  deps: Deps,
  by: Viewer,
  { email }: { email: string },
): Promise<Subscriber> {
  const id = await deps.database.db.transaction().execute(async (tx) => {
    const user = await inviteHelper(tx, deps, email);
    if (user.is_admin === 1)
      throw new AppError('forbidden', { message: `${user.username} is an administrator already.` });
    await setRole(tx, deps, by, { id: user.id, role: 'helper' });
    return user.id;
  });
  deps.jobs.wake();
  return requireSubscriber(deps, id);
}

export async function changeDisabled(
  deps: Deps,
  by: Viewer,
  id: string,
  { isDisabled, reason }: { isDisabled: boolean; reason: string },
): Promise<Subscriber> {
  if (by.user.id === id)
    throw new AppError('forbidden', { message: 'You can’t disable your own account.' });
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const isChanged = isDisabled
      ? await disableAccount(tx, deps, { id, reason })
      : await enableAccount(tx, deps, id);
    if (!isChanged) return;
    const action = isDisabled ? 'user.disabled' : 'user.enabled';
    await recordAction(tx, { actor: by, action, subject: { kind: 'user', id }, reason }, now);
    await publishSignal(tx, `user:${id}`, now);
  });
  return requireSubscriber(deps, id);
}

/** Its address stops working, and the member can create another. */
export async function turnOffPodcastFeed(deps: Deps, by: Viewer, id: string): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (!(await lockUserById(tx, database.dialect, id))) throw new AppError('not_found');
    if (!(await deleteFeedOf(tx, id))) return;
    const subject = { kind: 'user', id } as const;
    await recordAction(tx, { actor: by, action: 'podcast-feed.turned-off', subject }, now);
    await publishSignal(tx, `user:${id}`, now);
  });
}

/** An administrator knows that mail arrives again at the member’s address. */
export async function sendMailAgain(deps: Deps, by: Viewer, id: string): Promise<void> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const user = await lockUserById(tx, database.dialect, id);
    if (!user) throw new AppError('not_found');
    if (!(await startMailAgain(tx, { userId: id, email: user.email }, now))) return;
    const subject = { kind: 'user', id } as const;
    await recordAction(tx, { actor: by, action: 'user.mail-started', subject }, now);
    await publishSignal(tx, `user:${id}`, now);
  });
  jobs.wake();
}

export async function logOutEverywhere(deps: Deps, by: Viewer, id: string): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (!(await lockUserById(tx, database.dialect, id))) throw new AppError('not_found');
    await endSessions(tx, deps, id, 'account was in other hands');
    await recordAction(
      tx,
      { actor: by, action: 'user.logged-out', subject: { kind: 'user', id } },
      now,
    );
    await publishSignal(tx, `user:${id}`, now);
  });
}
