/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FirstSteps, Recipients, Week } from '#contract/admin/week.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { buildSubscription } from '../../db/build-rows.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Mail, MailMessage } from '../../ports/mail/mail.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { confirmDevices, createAdmin } from '../../testing/test-admin.ts';
import {
  createTestApp,
  PROVIDER,
  type TestApp,
  type TestAppOptions,
} from '../../testing/test-app.ts';
import { payingClient, runPaymentJobs } from '../../testing/test-payments.ts';
import { createSubscriber, createUser, type TestUser } from '../../testing/test-user.ts';
import { announceReleases } from '../releases/jobs.ts';
import { findDrop } from './outcome.ts';

let test: TestApp;
let admin: TestUser;

async function openSite(options?: TestAppOptions) {
  test = await createTestApp(options);
  admin = await createAdmin(test);
}
beforeEach(() => openSite());
afterEach(() => test.close());

async function reopenSite(options: TestAppOptions) {
  await test.close();
  await openSite(options);
}

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};
const get = async (url: string) => {
  const answer = await admin.client.request({ url });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<object>();
};
const readWeek = async (query = ''): Promise<Week> =>
  Week.parse(await get(`/api/admin/week${query}`));

describe('the week', () => {
  it('has this week’s mixes with their state, and what needs attention', async () => {
    const now = test.clock.now();
    await seed({ title: 'Out', publish_at: now - HOUR });
    await seed({ title: 'Early', publish_at: now + 47 * HOUR });
    await seed({ title: 'Planned', publish_at: now + 49 * HOUR });
    await seed({ title: 'Draft', publish_at: null });
    await seed({ title: 'Broken', publish_at: null, status: 'failed', failure: 'Not audio.' });
    await seed({ title: 'Last week', week: 45 });
    await seed({ title: 'Half done', publish_at: null, status: 'processing', progress: 50 });
    const week = await readWeek();
    expect(week.week).toEqual({ year: 2026, week: 46 });
    const stagesOf = ({ releases }: Week) =>
      Object.fromEntries(releases.map(({ title, status, stage }) => [title, `${status} ${stage}`]));
    const stages = {
      Out: 'ready out',
      Early: 'ready early',
      Planned: 'ready scheduled',
      Draft: 'ready draft',
      Broken: 'failed draft',
      'Half done': 'processing draft',
    };
    expect(stagesOf(week)).toEqual(stages);
    expect(week.releases).toContainEqual(
      expect.objectContaining({ title: 'Half done', progress: 50, failure: null }),
    );
    expect(week.releases).toContainEqual(
      expect.objectContaining({ title: 'Broken', failure: 'Not audio.' }),
    );
    await changeSettings(test.deps.database.db, { earlyAccessHours: 24 }, now);
    expect(stagesOf(await readWeek())).toEqual({ ...stages, Early: 'ready scheduled' });
    expect(week.attention).toEqual([
      {
        kind: 'failed-ingest',
        count: 1,
        text: '1 mix failed to process.',
        href: '/admin/tracks?state=failed',
      },
    ]);
  });

  itOnSqlite('counts what needs attention like the lists it links to', async () => {
    const { db } = test.deps.database;
    const now = test.clock.now();
    await seed({ publish_at: null, status: 'failed', failure: 'Not audio.' });
    const { user } = await createUser(test, 'owing');
    const late = {
      provider: 'sandbox',
      plan: 'monthly' as const,
      status: 'late' as const,
      amount: 79_00,
      late_since: now,
      started_at: now,
    };
    await db
      .insertInto('subscriptions')
      .values(buildSubscription({ ...late, id: 'a', user_id: user.id }))
      .execute();
    const job = { id: 'dead', name: 'sweep-expired', payload: '{}', unique_key: null };
    const times = { run_at: now, created_at: now, updated_at: now };
    const tries = {
      lane: 'housekeeping',
      interruptions: 0,
      attempts: 1,
      max_attempts: 1,
      lease_token: null,
      lease_until: null,
    };
    await db
      .insertInto('jobs')
      .values({ ...job, ...times, ...tries, state: 'dead', last_error: 'x' })
      .execute();
    const { attention } = await readWeek();
    const lists: Record<string, string> = {
      '/admin/tracks?state=failed': '/api/admin/tracks?state=failed',
      '/admin/subscribers?filter=late': '/api/admin/subscribers?filter=late',
      '/admin/jobs': '/api/admin/jobs?state=failed',
    };
    expect(attention.map(({ kind, text }) => [kind, text])).toEqual([
      ['failed-ingest', '1 mix failed to process.'],
      ['failed-payments', '1 member has a failed payment.'],
      ['dead-jobs', '1 job has failed permanently.'],
    ]);
    for (const { href, count } of attention) {
      const { items } = (await get(lists[href ?? ''] ?? '')) as { items: unknown[] };
      expect([href, items.length]).toEqual([href, count]);
    }
  });

  it('stages what is due, then what is just out, then what comes next', async () => {
    const now = test.clock.now();
    const staged = async (query = '') => (await readWeek(query)).staged?.title ?? null;
    expect(await staged()).toBeNull();

    const old = await seed({ title: 'From the archive', year: 2019, week: 3, publish_at: null });
    expect(await staged()).toBe('From the archive');

    await seed({ title: 'Last Friday', week: 45, publish_at: now - 7 * DAY });
    expect(await staged()).toBeNull();
    const week = await readWeek();
    expect(week.outcome).toMatchObject({ title: 'Last Friday' });
    expect(week.people.release).toMatchObject({ title: 'Last Friday' });

    await seed({ title: 'Next week', week: 47, publish_at: null });
    expect(await staged()).toBe('Next week');
    const { coming } = await readWeek();
    expect(coming.map(({ title }) => title)).toEqual(['Next week']);

    await seed({ title: 'Just out', publish_at: now - HOUR });
    expect(await staged()).toBe('Just out');
    expect((await readWeek()).outcome).toMatchObject({ title: 'Just out' });

    await seed({ title: 'Second of the week', publish_at: now + DAY });
    await seed({ title: 'Third of the week', publish_at: now + 2 * DAY });
    expect(await staged()).toBe('Second of the week');
    expect(await staged(`?track=${old.id}`)).toBe('From the archive');
    expect(await staged('?track=gone')).toBe('Second of the week');
  });

  it('says how a release went', async () => {
    const { db } = test.deps.database;
    const { id } = await seed({ publish_at: test.clock.now() - HOUR, play_count: 40 });
    const reach = (day: string, percent: number, listeners: number) => ({
      track_id: id,
      day,
      reach: percent,
      listeners,
    });
    await db
      .insertInto('track_reach')
      .values([
        reach('2026-11-14', 1, 3),
        reach('2026-11-15', 1, 2),
        reach('2026-11-15', 50, 4),
        reach('2026-11-15', 100, 11),
        reach('2026-11-01', 1, 90),
      ])
      .execute();
    expect((await readWeek()).outcome).toEqual({
      id,
      title: 'Golden Hour Pressure',
      year: 2026,
      weekNumber: 46,
      publishAt: test.clock.now() - HOUR,
      plays: 40,
      started: 20,
      finished: 11 / 20,
      drop: { at: 1, share: 5 / 20, chapter: 'Substation Intro' },
    });
  });

  it('names who joined since the last release, after which preview, and why others left', async () => {
    const friday = await seed({ title: 'Friday', publish_at: test.clock.now() - 2 * DAY });
    const older = await seed({ title: 'Older', week: 40, publish_at: test.clock.now() - 40 * DAY });
    const play = async (member: TestUser, ...tracks: { id: string }[]) => {
      for (const { id } of tracks) {
        test.clock.advance(1000);
        await member.client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
      }
    };
    const join = async (name: string, ...tracks: { id: string }[]) => {
      const member = await createUser(test, name);
      await play(member, ...tracks);
      const client = payingClient(test, member);
      await client.buy('monthly');
      return { member, client };
    };
    const { member, client } = await join('one', older, friday);
    await play(member, older);
    await join('two', friday);
    await join('three', friday, older);
    await join('four');
    await client.call('POST', '/api/subscription/cancel', { reason: 'too-expensive' });
    expect((await readWeek()).people).toEqual({
      since: '2026-11-13',
      release: { id: friday.id, title: 'Friday', weekNumber: 46 },
      joined: 4,
      joinedFrom: [
        { id: friday.id, title: 'Friday', weekNumber: 46, count: 2 },
        { id: older.id, title: 'Older', weekNumber: 40, count: 1 },
      ],
      // Nobody else has left: the paid months of all of them end on a day to come.
      left: 1,
      reasons: [{ way: 'cancelled', reason: 'too-expensive', count: 1 }],
    });
    test.clock.advance(9 * DAY);
    expect((await readWeek()).people).toMatchObject({
      release: null,
      joined: 0,
      joinedFrom: [],
      left: 0,
      reasons: [],
    });
  });
});

