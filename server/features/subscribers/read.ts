import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import type { Subscriber, SubscriberFilter, SubscriberPage } from '#contract/subscribers.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { CursorId, CursorNumber, decodeCursor, slicePage } from '../../http/paginate.ts';
import { readGraceMs } from '../../http/access-policy.ts';
import { findDisabledAccount, listUserSessions, toAccountKey } from '../accounts/service.ts';
import { getSubscriptionOf } from '../billing/subscription/service.ts';
import { findListedUser, listUsers, type ListMoment } from './list-queries.ts';
import { presentSubscriber } from './present-subscriber.ts';

export type Answer<T> = { items: T[]; nextCursor: string | null };

const Position = z.tuple([CursorNumber, CursorId]);

export const readMoment = async (deps: Deps): Promise<ListMoment> => ({
  now: deps.clock.now(),
  graceMs: await readGraceMs(deps),
});

type ListInput = PageQuery & { filter?: SubscriberFilter | undefined; q?: string | undefined };

export async function readSubscribers(
  deps: Deps,
  { cursor, limit = DEFAULT_PAGE_SIZE, filter = 'all', q = '' }: ListInput,
): Promise<Answer<Subscriber>> {
  const moment = await readMoment(deps);
  const found = await listUsers(deps.database, { filter, text: toAccountKey(q) }, moment, {
    after: cursor ? decodeCursor(Position, cursor) : null,
    limit: limit + 1,
  });
  const { rows, nextCursor } = slicePage(found, limit, (user) => [user.paid_through ?? 0, user.id]);
  return { items: rows.map((user) => presentSubscriber(user, moment)), nextCursor };
}

export async function requireSubscriber(deps: Deps, id: string): Promise<Subscriber> {
  const user = await findListedUser(deps.database.db, id);
  if (!user) throw new AppError('not_found');
  return presentSubscriber(user, await readMoment(deps));
}

export async function readSubscriber(deps: Deps, id: string): Promise<SubscriberPage> {
  const subscriber = await requireSubscriber(deps, id);
  const disabled = await findDisabledAccount(deps.database.db, id);
  return {
    subscriber,
    disabled: disabled ? { at: disabled.at, because: disabled.because } : null,
    subscription: await getSubscriptionOf(deps, id),
    sessions: await listUserSessions(deps, id),
  };
}
