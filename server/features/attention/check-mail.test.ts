/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { startSmtpServer, type TestSmtp } from '../../testing/smtp-server.ts';
import { payingClient } from '../../testing/test-payments.ts';
import { createUser } from '../../testing/test-user.ts';
import { lookAround } from './site-checks.ts';
import { startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

describe('mail that is refused', () => {
  const WORDS = '4.7.1 Your address is on a list of senders of spam';
  let smtp: TestSmtp;
  let isRefusing: boolean;
  let tries: number;
  beforeEach(async () => {
    isRefusing = true;
    tries = 0;
    smtp = await startSmtpServer({
      onRcptTo: (_address, _session, done) => {
        tries += 1;
        const refusal = Object.assign(new Error(WORDS), { responseCode: 451 });
        if (isRefusing) done(refusal);
        else done();
      },
    });
    await site.close();
    site = await startWatchedSite({ config: { smtp: { url: smtp.url, from: 'hi@example.com' } } });
  });
  afterEach(() => {
    // It would wait for the connections that are kept.
    site.deps.mail.close();
    return smtp.close();
  });

  it('is named with the mail server’s words after an hour, until it went out', async () => {
    const member = await createUser(site, 'sipho');
    await payingClient(site, member).buy('monthly');
    await site.worker.runDue();
    expect(tries).toBeGreaterThan(0);
    await site.look();
    expect(await site.textOf('mail')).toBeUndefined();
    site.clock.advance(HOUR + MINUTE);
    await site.worker.runDue();
    await site.look();
    expect(await site.textOf('mail')).toMatch(
      /^\d+ e-mails? (?:was|were) refused, or couldn’t go out .* The last answer: “.*451.*on a list of senders of spam/,
    );
    expect(await site.textOf('mail')).not.toContain('@');
    expect(await smtp.received()).toEqual([]);

    isRefusing = false;
    site.clock.advance(HOUR);
    await site.worker.runDue();
    await site.look();
    expect(await site.textOf('mail')).toBeUndefined();
    site.clock.advance(10 * MINUTE);
    await site.look();
    const subjectsOf = async (pattern: RegExp) =>
      (await smtp.received()).filter(({ subject }) => pattern.test(subject ?? ''));
    expect(await subjectsOf(/^Now at Weekender: \d+ e-mails? (?:was|were) refused/)).toHaveLength(
      1,
    );
    // The next morning.
    site.clock.advance(DAY);
    await site.look();
    const [clear] = await subjectsOf(/^All clear at Weekender$/);
    expect(clear?.text).toContain('What an earlier mail named is over:');
    expect(clear?.text).toContain('on a list of senders of spam');
  });
});

it('mail to many that waits for its pace is no alarm, but one that nobody takes for an hour is', async () => {
  const times = { created_at: site.clock.now(), run_at: site.clock.now() };
  const later = site.clock.now() + DAY;
  await site.addJob({ name: 'send-release-mail', lane: 'bulk-mail', ...times, run_at: later });
  site.clock.advance(2 * HOUR);
  await lookAround(site.deps);
  expect(await site.textOf('mail')).toBeUndefined();
  await site.addJob({ name: 'send-billing-message', lane: 'mail', ...times });
  site.clock.advance(10 * MINUTE);
  await lookAround(site.deps);
  expect(await site.textOf('mail')).toContain('1 e-mail was refused, or couldn’t go out');
});
