/** @module-tag both-databases */
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import type { LegalDraft, LegalPage } from '#contract/legal.ts';
import { LEGAL_PAGES } from '#contract/legal-pages.ts';
import { changeSettings, CACHE_MS } from '../../db/settings.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { payingClient } from '../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestUser;
beforeEach(async () => {
  test = await createTestApp({ hasPage: true });
  admin = await createUser(test, 'nomsa');
  await test.deps.database.db.updateTable('users').set({ is_admin: 1 }).execute();
});
afterEach(() => test.close());

const readPage = async (page: string, version?: number) => {
  const url = `/api/legal/${page}${version === undefined ? '' : `?version=${version}`}`;
  return (await test.app.inject({ url })).json<LegalPage>();
};
const readDraft = async (page: string) =>
  (await admin.client.request({ url: `/api/admin/legal/${page}` })).json<LegalDraft>();
const publish = (page: string, version: number, text: string) =>
  admin.client.request({
    method: 'POST',
    url: `/api/admin/legal/${page}`,
    payload: { version, text },
  });
const listAcceptances = ({ user }: TestUser) =>
  test.deps.database.db
    .selectFrom('legal_acceptances')
    .select(['page', 'version', 'place'])
    .where('user_id', '=', user.id)
    .orderBy('place')
    .orderBy('page')
    .execute();

