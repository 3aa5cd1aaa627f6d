/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { Week } from '#contract/admin/week.ts';
import type { SiteSettings } from '#contract/admin/settings.ts';
import type { Mail, MailMessage } from '../../ports/mail/mail.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, type TestUser } from '../../testing/test-user.ts';
import { warnAboutSeller } from './seller.ts';
import { buildInvoice } from '../../db/build-rows.ts';
import { watchSettings } from './service.ts';
import { HOUR } from '#contract/rules/time.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  admin = await createAdmin(test);
});
afterEach(() => test.close());

const read = async (): Promise<SiteSettings> =>
  (await admin.client.request({ url: '/api/admin/settings' })).json<SiteSettings>();

const change = (body: object, { client } = admin) =>
  client.request({ method: 'PATCH', url: '/api/admin/settings', payload: body });

const readPage = async () =>
  (await test.app.inject({ url: '/', headers: { accept: 'text/html' } })).body;

describeOnSqlite('the settings', () => {
  it('have defaults until someone changes them', async () => {
    expect(await read()).toEqual({
      version: 0,
      values: {
        siteName: 'Weekender',
        senderName: '',
        sentence: '',
        headline: '',
        lead: '',
        aboutText: '',
        isAboutPublic: false,
        links: [],
        logo: null,
        picture: null,
        icon: null,
        sleeveFamily: 'all',
        hemisphere: 'south',
        greeting: 'Hello {name},',
        releaseIntro: 'Week {week} is out on {site}.',
        releaseEnd: '',
        premiumWelcome: 'You’re in. {mixes}, {how}.',
        timeZone: 'Africa/Johannesburg',
        monthlyPrice: 79_00,
        annualPrice: 790_00,
        dataPrice: null,
        trialDays: 0,
        graceDays: 3,
        areRenewalsOn: true,
        chargesPerHour: 500,
        releaseDay: 4,
        releaseHour: 6,
        areMomentsOn: false,
        forbiddenWords: '',
        earlyAccessHours: 48,
        isNextAnnounced: true,
        clipSeconds: 60,
        mailsPerHour: 0,
        eventsDays: 400,
        sellerName: '',
        sellerStatus: '',
        sellerAddress: '',
        sellerRegistration: '',
        sellerVatNumber: '',
        sellerPhone: '',
        sellerEmail: '',
        isVatCharged: false,
        vatRates: [{ percent: 15, from: '2018-04-01' }],
        vatCategory: 'B',
        yearEndMonth: 2,
        salesAccount: '',
        vatRateName: '',
        coolingOffDays: 7,
        continueMonthly: false,
        streamsPerAccount: 3,
      },
      fixed: [],
      mailFrom: null,
    });
  });

  it('apply immediately to pages and prices, and the audit log has both values', async () => {
    const answer = await change({
      version: 0,
      values: { siteName: 'Groove & Co', monthlyPrice: 89_00, dataPrice: 85_00, graceDays: 3 },
    });
    expect(answer.json<SiteSettings>()).toMatchObject({
      version: 1,
      values: { siteName: 'Groove & Co', monthlyPrice: 89_00 },
    });
    const page = await readPage();
    expect(page).toContain('Groove &amp; Co</title>');
    expect(page).toContain('"dataPrice":8500');
    const manifest = await test.app.inject({ url: '/manifest.webmanifest' });
    expect(manifest.json<{ name: string }>().name).toBe('Groove & Co');
    const plans = await test.app.inject({ url: '/api/plans' });
    expect(plans.json()).toMatchObject({ monthly: { amount: 89_00 } });
    const [act] = await test.deps.database.db.selectFrom('audit_log').selectAll().execute();
    expect(JSON.parse(act?.before ?? '')).toEqual({
      siteName: 'Weekender',
      monthlyPrice: 79_00,
      dataPrice: null,
    });
    expect(JSON.parse(act?.after ?? '')).toEqual({
      siteName: 'Groove & Co',
      monthlyPrice: 89_00,
      dataPrice: 85_00,
    });
  });

  it('decide how early subscribers get a release', async () => {
    const { database, storage, clock } = test.deps;
    const release = { publish_at: clock.now() + HOUR };
    const track = await seedTrack({ db: database.db, storage, now: clock.now() }, release);
    const subscriber = await createSubscriber(test);
    const see = async () =>
      (await subscriber.client.request({ url: `/api/tracks/${track.id}` })).statusCode;
    expect(await see()).toBe(200);
    await change({ version: 0, values: { earlyAccessHours: 0 } });
    expect(await see()).toBe(404);
  });

  it('tell an administrator that someone else saved first', async () => {
    expect((await change({ version: 0, values: { graceDays: 5 } })).statusCode).toBe(200);
    const second = await change({ version: 0, values: { graceDays: 7 } });
    expect([second.statusCode, second.json<ErrorBody>().code]).toEqual([409, 'settings_changed']);
    expect((await read()).values.graceDays).toBe(5);
  });

  it('reach the other servers', async () => {
    await change({ version: 0, values: { siteName: 'Elsewhere', timeZone: 'Europe/London' } });
    const other = await createTestApp();
    try {
      const { database } = test.deps;
      const stop = await watchSettings({ ...other.deps, database });
      expect(other.deps.config).toMatchObject({ siteName: 'Elsewhere', timeZone: 'Europe/London' });
      await stop();
    } finally {
      await other.close();
    }
  });

  it.each([
    { siteName: '' },
    { siteName: 'x'.repeat(61) },
    { siteName: 'two\nlines' },
    { timeZone: 'Mars/Olympus' },
    { monthlyPrice: 99 },
    { monthlyPrice: 79.5 },
    { annualPrice: '790' },
    { graceDays: -1 },
    ...[0, -85_00, 99, 10_000_00, 85.5, 'R85', '85'].map((dataPrice) => ({ dataPrice })),
    { trialDays: 91 },
    { releaseDay: 7 },
    { releaseHour: 24 },
    { earlyAccessHours: 337 },
    { mailsPerHour: -1 },
    { mailsPerHour: 2.5 },
    { eventsDays: 29 },
    { sellerName: 'two\nlines' },
    { sellerAddress: 'x\n'.repeat(11) + 'x' },
    { sellerVatNumber: '3123456789' },
    { sellerVatNumber: '412345678' },
    { sellerPhone: 'call me' },
    { sellerEmail: 'nobody' },
    { isVatCharged: 'yes' },
    ...[0, 51, 101, 15.555, '15'].map((percent) => ({
      vatRates: [{ percent, from: '2026-01-01' }],
    })),
    { vatRates: [] },
    { vatRates: [{ percent: 15, from: '2026-02-30' }] },
    {
      vatRates: [
        { percent: 15, from: '2026-01-01' },
        { percent: 16, from: '2026-01-01' },
      ],
    },
    { vatCategory: 'D' },
    { yearEndMonth: 13 },
    { sellerVatNumber: '41234567890' },
    { colour: 'red' },
  ])('reject %o with a field error and save nothing', async (values) => {
    const answer = await change({ version: 0, values });
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json<ErrorBody>().fields ?? {})[0]).toMatch(/^values/);
    expect((await read()).version).toBe(0);
  });

  it('let VAT be charged only by a seller with a name, an address and a VAT number', async () => {
    const answer = await change({ version: 0, values: { isVatCharged: true, sellerName: 'Me' } });
    expect([answer.statusCode, answer.json<ErrorBody>().fields]).toEqual([
      400,
      {
        'values.sellerAddress': 'Required when you charge VAT.',
        'values.sellerVatNumber': 'Required when you charge VAT.',
      },
    ]);
    expect((await read()).version).toBe(0);
    const values = {
      isVatCharged: true,
      sellerName: 'Me',
      sellerAddress: '1 Long Street\r\nCape Town',
      sellerVatNumber: '412 345 6789',
      vatRates: [
        { percent: 15, from: '2018-04-01' },
        { percent: 15.5, from: '2027-04-01' },
      ],
    };
    const saved = await change({ version: 0, values });
    expect(saved.json<SiteSettings>().values).toMatchObject({
      ...values,
      sellerAddress: '1 Long Street\nCape Town',
      sellerVatNumber: '4123456789',
    });
    const emptied = await change({ version: 1, values: { sellerAddress: '' } });
    expect(emptied.json<ErrorBody>().fields).toEqual({
      'values.sellerAddress': 'Required when you charge VAT.',
    });
  });

  it('that come from the environment can’t be changed here', async () => {
    const fixed = await createTestApp({ env: { SITE_NAME: 'Fixed' } });
    try {
      const { client } = await createAdmin(fixed);
      const answer = await change({ version: 0, values: { siteName: 'Other' } }, {
        client,
      } as never);
      expect(answer.json<ErrorBody>()).toMatchObject({
        code: 'settings_fixed',
        fields: { siteName: expect.stringContaining('environment variable') },
      });
      const shown = await client.request({ url: '/api/admin/settings' });
      expect(shown.json<SiteSettings>()).toMatchObject({
        fixed: ['siteName'],
        values: { siteName: 'Fixed' },
      });
    } finally {
      await fixed.close();
    }
  });
});

