/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminLetter, LetterItem, LetterReach } from '#contract/admin/letters.ts';
import type { Week } from '#contract/admin/week.ts';
import type { Page } from '#contract/paging.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { recordRefusal } from '../../ports/mail/refused-addresses.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createUser } from '../../testing/test-user.ts';
import { savePreferences } from '../preferences/service.ts';
import { startLetterSite, type LetterSite } from '../../testing/letter-site.ts';

let site: LetterSite;
beforeEach(async () => {
  site = await startLetterSite();
});
afterEach(() => site.close());

/** One of each kind, and everybody who gets nothing. */
async function createMembers() {
  const now = site.clock.now();
  const { db } = site.deps.database;
  await site.createReader('anele');
  await site.createReader('lindiwe', now + 30 * DAY);
  await site.createReader('sipho', now - 30 * DAY);
  await createUser(site, 'quiet');
  const unconfirmed = await createUser(site, 'unconfirmed', { isEmailVerified: false });
  const refused = await site.createReader('refused');
  await recordRefusal(
    db,
    { email: refused.user.email, reason: 'No such user', source: 'server' },
    now,
  );
  const disabled = await site.createReader('disabled');
  await db
    .insertInto('disabled_accounts')
    .values({ user_id: disabled.user.id, at: now, reason: 'Spam' })
    .execute();
  const admin = await createAdmin(site);
  for (const { user } of [unconfirmed, admin])
    await savePreferences(db, user.id, { newsMails: true }, now);
}

describe('a letter that is sent', () => {
  it('goes to those who want news: everyone, or Premium, free or lapsed members', async () => {
    await createMembers();
    const { audiences, delivery } = await site.call<LetterReach>('GET', '/reach');
    expect(delivery).toBe('smtp');
    const counts = Object.fromEntries(
      audiences.map(({ audience, members }) => [audience, members]),
    );
    expect(counts).toEqual({ everyone: 4, premium: 1, free: 2, lapsed: 1 });
    const expected = {
      everyone: ['anele', 'lindiwe', 'naledi', 'sipho'],
      premium: ['lindiwe'],
      free: ['anele', 'sipho'],
      lapsed: ['sipho'],
    };
    for (const [audience, names] of Object.entries(expected)) {
      site.sent.length = 0;
      const letter = await site.send(await site.write({ audience }));
      expect(letter).toMatchObject({ state: 'sending' });
      await site.deliver();
      expect([audience, site.recipients()]).toEqual([audience, names]);
      expect(await site.read(letter)).toMatchObject({
        state: 'sent',
        counts: { waiting: 0, sent: names.length, returned: 0, failed: 0, leftOut: 0 },
      });
    }
    const { items } = await site.call<Page<LetterItem>>('GET', '');
    expect(items.map(({ audience }) => audience)).toEqual(Object.keys(expected).toReversed());
  });

  it('names its page and unsubscribes with one click, which is counted once', async () => {
    await site.createReader('anele');
    await site.createReader('sipho');
    const letter = await site.send(await site.write());
    await site.deliver();
    const mail = site.sent.find(({ to }) => to.startsWith('anele'));
    expect(mail).toMatchObject({ subject: 'We play Cape Town' });
    expect(mail?.text).toContain(`${site.deps.site.origin}/letters/${letter.id}`);
    expect(mail?.html).toContain('See you <strong>there</strong>.');
    expect(mail?.unsubscribeUrl).toMatch(/\/api\/unsubscribe\/news\..*\?letter=/);
    expect(mail && [await site.unsubscribe(mail), await site.unsubscribe(mail)]).toEqual([
      200, 200,
    ]);
    expect((await site.read(letter)).counts).toMatchObject({ sent: 2, unsubscribed: 1 });
    site.sent.length = 0;
    await site.send(await site.write());
    await site.deliver();
    expect(site.recipients()).toEqual(['sipho']);
  });

  it('can’t be changed, deleted or sent a second time; only its page comes and goes', async () => {
    await site.createReader('anele');
    const draft = await site.write();
    const letter = await site.send(draft);
    const { version } = letter;
    const path = `/${letter.id}`;
    const locked = { code: 'letter_locked' };
    expect(await site.refusal('PATCH', path, { version, body: 'Oops.' })).toMatchObject(locked);
    expect(await site.refusal('DELETE', path)).toMatchObject(locked);
    const again = { version, at: null };
    expect(await site.refusal('POST', `${path}/send`, again)).toMatchObject(locked);
    expect(await site.refusal('POST', `${path}/go-on`)).toMatchObject(locked);
    await site.deliver();
    expect(await site.refusal('POST', `${path}/stop`)).toMatchObject(locked);
    expect(await site.save(letter, { page: 'none' })).toMatchObject({
      page: 'none',
      state: 'sent',
    });
    expect(site.recipients()).toEqual(['anele']);
  });

  it('needs the password once more, as does going on', async () => {
    await site.createReader('anele');
    const { id, version } = await site.write();
    const now = { version, at: null };
    const later = { version, at: site.clock.now() + HOUR };
    for (const payload of [now, later])
      expect((await site.ask('POST', `/${id}/send`, payload)).json()).toMatchObject({
        code: 'confirmation_required',
      });
    expect(await site.read({ id })).toMatchObject({ state: 'draft' });
    site.server.onMail = () => site.call('POST', `/${id}/stop`);
    await site.createReader('sipho');
    await site.call('POST', `/${id}/send`, now);
    await site.deliver();
    site.clock.advance(HOUR);
    expect((await site.ask('POST', `/${id}/go-on`)).json()).toMatchObject({
      code: 'confirmation_required',
    });
    expect(await site.read({ id })).toMatchObject({ state: 'stopped' });
  });

  it('goes out as it was seen, not as somebody else has just saved it', async () => {
    await site.createReader('anele');
    const seen = await site.write();
    await site.save(seen, { body: 'Another text.' });
    const payload = { version: seen.version, at: null };
    expect(await site.refusal('POST', `/${seen.id}/send`, payload)).toMatchObject({
      code: 'letter_changed',
    });
  });

  it('needs readers, words, and a mix that they can hear', async () => {
    const empty = await site.call<AdminLetter>('POST', '');
    const trySending = async ({ id, version }: AdminLetter, at: number | null = null) =>
      site.refusal('POST', `/${id}/send`, { version, at });
    expect(await trySending(empty)).toMatchObject({
      fields: { subject: 'Enter a subject.', body: 'Write the letter.' },
    });
    const letter = await site.write({ audience: 'lapsed' });
    expect(await trySending(letter)).toMatchObject({
      code: 'letter_refused',
      message: expect.stringContaining('whose Premium has ended'),
    });
    await site.createReader('sipho', site.clock.now() - 30 * DAY);
    const { database, storage, clock } = site.deps;
    const now = clock.now();
    const next = { publish_at: now + DAY, announced_at: null };
    const mix = await seedTrack({ db: database.db, storage, now }, next);
    const early = await site.save(letter, { trackId: mix.id });
    expect(await trySending(early)).toMatchObject({
      message: expect.stringContaining('isn’t out at that time'),
    });
    for (const at of [now, now + 400 * DAY])
      expect(await trySending(early, at)).toMatchObject({ fields: { at: expect.any(String) } });
    expect(await site.send(early, now + 2 * DAY)).toMatchObject({ state: 'planned' });
  });

  itOnSqlite('is refused on a site without a mail server', async () => {
    await site.close();
    site = await startLetterSite({ hasMail: false });
    await site.createReader('anele');
    const { id, version } = await site.write();
    expect(await site.refusal('POST', `/${id}/send`, { version, at: null })).toMatchObject({
      code: 'letter_refused',
      message: expect.stringContaining('no mail server'),
    });
  });
});

