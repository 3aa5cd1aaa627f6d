/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { startPushService } from '../../testing/fake-push-service.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { startSmtpServer } from '../../testing/smtp-server.ts';
import { startChild } from '../../testing/start-child.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { createUser } from '../../testing/test-user.ts';
import { planMails } from './plan-mails.ts';
import { lookAround } from './site-checks.ts';
import { GB, startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

describe('the mail about what needs a hand', () => {
  const fail = () => site.addJob({ id: 'dead', name: 'sweep-expired', state: 'dead' });
  const mend = () => site.deps.database.db.deleteFrom('jobs').where('id', '=', 'dead').execute();
  it('goes out once a day in the daytime, to every administrator, and ends with what is over', async () => {
    const other = await createAdmin(site, 'lerato');
    // Midnight in Johannesburg.
    site.clock.advance(10 * HOUR);
    await lookAround(site.deps);
    await fail();
    await site.look();
    expect(site.sent).toEqual([]);
    site.clock.advance(7 * HOUR);
    await site.look();
    expect(site.sent).toEqual([]);
    site.clock.advance(HOUR);
    await Promise.all([planMails(site.deps), planMails(site.deps)]).catch(() => undefined);
    await site.look();
    const addresses = [site.admin.user.email, other.user.email].toSorted();
    expect(site.sent.map(({ to }) => to).toSorted()).toEqual(addresses);
    expect(site.sent[0]?.subject).toMatch(/^\d+ things? at Weekender needs? you$/);
    expect(site.sent[0]?.text).toContain('- 1 job has failed permanently.');
    site.clock.advance(HOUR);
    await mend();
    await site.look();
    expect(site.sent).toHaveLength(2);
    site.clock.advance(DAY);
    site.sent.length = 0;
    await site.look();
    expect(site.sent).toHaveLength(2);
    expect(site.sent[0]?.text).toMatch(/All clear[^]*- 1 job has failed permanently\./);
  });

  it('goes out once although two processes plan and send it at the same time', async () => {
    const smtp = await startSmtpServer();
    await fail();
    await site.look({ checks: [] });
    const { db } = site.deps.database;
    await db.deleteFrom('attention_mails').execute();
    await db.deleteFrom('attention_told').execute();
    await db.deleteFrom('outbox').execute();
    site.clock.advance(DAY);
    await site.ranNow('check-site');
    const { settings } = site.deps.database as TestDatabase;
    const children = await Promise.all(
      [1, 2].map(() =>
        startChild({
          settings,
          now: site.clock.now(),
          do: { kind: 'attention', smtpUrl: smtp.url },
        }),
      ),
    );
    for (const child of children) child.go();
    const done = await Promise.all(children.map((child) => child.readMessage()));
    expect(done).toEqual([{ kind: 'told' }, { kind: 'told' }]);
    const received = await smtp.received();
    expect(received.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^\d+ things? at Weekender needs? you$/),
    ]);
    await smtp.close();
  });

  it('isn’t sent again while nothing has changed, but reminds after a week', async () => {
    await fail();
    await site.look();
    expect(site.daily()).toHaveLength(1);
    for (let day = 1; day <= 6; day += 1) {
      site.clock.advance(DAY);
      await site.look();
    }
    expect(site.daily()).toHaveLength(1);
    site.clock.advance(DAY);
    await site.look();
    expect(site.daily()).toHaveLength(2);
  });

  itOnSqlite('isn’t sent from the demo, nor right after a start', async () => {
    await fail();
    Object.assign(site.deps.config, { demo: true });
    await site.look();
    expect(site.sent).toEqual([]);
    Object.assign(site.deps.config, { demo: false });
    site.clock.advance(3 * HOUR);
    await planMails(site.deps);
    await site.worker.runDue();
    expect(site.sent).toEqual([]);
  });

  it('comes as a notice too if it can’t wait, because mail may be what is broken', async () => {
    const pushes = await startPushService();
    Object.assign(site.deps.config, { allowsPrivateServers: true });
    const member = await createUser(site, 'sipho');
    for (const [user, name] of [
      [site.admin, 'phone'],
      [member, 'other'],
    ] as const)
      await user.client.request({
        method: 'PUT',
        url: '/api/me/notifications',
        payload: pushes.createDevice(name),
      });
    await site.look({ free: GB });
    const delivered = pushes.delivered.map(({ device, message }) => [device, message]);
    expect(delivered).toEqual([
      [
        'phone',
        {
          title: 'Weekender needs you now',
          body: 'The disk has 1.0 GB (1%) left. When it is full, nothing can be saved.',
          path: '/admin',
          tag: 'attention-disk',
        },
      ],
    ]);
    await pushes.close();
  });
});
