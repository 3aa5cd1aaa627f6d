/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LetterReach } from '#contract/admin/letters.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { buildUser } from '../../db/build-rows.ts';
import { changeSettings } from '../../db/settings.ts';
import { UncertainSend } from '../../ports/mail/mail.ts';
import { forgetRefusal, recordRefusal } from '../../ports/mail/refused-addresses.ts';
import { findTraces } from '../../testing/read-all-tables.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { savePreferences } from '../preferences/service.ts';
import { sendLetters, startLetter } from './jobs.ts';
import { running, startLetterSite, type LetterSite } from '../../testing/letter-site.ts';

let site: LetterSite;
beforeEach(async () => {
  site = await startLetterSite();
});
afterEach(() => site.close());

const exportNames = async ({ user }: TestUser): Promise<string> => {
  const { exportLetterMails } = await import('./service.ts');
  const rows: object[] = [];
  for await (const row of exportLetterMails(site.deps.database.db, user.id)) rows.push(row);
  return JSON.stringify(rows);
};

describe('sending', () => {
  it('stops in the middle, and goes on to the rest', async () => {
    for (const name of ['anele', 'lindiwe', 'sipho', 'thabo']) await site.createReader(name);
    const letter = await site.write();
    site.server.onMail = () =>
      site.sent.length === 1 ? site.call('POST', `/${letter.id}/stop`) : undefined;
    await site.send(letter);
    await site.deliver();
    const stopped = await site.read(letter);
    expect(stopped).toMatchObject({ state: 'stopped', counts: { sent: 2, waiting: 2 } });
    const open = await site.helper.client.request({ url: `/api/letters/${letter.id}` });
    expect(open.statusCode).toBe(404);
    site.clock.advance(DAY);
    await site.deliver();
    expect(site.sent).toHaveLength(2);
    // Those who joined meanwhile aren’t in it, and who has changed their mind gets nothing.
    await site.createReader('zola');
    const waiting = (await site.listRows()).filter(({ state }) => state === 'waiting');
    const { db } = site.deps.database;
    await savePreferences(db, waiting[0]?.user_id ?? '', { newsMails: false }, site.clock.now());
    await site.call('POST', `/${letter.id}/go-on`);
    await site.deliver();
    expect(new Set(site.recipients()).size).toBe(3);
    expect(site.recipients()).not.toContain('zola');
    expect(await site.read(letter)).toMatchObject({
      state: 'sent',
      counts: { sent: 3, waiting: 0, leftOut: 1 },
    });
  });

  it('knows what was refused, what came back and what is uncertain, and sends none twice', async () => {
    for (const name of ['anele', 'lindiwe', 'sipho', 'thabo']) await site.createReader(name);
    const letter = await site.send(await site.write());
    site.server.onMail = async ({ to }) => {
      if (to.startsWith('sipho')) {
        const response = '550 5.1.1 No such user';
        throw Object.assign(new Error(response), {
          response,
          responseCode: 550,
          command: 'RCPT TO',
        });
      }
      if (to.startsWith('thabo')) throw new UncertainSend('The server fell silent.');
    };
    await site.deliver();
    // A mail server that falls silent gets a minute of peace.
    site.clock.advance(2 * MINUTE);
    await site.deliver();
    expect(site.recipients()).toEqual(['anele', 'lindiwe']);
    expect(await site.read(letter)).toMatchObject({
      state: 'sent',
      counts: { sent: 2, returned: 1, failed: 1, waiting: 0 },
    });
    site.clock.advance(HOUR);
    const { db } = site.deps.database;
    const bounce = { reason: 'Mailbox unknown', source: 'bounce' } as const;
    await recordRefusal(db, { email: 'lindiwe@example.com', ...bounce }, site.clock.now());
    expect((await site.read(letter)).counts).toMatchObject({ sent: 1, returned: 2, failed: 1 });
    // Whoever knows that it didn’t arrive sends it again.
    const admin = await createAdmin(site);
    const dead = await db
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', 'dead')
      .where('name', '=', 'send-letter-mail')
      .executeTakeFirstOrThrow();
    site.server.onMail = () => undefined;
    site.sent.length = 0;
    const url = `/api/admin/jobs/${dead.id}/retry`;
    expect((await admin.client.request({ method: 'POST', url })).statusCode).toBeLessThan(300);
    await site.deliver();
    expect(site.recipients()).toEqual(['thabo']);
    expect((await site.read(letter)).counts).toMatchObject({ sent: 2, failed: 0 });
  });

  it('tries an address again that refused meanwhile, or says why not', async () => {
    await site.createReader('thabo');
    const letter = await site.send(await site.write());
    const { db } = site.deps.database;
    const email = 'thabo@example.com';
    site.server.onMail = async () => {
      await recordRefusal(db, { email, reason: 'Full', source: 'bounce' }, site.clock.now());
      throw new UncertainSend('The server fell silent.');
    };
    await site.deliver();
    expect(await site.read(letter)).toMatchObject({ counts: { sent: 0, returned: 1, failed: 0 } });
    const admin = await createAdmin(site);
    const { id } = await db
      .selectFrom('jobs')
      .select('id')
      .where('name', '=', 'send-letter-mail')
      .where('state', '=', 'dead')
      .executeTakeFirstOrThrow();
    const retry = () =>
      admin.client.request({ method: 'POST', url: `/api/admin/jobs/${id}/retry` });
    site.server.onMail = () => undefined;
    const refused = await retry();
    expect(refused.statusCode).toBe(422);
    expect(refused.json<ErrorBody>().message).toContain('address refuses mail');
    await forgetRefusal(db, email);
    expect((await retry()).statusCode).toBeLessThan(300);
    site.clock.advance(2 * MINUTE);
    await site.deliver();
    expect(site.recipients()).toEqual(['thabo']);
    expect(await site.read(letter)).toMatchObject({ counts: { sent: 1, returned: 0, waiting: 0 } });
  });

  it('survives a kill while the recipients are being listed: nobody is in it twice or missing', async () => {
    const { database } = site.deps;
    const { db } = database;
    const now = site.clock.now();
    const ids = Array.from({ length: 620 }, (_, index) => `m${String(index).padStart(4, '0')}`);
    for (let start = 0; start < ids.length; start += 100) {
      const some = ids.slice(start, start + 100);
      await db
        .insertInto('users')
        .values(some.map((id) => buildUser({ id, created_at: now - DAY })))
        .execute();
      for (const id of some) await savePreferences(db, id, { newsMails: true }, now);
    }
    await changeSettings(db, { mailsPerHour: 300 }, now);
    const { audiences } = await site.call<LetterReach>('GET', '/reach');
    expect(audiences[0]).toMatchObject({ audience: 'everyone', members: 620 });
    expect(audiences[0]?.estimateMs).toBeGreaterThan(2 * HOUR);
    const { id } = await site.send(await site.write());
    const killed = new AbortController();
    const payload = JSON.stringify({ id });
    const { signal } = killed;
    let looks = 0;
    const dying = {
      ...signal,
      throwIfAborted: () => {
        looks += 1;
        if (looks === 2) throw new Error('killed');
      },
    } as AbortSignal;
    await expect(startLetter.execute(site.deps, payload, running(dying))).rejects.toThrow('killed');
    expect(await site.listRows()).toHaveLength(500);
    // Several servers look at the same moment.
    await Promise.all([
      startLetter.execute(site.deps, payload, running()),
      startLetter.execute(site.deps, payload, running()),
      sendLetters.execute(site.deps, '{}', running()),
    ]);
    const rows = await site.listRows();
    expect(rows.map(({ user_id }) => user_id)).toEqual(ids);
    expect((await site.read({ id })).counts.waiting).toBe(620);
    const queued = rows.filter(({ state }) => state === 'queued').map(({ user_id }) => user_id);
    const jobs = await db
      .selectFrom('jobs')
      .select('payload')
      .where('name', '=', 'send-letter-mail')
      .execute();
    // Ten minutes of mails, so that a release in between needn’t wait for all of it.
    expect(queued.length).toBeGreaterThanOrEqual(50);
    // On SQLite one server writes after the other; on PostgreSQL each may fill the queue.
    const rounds = database.dialect === 'sqlite' ? 1 : 3;
    expect(queued.length).toBeLessThanOrEqual(rounds * 50);
    expect(
      jobs.map((job) => (JSON.parse(job.payload) as { userId: string }).userId).toSorted(),
    ).toEqual(queued);
  });

  it('doesn’t wait for members who leave, and their data says what they got', async () => {
    const leaving = await site.createReader('anele');
    await site.createReader('sipho');
    const first = await site.send(await site.write({ subject: 'One' }));
    await site.deliver();
    const names = await exportNames(leaving);
    expect(names).toContain('One');
    const second = await site.write({ subject: 'Two' });
    await site.send(second);
    await startLetter.execute(site.deps, JSON.stringify({ id: second.id }), running());
    const deleted = await leaving.client.request({
      method: 'DELETE',
      url: '/api/me',
      payload: { password: PASSWORD, confirmation: 'delete' },
    });
    expect(deleted.statusCode).toBe(204);
    await site.deliver();
    expect(await site.read(second)).toMatchObject({
      state: 'sent',
      counts: { sent: 1, waiting: 0, leftOut: 1 },
    });
    expect((await site.read(first)).counts).toMatchObject({ sent: 2 });
    expect(await findTraces(site.deps.database, [leaving.user.id])).not.toContainEqual(
      expect.stringContaining('letter'),
    );
  });
});