describe('a planned letter', () => {
  it('goes out at its time, also after a downtime, unless it is cancelled', async () => {
    await site.createReader('anele');
    const at = site.clock.now() + 2 * HOUR;
    const letter = await site.send(await site.write(), at);
    expect(letter).toMatchObject({ state: 'planned', sendAt: at });
    const change = { version: letter.version, body: 'Later.' };
    expect(await site.refusal('PATCH', `/${letter.id}`, change)).toMatchObject({
      code: 'letter_locked',
      message: expect.stringContaining('Cancel its time first'),
    });
    const draft = await site.call<AdminLetter>('POST', `/${letter.id}/stop`);
    expect(draft).toMatchObject({ state: 'draft', sendAt: null });
    site.clock.advance(3 * HOUR);
    await site.deliver();
    expect(site.sent).toEqual([]);
    await site.send(draft, site.clock.now() + HOUR);
    site.clock.advance(HOUR - MINUTE);
    await site.deliver();
    expect(site.sent).toEqual([]);
    site.clock.advance(DAY);
    await site.deliver();
    expect(site.recipients()).toEqual(['anele']);
  });
});

/** A mix that would be out by the time of the letter, and what becomes of it. */
const CHANGES = {
  postponed: { publish_at: Number.MAX_SAFE_INTEGER },
  unpublished: { publish_at: null },
  deleted: { deleted_at: 1, publish_at: null },
  'for Premium members only': { is_subscriber_only: 1 },
} as const;

describe('a planned letter whose mix changes', () => {
  it.each(Object.entries(CHANGES))('is a draft again if it is %s', async (_name, change) => {
    await site.createReader('anele');
    const { database, storage, clock } = site.deps;
    const { db } = database;
    const at = clock.now() + 2 * HOUR;
    const out = { publish_at: clock.now() + HOUR, announced_at: null };
    const mix = await seedTrack({ db, storage, now: clock.now() }, out);
    const planned = await site.send(await site.write({ trackId: mix.id }), at);
    const well = await site.send(await site.write({ subject: 'Without a mix' }), at);
    await db.updateTable('tracks').set(change).where('id', '=', mix.id).execute();
    site.clock.advance(2 * HOUR);
    await site.deliver();
    expect(site.sent.map(({ subject }) => subject)).toEqual(['Without a mix']);
    expect(await site.read(well)).toMatchObject({ state: 'sent', refusal: null });
    const draft = await site.read(planned);
    expect(draft).toMatchObject({
      state: 'draft',
      sendAt: null,
      refusal: expect.stringContaining('The mix in this letter is'),
    });
    const { items } = await site.call<Page<LetterItem>>('GET', '');
    expect(items.map(({ refusal: why }) => why)).toEqual([null, draft.refusal]);
    const admin = await createAdmin(site);
    const listAttention = async () =>
      (await admin.client.request({ url: '/api/admin/week' })).json<Week>().attention;
    expect(await listAttention()).toContainEqual({
      kind: 'refused-letters',
      count: 1,
      text: '1 planned letter couldn’t go out.',
      href: '/admin/letters',
    });
    const mended = await site.save(draft, { trackId: null });
    expect(mended.refusal).toBeNull();
    expect(await listAttention()).toEqual([]);
    await site.send(mended);
    await site.deliver();
    expect(site.recipients()).toEqual(['anele', 'anele']);
  });
});