it('a future VAT rate can be planned and removed; those up to today stay once invoices have them', async () => {
  const first = { percent: 15, from: '2018-04-01' };
  const planned = { percent: 16, from: '2026-12-01' };
  const { db } = test.deps.database;
  await db
    .insertInto('invoices')
    .values(
      buildInvoice({
        id: 'i',
        number: 1,
        user_id: null,
        provider: 'sandbox',
        charge_id: 'c',
        plan: 'monthly',
        at: test.clock.now(),
        from_at: 0,
        to_at: 0,
        amount: 79_00,
        currency: 'ZAR',
        vat_rate: 15_00,
      }),
    )
    .execute();
  const set = (version: number, ...vatRates: object[]) => change({ version, values: { vatRates } });
  const saved = await set(0, planned, first);
  expect(saved.json<SiteSettings>().values.vatRates).toEqual([first, planned]);
  const [act] = await db.selectFrom('audit_log').selectAll().execute();
  expect(JSON.parse(act?.after ?? '')).toEqual({
    vatRates: '15% from 2018-04-01, 16% from 2026-12-01',
  });
  expect((await set(1, first)).statusCode).toBe(200);
  for (const rates of [
    [{ percent: 14, from: '2018-04-01' }],
    [planned],
    [first, { percent: 16, from: '2026-11-01' }],
  ]) {
    const refused = await set(2, ...rates);
    expect([refused.statusCode, Object.keys(refused.json<ErrorBody>().fields ?? {})]).toEqual([
      400,
      ['values.vatRates'],
    ]);
  }
  expect((await read()).values.vatRates).toEqual([first]);
});