it.each([
  [
    'most stop in the first minute',
    [
      [1, 6],
      [40, 2],
      [100, 4],
    ],
    { at: 36, share: 0.5, chapter: 'A' },
  ],
  [
    'as many stop twice',
    [
      [10, 5],
      [40, 5],
    ],
    { at: 360, share: 0.5, chapter: 'B' },
  ],
  [
    'nobody stops before the end',
    [
      [97, 8],
      [100, 4],
    ],
    null,
  ],
  ['too few listened', [[1, 6]], null],
] as const)('the biggest drop when %s', (_title, reached, expected) => {
  const chapters = [
    { at: null, title: 'Untimed', artist: null },
    { at: 0, title: 'A', artist: null },
    { at: 300, title: 'B', artist: null },
  ];
  const rows = reached.map(([reach, listeners]) => ({ reach, listeners }));
  expect(findDrop(rows, 3600, chapters)).toEqual(expected);
});

describe('the recipients of a release', () => {
  const announce = () =>
    announceReleases.execute(test.deps, '{}', {
      id: '',
      attempt: 1,
      maxAttempts: 1,
      signal: new AbortController().signal,
      finish: async () => undefined,
    });
  const read = async (id: string) =>
    Recipients.parse(await get(`/api/admin/tracks/${id}/recipients`));

  it('are counted as the announcement then reaches them', async () => {
    await createUser(test, 'free');
    await createUser(test, 'unverified', { isEmailVerified: false });
    await createSubscriber(test, 'paying');
    const { client } = await createUser(test, 'quiet');
    await client.request({
      method: 'PATCH',
      url: '/api/me/preferences',
      payload: { releaseMails: false },
    });
    const open = await seed({ publish_at: null, announced_at: null });
    const reserved = await seed({ publish_at: null, announced_at: null, is_subscriber_only: 1 });
    for (const { id } of [open, reserved])
      expect(await read(id)).toEqual({
        mails: { all: 3, subscribers: 2 },
        devices: { all: 0, subscribers: 0 },
        told: { mails: 0, devices: 0 },
        delivery: 'outbox',
      });
    const publish_at = test.clock.now();
    await test.deps.database.db.updateTable('tracks').set({ publish_at }).execute();
    await announce();
    expect(await read(open.id)).toMatchObject({
      mails: { all: 0, subscribers: 0 },
      told: { mails: 3 },
    });
    expect(await read(reserved.id)).toMatchObject({
      mails: { all: 1, subscribers: 0 },
      told: { mails: 2 },
    });
  });

  itOnSqlite('get nothing from a site without a mail server', async () => {
    await reopenSite({ env: { APP_ORIGIN: 'http://127.0.0.1:3000' } });
    const { id } = await seed();
    expect((await read(id)).delivery).toBe('none');
    const gone = await admin.client.request({ url: '/api/admin/tracks/gone/recipients' });
    expect(gone.statusCode).toBe(404);
  });
});

