import type { Subscriber } from '#contract/admin/subscribers.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import {
  changeAdminRole,
  disableAccount,
  enableAccount,
  lockUserById,
} from '../accounts/service.ts';
import { recordAction } from '../audit/service.ts';
import { publishSignal } from '../live/service.ts';
import { deleteFeedOf } from '../podcasts/service.ts';
import { endSessions } from '../sessions/service.ts';
import { requireSubscriber } from './read-subscribers.ts';

/** An administrator, or the server console. */
export type Actor = Viewer | 'console';

export async function changeAdmin(
  deps: Deps,
  by: Actor,
  id: string,
  { isAdmin, reason }: { isAdmin: boolean; reason: string },
): Promise<Subscriber> {
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const before = await changeAdminRole(tx, deps, { id, isAdmin });
    if (!before) throw new AppError('not_found');
    if ((before.is_admin === 1) === isAdmin) return;
    const action = isAdmin ? 'admin.added' : 'admin.removed';
    const change = { before: { isAdmin: !isAdmin }, after: { isAdmin } };
    await recordAction(
      tx,
      { actor: by, action, subject: { kind: 'user', id }, ...change, reason },
      now,
    );
    await publishSignal(tx, `user:${id}`, now);
  });
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
