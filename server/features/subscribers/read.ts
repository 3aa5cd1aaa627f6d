import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import type { Subscriber, SubscriberFilter, SubscriberPage } from '#contract/subscribers.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { readGraceMs } from '../../http/access-policy.ts';
import { findDisabledAccount, readSessionsOf, toAccountKey } from '../accounts/service.ts';
import { readSubscriptionOf } from '../billing/service.ts';
import { findListedUser, listUsers, type ListMoment } from './list-queries.ts';
import { presentSubscriber } from './present-subscriber.ts';

export type Answer<T> = { items: T[]; nextCursor: string | null };

const Position = z.tuple([z.int(), z.string().regex(/^[\w-]{1,64}$/)]);

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
  const rows = await listUsers(deps.database, { filter, text: toAccountKey(q) }, moment, {
    after: cursor ? decodeCursor(Position, cursor) : null,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((user) => presentSubscriber(user, moment)),
    nextCursor: last ? encodeCursor([last.paid_through ?? 0, last.id]) : null,
  };
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
    subscription: await readSubscriptionOf(deps, id),
    sessions: await readSessionsOf(deps, id),
  };
}