describe('a seller without legal data', () => {
  const seller = {
    sellerName: 'Me',
    sellerStatus: 'Sole proprietor',
    sellerAddress: '1 Long Street',
    sellerPhone: '+27 11 555 0100',
    sellerEmail: 'me@example.com',
  };
  const listAttention = async () => {
    const answer = await admin.client.request({ url: '/api/admin/week' });
    return answer.json<Week>().attention;
  };

  it('is warned on the dashboard and at the start once the site takes real payments', async () => {
    expect(await listAttention()).toEqual([]);
    await warnAboutSeller(test.deps);
    expect(test.logText()).not.toContain('seller');
    test.deps.payments.name = 'paystack';
    expect(await listAttention()).toEqual([
      {
        kind: 'seller-incomplete',
        count: 5,
        text: 'Your seller details are incomplete: legal name, legal status, address, phone number, e-mail address missing.',
        href: '/admin/settings/seller',
      },
    ]);
    await warnAboutSeller(test.deps);
    expect(test.logText()).toContain('the seller’s legal name, legal status, address');
    await change({ version: 0, values: { ...seller, sellerPhone: '' } });
    expect(await listAttention()).toMatchObject([
      { text: 'Your seller details are incomplete: phone number missing.' },
    ]);
    await change({ version: 1, values: { sellerPhone: seller.sellerPhone } });
    expect(await listAttention()).toEqual([]);
  });
});

describeOnSqlite('the test message', () => {
  const send = ({ client }: TestUser) =>
    client.request({ method: 'POST', url: '/api/admin/settings/test-mail' });

  itOnSqlite('goes to the administrator who asked, or to the outbox', async () => {
    const answer = await send(admin);
    expect(answer.json()).toEqual({ to: 'naledi@example.com', isSent: false });
    const outbox = await test.deps.database.db.selectFrom('outbox').selectAll().execute();
    expect(outbox).toMatchObject([{ recipient: 'naledi@example.com' }]);
  });

  itOnSqlite('shows the mail server’s error without its password', async () => {
    const mail: Mail = {
      send: async (_message: MailMessage) => {
        throw new Error('connect ECONNREFUSED smtp://user:hunter2@mail.example');
      },
      close: () => undefined,
    };
    const failing = await createTestApp({ mail });
    try {
      const answer = await send(await createAdmin(failing));
      expect([answer.statusCode, answer.json<ErrorBody>().code]).toEqual([502, 'mail_refused']);
      expect(answer.body).toContain('ECONNREFUSED');
      expect(answer.body).not.toContain('hunter2');
    } finally {
      await failing.close();
    }
  });
});
