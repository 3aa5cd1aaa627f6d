import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { enqueue } from '../../jobs/queue.ts';
import { LANES } from '../../jobs/lanes.ts';
import { createSmtpMail } from '../../ports/mail/mail.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { startSmtpServer, type TestSmtp } from '../../testing/smtp-server.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUploader } from '../../testing/test-upload.ts';
import { createUser } from '../../testing/test-user.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { deleteFiles } from '../catalogue/service.ts';
import { sendReleaseMail } from '../releases/jobs.ts';

const tone = writeToneWav({ seconds: 4, loudFrom: 1 });

let smtp: TestSmtp;
let test: TestApp;
/** What the mail server and the store would say if they said anything. */
let answers: (() => void)[];
let asked: string[];
beforeEach(async () => {
  answers = [];
  asked = [];
  smtp = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) => {
      asked.push(address);
      if (address.startsWith('fan')) answers.push(() => done(new Error('Closing.')));
      else done();
    },
  });
  const limits = { connectMs: HOUR, silenceMs: HOUR, totalMs: HOUR };
  const mail = createSmtpMail({ url: smtp.url, from: 'music@example.com' }, limits);
  test = await createTestApp({ mail });
});
afterEach(async () => {
  await test.worker.stop({ limitMs: 0 });
  for (const answer of answers) answer();
  await test.close();
  await smtp.close();
});

it('hundreds of release e-mails, a silent mail server and a silent store hold up neither a password reset nor an upload nor its ingest', async () => {
  const { database, clock, storage } = test.deps;
  const { db } = database;
  const fan = await createUser(test, 'fan');
  const member = await createUser(test, 'member');
  const { client } = await createAdmin(test);
  await test.worker.runDue();
  const now = clock.now();
  const track = await seedTrack({ db, storage, now });
  const { delete: deleteFile } = storage;
  Object.assign(storage, {
    delete: (key: string) => {
      if (!key.startsWith('orphans/')) return deleteFile(key);
      asked.push('orphans');
      return new Promise<void>((resolve) => void answers.push(resolve));
    },
  });
  const release = { trackId: track.id, userId: fan.user.id };
  for (let n = 0; n < 300; n += 1) await enqueue(db, sendReleaseMail, release, { now });
  for (let n = 0; n < 20; n += 1)
    await enqueue(db, deleteFiles, { keys: [`orphans/${n}`] }, { now });

  asked = [];
  await test.worker.start();
  const stuck = [...Array<string>(LANES['bulk-mail']).fill(fan.user.email), 'orphans'];
  await expect.poll(() => asked.toSorted()).toEqual(stuck.toSorted());

  await test.createClient().request({
    method: 'POST',
    url: '/api/auth/reset-password/request',
    payload: { email: member.user.email },
  });
  await expect
    .poll(async () => (await smtp.received()).map(({ subject }) => subject))
    .toEqual([expect.stringMatching(/password/i)]);
  await createUploader(client).upload(tone, { filename: 'A mix.wav' });
  const readNew = () =>
    db.selectFrom('tracks').select('status').where('id', '!=', track.id).execute();
  await expect.poll(readNew).toEqual([{ status: 'ready' }]);
  // All the while, nobody has answered.
  expect(asked.toSorted()).toEqual([...stuck, member.user.email].toSorted());
});
