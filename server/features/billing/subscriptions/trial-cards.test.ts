import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Quote } from '#contract/billing.ts';
import { DAY } from '#contract/rules/time.ts';
import { changeSettings } from '../../../db/settings.ts';
import {
  openProviderSite,
  PROVIDERS,
  type ProviderSite,
} from '../../../testing/paying/provider-site.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';

let site: ProviderSite;
let test: TestApp;
let member: TestUser;
let me: ReturnType<ProviderSite['payer']>;

describe.each(PROVIDERS)('a trial with %s', (provider) => {
  beforeEach(async () => {
    site = await openProviderSite(provider);
    test = site.test;
    member = await createUser(test);
    me = site.payer(member);
    await changeSettings(test.deps.database.db, { trialDays: 7 }, test.clock.now());
  });
  afterEach(() => site.close());

  const listSubscriptions = (userId: string) =>
    test.deps.database.db
      .selectFrom('subscriptions')
      .select('status')
      .where('user_id', '=', userId)
      .execute();

  it('starts once for each card, whoever has it, even after the account is deleted', async () => {
    await me.buy('monthly', 'shared');
    expect((await me.subscription()).status).toBe('trial');
    await site.deliver();
    const payload = { password: PASSWORD, confirmation: 'delete' };
    await member.client.request({ method: 'DELETE', url: '/api/me', payload });
    await site.deliver();
    const lerato = await createUser(test, 'lerato');
    const other = site.payer(lerato);
    expect((await other.buy('monthly', 'shared')).state).toBe('refused');
    await site.deliver();
    expect(await other.isSubscriber()).toBe(false);
    expect(await listSubscriptions(lerato.user.id)).toEqual([]);
    const { db } = test.deps.database;
    const mails = await db.selectFrom('outbox').select(['subject', 'body_text']).execute();
    expect(mails.filter(({ subject }) => subject.includes('trial'))).toEqual([
      {
        subject: 'Your free trial of Weekender Premium didn’t start',
        body_text: expect.stringMatching(/Hello lerato,[^]*subscribe without a trial/),
      },
    ]);
    // Without a trial the same card pays.
    expect(await other.call<Quote>('GET', '/api/checkout/quote?plan=monthly')).toMatchObject({
      trialDays: 0,
      dueNow: 79_00,
    });
    test.clock.advance(60_000);
    await other.buy('monthly', 'shared');
    expect((await other.charges()).map(({ amount }) => amount)).toEqual([79_00]);
    // Only a hash is stored.
    const cards = await db.selectFrom('trial_cards').selectAll().execute();
    expect(cards).toMatchObject([{ card_hash: expect.stringMatching(/^[\w-]{43}$/) }]);
    const fresh = site.payer(await createUser(test, 'sipho'));
    await fresh.buy('monthly');
    expect((await fresh.subscription()).status).toBe('trial');
  });

  it('that was refused is never charged', async () => {
    await me.buy('monthly', 'shared');
    const lerato = await createUser(test, 'lerato');
    const other = site.payer(lerato);
    await other.buy('monthly', 'shared');
    await site.deliver();
    await site.pass(8 * DAY);
    expect(await other.charges()).toEqual([]);
    expect(await listSubscriptions(lerato.user.id)).toEqual([]);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00]);
  });
});
