import { User } from '#contract/accounts.ts';
import { sendEmailLink } from '../features/accounts/email/email-jobs.ts';
import { endAccess, grantAccess } from '../features/billing/ledger/service.ts';
import type { TestApp, TestClient } from './test-app.ts';
import { DAY } from '#contract/rules/time.ts';

export const PASSWORD = 'correct horse battery';

export type TestUser = { client: TestClient; user: User };

/** Sets the end of the paid period, whatever it was before. */
export async function payUntil({ deps }: TestApp, user: User, paidThrough: number | null) {
  const { timeZone } = deps.config;
  const why = { reason: 'A test says so.', actor: 'system' };
  await deps.database.db.transaction().execute(async (tx) => {
    const last = await tx
      .selectFrom('ledger_entries')
      .select(({ fn }) => fn.max('at').as('at'))
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    // The test clock stands still, but ending and granting access must have different times.
    const now = Math.max(deps.clock.now(), (last?.at ?? 0) + 1);
    const place = { now, calendar: deps.payments.calendar, timeZone };
    await endAccess(tx, user.id, why, place);
    if (paidThrough !== null) await grantAccess(tx, user.id, { until: paidThrough, ...why }, place);
  });
}

export const MONTH = 30 * DAY;

/** A logged-in user with a month of Premium left. */
export async function createSubscriber(test: TestApp, username = 'sipho'): Promise<TestUser> {
  const member = await createUser(test, username);
  await payUntil(test, member.user, test.clock.now() + MONTH);
  return member;
}

/** As if the user had opened the link in the mail that a new account gets. */
async function verifyEmail({ deps, clock }: TestApp, { id }: User) {
  const { db } = deps.database;
  const isVerified = { email_verified_at: clock.now() };
  await db.updateTable('users').set(isVerified).where('id', '=', id).execute();
  await db
    .deleteFrom('jobs')
    .where('name', '=', sendEmailLink.name)
    .where('payload', 'like', `%${id}%`)
    .execute();
}

/** Registers a user over HTTP, so that the client is logged in. The address is verified. */
export async function createUser(
  test: TestApp,
  username = 'thandi',
  { isEmailVerified = true } = {},
): Promise<TestUser> {
  const client = test.createClient();
  const response = await client.request({
    method: 'POST',
    url: '/api/auth/register',
    payload: {
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
      isSubscriber: false,
    },
  });
  const { unconfirmedEmail: _, ...user } = User.parse(response.json());
  if (!isEmailVerified) return { client, user: { ...user, unconfirmedEmail: user.email } };
  await verifyEmail(test, user);
  return { client, user };
}
