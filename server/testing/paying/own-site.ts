import type { Plan } from '#contract/rules/plans.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../test-app.ts';
import { FakeProvider, type FakeCard } from './fake-provider.ts';
import { PaystackLikeProvider } from './paystack-like-provider.ts';
import type { Action, Failure } from './random-histories.ts';
import { Site } from './site.ts';
import { createUsers } from './users.ts';

export const KINDS = [FakeProvider, PaystackLikeProvider] as const;

/** One site and one provider in memory, with members who have paid nothing yet. */
export async function openOwnSite(
  Provider: typeof FakeProvider,
  { members = 1, ...options }: TestAppOptions & { members?: number } = {},
) {
  const clock = { now: (): number => test.clock.now() };
  const provider = new Provider(clock);
  const test: TestApp = await createTestApp({ ...options, payments: { ...provider.payments } });
  const site = new Site(test, provider, await createUsers(test, members));
  const { db } = test.deps.database;
  /** What a member, a bank or the provider does. */
  const act = (
    what: Action['do'],
    more: { user?: number; plan?: Plan; card?: FakeCard; pick?: number; failure?: Failure } = {},
  ) =>
    site.play({
      do: what,
      user: 0,
      plan: 'monthly',
      code: null,
      card: 'pays',
      pick: 4,
      failure: null,
      ...more,
    });
  const userOf = (user = 0) => site.userAt(user);
  return {
    test,
    provider,
    site,
    act,
    buy: async (more: { user?: number; plan?: Plan; card?: FakeCard } = {}) => {
      await act('buy', more);
      await act('return', more);
    },
    /** Everything that moved money for a member. */
    paid: (user = 0) => site.paidOf(userOf(user)),
    charged: (user = 0) => site.paidOf(userOf(user)).filter(({ isPage }) => !isPage),
    subscription: (user = 0) =>
      db
        .selectFrom('subscriptions')
        .selectAll()
        .where('user_id', '=', userOf(user).viewer.user.id)
        .orderBy('started_at', 'desc')
        .executeTakeFirstOrThrow(),
    paidThrough: async (user = 0) => {
      const row = await db
        .selectFrom('users')
        .select('paid_through')
        .where('id', '=', userOf(user).viewer.user.id)
        .executeTakeFirstOrThrow();
      return row.paid_through;
    },
    /** The kinds of mails that were planned for a member, without their user. */
    mails: async (user = 0) => {
      const { id } = userOf(user).viewer.user;
      const rows = await db
        .selectFrom('sent_messages')
        .select('key')
        .where('user_id', '=', id)
        .execute();
      return rows.map(({ key }) => key.slice(id.length + 1));
    },
    close: () => test.close(),
  };
}
export type OwnSite = Awaited<ReturnType<typeof openOwnSite>>;