describe('a legal page', () => {
  itOnSqlite(
    'states the seller and the rules of the site before anyone has edited it',
    async () => {
      const { db } = test.deps.database;
      const seller = {
        sellerName: 'Deep *Sunday* (Pty) Ltd',
        sellerStatus: 'Private company',
        sellerAddress: '1 Long Street\nCape Town',
        sellerPhone: '+27 21 555 0100',
        sellerEmail: 'hello@example.com',
        sellerRegistration: '2026/123456/07',
        sellerVatNumber: '4123456789',
      };
      const rules = { monthlyPrice: 99_00, coolingOffDays: 9, trialDays: 5, continueMonthly: true };
      await changeSettings(db, { ...seller, ...rules }, test.clock.now());
      const terms = await readPage('terms');
      expect(terms).toMatchObject({ version: 1, at: test.clock.now() });
      for (const text of [
        'Deep *Sunday* (Pty) Ltd',
        'R99 a month',
        'R790 a year',
        'Within 9 days after the first payment',
        '5 days free',
        'continues month by month',
        'without giving a reason',
      ])
        expect(terms.html).toContain(text);
      expect((await readPage('refunds')).html).toContain('Within 9 days after the first payment');
      expect((await readPage('privacy')).html).toContain('POPIA');
      expect((await readPage('contact')).seller).toEqual({
        name: 'Deep *Sunday* (Pty) Ltd',
        status: 'Private company',
        address: '1 Long Street\nCape Town',
        registration: '2026/123456/07',
        vatNumber: '4123456789',
        phone: '+27 21 555 0100',
        email: 'hello@example.com',
      });
      for (const page of LEGAL_PAGES) expect((await readPage(page)).html).not.toMatch(/\{\w+\}/);
    },
  );

  itOnSqlite.each([
    [{}, ''],
    [{ sellerEmail: 'hi@example.com' }, 'Write: we answer'],
    [{ sellerEmail: 'hi@example.com', sellerPhone: '+27 21 555 0100' }, 'Write or call: we answer'],
    [
      {
        sellerEmail: 'hi@example.com',
        sellerPhone: '+27 21 555 0100',
        sellerAddress: '1 Long Street',
      },
      'Write, call or visit: we answer',
    ],
  ])('offers only the ways to reach the seller that the settings name: %j', async (ways, text) => {
    await changeSettings(test.deps.database.db, ways, test.clock.now());
    const { html } = await readPage('contact');
    expect(html).toContain('You can cancel yourself');
    if (text) expect(html).toContain(text);
    else expect(html).not.toContain('we answer');
  });

  itOnSqlite('says that there is no cooling-off if the operator turned it off', async () => {
    await changeSettings(test.deps.database.db, { coolingOffDays: 0 }, test.clock.now());
    expect((await readPage('refunds')).html).toContain('no cooling-off period beyond');
  });

  it('gets a new version with every save; earlier ones stay readable', async () => {
    const { version, text } = await readDraft('terms');
    test.clock.advance(60_000);
    expect((await publish('terms', version, text)).json<LegalDraft>().version).toBe(1);
    expect((await publish('terms', 1, '# Ours\n\n{siteName}')).statusCode).toBe(200);
    expect((await publish('terms', 1, 'Theirs')).json()).toMatchObject({ code: 'legal_changed' });
    const now = await readPage('terms');
    expect(now).toMatchObject({
      version: 2,
      at: test.clock.now(),
      html: '<h2>Ours</h2>\n<p>Weekender</p>\n',
    });
    expect(now.versions.map((row) => row.version)).toEqual([2, 1]);
    expect((await readPage('terms', 1)).html).toContain('What you get');
    expect((await test.app.inject({ url: '/api/legal/terms?version=3' })).statusCode).toBe(404);
    expect((await readDraft('terms')).versions).toMatchObject([
      { version: 2, by: 'nomsa' },
      { version: 1, by: null },
    ]);
    const audit = await admin.client.request({ url: '/api/admin/audit' });
    expect(audit.body).toContain('legal.published');
  });

  it('is published once when two administrators save at the same time', async () => {
    await readDraft('terms');
    const responses = await Promise.all([publish('terms', 1, 'One'), publish('terms', 1, 'Two')]);
    const codes = responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(codes).toEqual([200, 409]);
  });

  itOnSqlite('rejects empty, endless and invalid texts, and other pages', async () => {
    await readDraft('terms');
    for (const text of ['', '  ', 'x'.repeat(50_001), 'a\0b'])
      expect((await publish('terms', 1, text)).statusCode).toBe(400);
    expect((await publish('terms', 1, '语'.repeat(50_000))).statusCode).toBe(200);
    expect((await test.app.inject({ url: '/api/legal/imprint' })).statusCode).toBe(400);
  });

  itOnSqlite('is edited by administrators only, with a preview', async () => {
    const { client } = await createUser(test);
    const url = '/api/admin/legal/terms/preview';
    const payload = { text: '**{siteName}** <script>alert(1)</script>' };
    expect((await client.request({ method: 'POST', url, payload })).statusCode).toBe(404);
    expect((await client.request({ url: '/api/admin/legal/terms' })).statusCode).toBe(404);
    const preview = await admin.client.request({ method: 'POST', url, payload });
    expect(preview.json()).toEqual({
      html: '<p><strong>Weekender</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>\n',
    });
    expect((await readPage('terms')).version).toBe(1);
    for (const page of LEGAL_PAGES) {
      const { version } = await readDraft(page);
      expect((await publish(page, version, `Our ${page}.`)).statusCode).toBe(200);
      expect((await readPage(page)).html).toBe(`<p>Our ${page}.</p>\n`);
    }
  });

  itOnSqlite('has a title, a description and its text without scripts', async () => {
    await changeSettings(test.deps.database.db, { sellerName: 'Ben & Co' }, test.clock.now());
    for (const [page, title] of [
      ['terms', 'Terms'],
      ['privacy', 'Privacy Policy'],
      ['refunds', 'Refund Policy'],
      ['contact', 'Contact'],
      ['copyright', 'Copyright complaints'],
    ]) {
      const response = await test.app.inject({
        url: `/${page}`,
        headers: { accept: 'text/html' },
      });
      expect(response.statusCode).toBe(200);
      expect(response.body).toContain(`<title>${title} · Weekender</title>`);
      expect(response.body).toContain('<meta name="description" content="');
      expect(response.body).toMatch(/<noscript><div role="main"><h1>/);
      expect(response.body).toContain('Version of 15 November 2026');
    }
    const contact = await test.app.inject({ url: '/contact', headers: { accept: 'text/html' } });
    expect(contact.body).toContain('<dt>Name</dt><dd>Ben &amp; Co</dd>');
  });
});