describe('the first steps', () => {
  const readSteps = async () => FirstSteps.parse(await get('/api/admin/first-steps'));
  const listLeft = async () =>
    (await readSteps()).steps.flatMap(({ name, isDone }) => (isDone ? [] : [name]));
  const ALL = ['look', 'release', 'mail', 'seller', 'payments', 'purchase', 'people'];

  it('are all left on a new site, and each is done once it really is', async () => {
    expect(await listLeft()).toEqual(ALL);
    await seed({ publish_at: test.clock.now() + HOUR });
    expect(await listLeft()).toEqual(ALL);
    await seed();
    expect(await listLeft()).not.toContain('release');
    await changeSettings(test.deps.database.db, { siteName: 'Deep Sunday' }, test.clock.now());
    expect(await listLeft()).toEqual(['mail', 'seller', 'payments', 'purchase', 'people']);
    const seller = {
      sellerName: 'Deep Sunday (Pty) Ltd',
      sellerStatus: 'Private company',
      sellerAddress: '1 Long Street',
      sellerPhone: '+27 21 555 0100',
    };
    await changeSettings(test.deps.database.db, seller, test.clock.now());
    expect((await readSteps()).missingSeller).toEqual(['e-mail address']);
    await changeSettings(
      test.deps.database.db,
      { sellerEmail: 'hi@example.com' },
      test.clock.now(),
    );
    expect(await listLeft()).toEqual(['mail', 'payments', 'purchase', 'people']);
    await createUser(test, 'first');
    expect(await listLeft()).toEqual(['mail', 'payments', 'purchase']);
  });

  it('count a purchase of an administrator once it is refunded', async () => {
    const member = await createUser(test, 'member');
    await payingClient(test, member).buy('monthly');
    expect((await readSteps()).purchase).toBe('none');
    await payingClient(test, admin).buy('monthly');
    expect(await readSteps()).toMatchObject({ purchase: 'paid', isTestMode: true });
    const { id } = admin.user;
    const { items } = (await get(`/api/admin/subscribers/${id}/invoices`)) as {
      items: { id: string; amount: number }[];
    };
    await confirmDevices(test, admin);
    const refund = { invoiceId: items[0]?.id, amount: items[0]?.amount, endsSubscription: true };
    const answer = await admin.client.request({
      method: 'POST',
      url: `/api/admin/subscribers/${id}/refund`,
      payload: { ...refund, reason: 'Only a test.' },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    await runPaymentJobs(test);
    expect(await readSteps()).toMatchObject({ purchase: 'refunded' });
    expect(await listLeft()).not.toContain('purchase');
  });

  itOnSqlite('count a test e-mail that this mail server accepted', async () => {
    const sent: MailMessage[] = [];
    const mail: Mail = {
      send: async (message) => void sent.push(message),
      close: () => undefined,
    };
    const smtp = { url: 'smtps://user:secret@mail.example:465', from: 'hi@example.com' };
    await reopenSite({ config: { smtp }, mail });
    expect(await readSteps()).toMatchObject({ mailFrom: 'hi@example.com' });
    expect(await listLeft()).toContain('mail');
    await admin.client.request({ method: 'POST', url: '/api/admin/settings/test-mail' });
    expect(sent).toHaveLength(1);
    expect(await listLeft()).not.toContain('mail');
    Object.assign(smtp, { url: 'smtps://user:secret@other.example:465' });
    expect(await listLeft()).toContain('mail');
  });

  itOnSqlite.each([
    [{}, { provider: 'sandbox', isTestMode: true, isPublic: false }],
    [
      { ...PROVIDER, APP_ORIGIN: 'https://music.example' },
      { provider: 'paystack', isTestMode: false, isPublic: true, origin: 'https://music.example' },
    ],
    [
      {
        ...PROVIDER,
        PAYSTACK_SECRET_KEY: 'sk_test_0123456789',
        APP_ORIGIN: 'https://music.example',
      },
      { provider: 'paystack', isTestMode: true },
    ],
  ])('say how payments are set up: %j', async (env, expected) => {
    await reopenSite({ env });
    const steps = await readSteps();
    expect(steps).toMatchObject(expected);
    expect((await listLeft()).includes('payments')).toBe(steps.isTestMode);
  });

  it('can be skipped where nothing breaks', async () => {
    const skip = (step: string, isSkipped: boolean) =>
      admin.client.request({
        method: 'PUT',
        url: `/api/admin/first-steps/${step}`,
        payload: { isSkipped },
      });
    const listSkipped = async () =>
      (await readSteps()).steps.flatMap(({ name, isSkipped }) => (isSkipped ? [name] : []));
    for (const step of ['release', 'mail', 'seller', 'payments', 'others'])
      expect((await skip(step, true)).statusCode).toBe(400);
    expect((await skip('people', true)).statusCode).toBe(200);
    expect((await skip('people', true)).statusCode).toBe(200);
    await skip('look', true);
    expect(await listSkipped()).toEqual(['look', 'people']);
    await skip('people', false);
    expect(await listSkipped()).toEqual(['look']);
  });
});