describeOnSqlite('acceptance', () => {
  it('is recorded with the version at registration and at checkout, and is exported', async () => {
    const member = await createUser(test);
    expect(await listAcceptances(member)).toEqual([
      { page: 'privacy', version: 1, place: 'registration' },
      { page: 'terms', version: 1, place: 'registration' },
    ]);
    await publish('terms', 1, 'New terms');
    await payingClient(test, member).begin('monthly');
    expect(await listAcceptances(member)).toEqual([
      { page: 'privacy', version: 1, place: 'checkout' },
      { page: 'refunds', version: 1, place: 'checkout' },
      { page: 'terms', version: 2, place: 'checkout' },
      { page: 'privacy', version: 1, place: 'registration' },
      { page: 'terms', version: 1, place: 'registration' },
    ]);
  });

  it('is in the personal-data archive of its member, and of nobody else', async () => {
    const member = await createUser(test);
    const at = test.clock.now();
    await publish('terms', 1, 'New terms');
    await payingClient(test, member).begin('monthly');
    const readArchive = async ({ client }: TestUser) => {
      const { rawPayload } = await client.request({ url: '/api/me/export' });
      return JSON.parse(strFromU8(unzipSync(rawPayload)['legal.json']!)) as object[];
    };
    expect(await readArchive(member)).toEqual([
      { page: 'privacy', version: 1, place: 'checkout', at },
      { page: 'privacy', version: 1, place: 'registration', at },
      { page: 'refunds', version: 1, place: 'checkout', at },
      { page: 'terms', version: 1, place: 'registration', at },
      { page: 'terms', version: 2, place: 'checkout', at },
    ]);
    expect(await readArchive(await createUser(test, 'lerato'))).toHaveLength(2);
  });

  it('of a refused registration is not recorded', async () => {
    await createUser(test);
    await expect(createUser(test)).rejects.toThrow('Invalid input');
    const { db } = test.deps.database;
    const rows = await db.selectFrom('legal_acceptances').selectAll().execute();
    expect(new Set(rows.map(({ user_id }) => user_id)).size).toBe(2);
  });

  it('is deleted with the account, and texts no longer name a deleted author', async () => {
    const member = await createUser(test);
    await test.deps.database.db
      .updateTable('users')
      .set({ is_admin: 1 })
      .where('id', '=', member.user.id)
      .execute();
    await readDraft('terms');
    const payload = { version: 1, text: 'Mine' };
    await member.client.request({ method: 'POST', url: '/api/admin/legal/terms', payload });
    const deletion = { password: 'correct horse battery', confirmation: 'delete' };
    await member.client.request({ method: 'DELETE', url: '/api/me', payload: deletion });
    expect(await listAcceptances(member)).toEqual([]);
    expect((await readDraft('terms')).versions[0]).toMatchObject({ version: 2, by: null });
  });
});

describe('a change of the terms', () => {
  const readUser = async ({ client }: TestUser) =>
    (await client.request({ url: '/api/auth/me' })).json<User>();

  itOnSqlite(
    'is shown to earlier members until they have seen it, and to nobody else',
    async () => {
      const member = await createUser(test);
      expect(await readUser(member)).not.toHaveProperty('termsChangedAt');
      test.clock.advance(60_000);
      await publish('terms', 1, 'New terms');
      expect((await readUser(member)).termsChangedAt).toBe(test.clock.now());
      test.clock.advance(60_000);
      const newcomer = await createUser(test, 'sipho');
      expect(await readUser(newcomer)).not.toHaveProperty('termsChangedAt');

      const seen = { method: 'POST', url: '/api/legal/changes/seen' } as const;
      expect((await member.client.request(seen)).statusCode).toBe(204);
      expect((await member.client.request(seen)).statusCode).toBe(204);
      expect(await readUser(member)).not.toHaveProperty('termsChangedAt');
      expect(await listAcceptances(member)).toContainEqual({
        page: 'terms',
        version: 2,
        place: 'notice',
      });
      await publish('privacy', 1, 'New policy');
      test.clock.advance(CACHE_MS);
      expect((await readUser(member)).termsChangedAt).toBeDefined();
    },
  );

  itOnSqlite('of the refund policy or the contact page tells nobody', async () => {
    const member = await createUser(test);
    test.clock.advance(60_000);
    await publish('refunds', (await readDraft('refunds')).version, 'New');
    await publish('contact', (await readDraft('contact')).version, 'New');
    expect(await readUser(member)).not.toHaveProperty('termsChangedAt');
  });

  it('accepted at a checkout is not shown again', async () => {
    const member = await createUser(test);
    test.clock.advance(60_000);
    await publish('terms', 1, 'New terms');
    await payingClient(test, member).begin('monthly');
    expect(await readUser(member)).not.toHaveProperty('termsChangedAt');
  });
});
