/** @module-tag both-databases */
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminLetter } from '#contract/admin/letters.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { lookFileName } from '#contract/look.ts';
import { DAY } from '#contract/rules/time.ts';
import { type MailMessage } from '../../ports/mail/mail.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { startLetterSite, type LetterSite } from '../../testing/letter-site.ts';

let site: LetterSite;
beforeEach(async () => {
  site = await startLetterSite();
});
afterEach(() => site.close());

describe('a draft', () => {
  it('keeps what is typed, and says so when somebody else was faster', async () => {
    const letter = await site.write();
    expect(letter).toMatchObject({ state: 'draft', subject: 'We play Cape Town', page: 'members' });
    const renamed = await site.save(letter, { subject: 'We play Durban' });
    const mine = await site.save(renamed, { body: 'Longer.' });
    expect(mine).toMatchObject({ subject: 'We play Durban', body: 'Longer.' });
    expect(
      await site.refusal('PATCH', `/${letter.id}`, { version: letter.version, body: 'Mine.' }),
    ).toMatchObject({ code: 'letter_changed' });
    expect(await site.read(letter)).toEqual(mine);
    const deleted = await site.ask('DELETE', `/${letter.id}`);
    expect(deleted.statusCode).toBe(204);
    expect(await site.refusal('GET', `/${letter.id}`)).toMatchObject({ code: 'not_found' });
  });

  it('refuses what is wrong with a sentence', async () => {
    const letter = await site.call<AdminLetter>('POST', '');
    const wrong = [
      ['subject', 'x'.repeat(121), 'Use at most 120 characters.'],
      ['subject', 'Hello\r\nBcc: you@example.com', 'Use one line of text.'],
      ['body', 'é'.repeat(51_201), 'Use at most 100 KB of text.'],
      ['body', 'a\0', 'The text contains an invalid character.'],
      ['picture', '../../database.sqlite', 'Choose the picture again.'],
      ['trackId', 'nothing', 'Choose a mix that exists.'],
      ['audience', 'enemies', 'Choose who gets it.'],
      ['page', 'nobody', 'Choose who can read it on the site.'],
    ] as const;
    for (const [field, value, message] of wrong) {
      const payload = { version: letter.version, [field]: value };
      expect(await site.refusal('PATCH', `/${letter.id}`, payload)).toMatchObject({
        code: 'validation_failed',
        fields: { [field]: message },
      });
    }
  });

  it('is shown as it will arrive, and harmless whatever it says', async () => {
    const { database, storage, clock } = site.deps;
    const now = clock.now();
    const next = { publish_at: now + DAY, announced_at: null, title: 'Night Bus' };
    const { id: trackId } = await seedTrack({ db: database.db, storage, now }, next);
    const content = {
      subject: '',
      body: [
        '# News <script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '[bad](javascript:alert(1)) ![](https://spy.example/pixel.png)',
        '[the mixes](/library), [us](https://example.com/?a=1&b=2), **bold**',
        '- one\n- two',
      ].join('\n\n'),
      picture: null,
      pictureText: '',
      trackId,
    };
    const { subject, html, text } = await site.call<MailMessage>('POST', '/preview', content);
    expect(subject).toBe('(no subject yet)');
    expect(html).not.toMatch(/<script|<img src="?x|href="javascript|<img[^>]*spy/);
    expect(html).toContain(`href="${site.deps.site.origin}/library"`);
    expect(html).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(text).toContain(
      `the mixes (${site.deps.site.origin}/library), us (https://example.com/?a=1&b=2), bold`,
    );
    expect(text).toContain('- one\n- two');
    expect(text).toContain('Night Bus');
    expect(text).toContain(`Play week 46:\n${site.deps.site.origin}/track/${trackId}`);
    await site.call('POST', '/test', content);
    expect(site.sent).toMatchObject([{ to: 'bheki@example.com', subject: '(no subject yet)' }]);
  });

  it('has a picture, encoded again, which mail programs can show', async () => {
    const upload = (payload: Buffer) =>
      site.helper.client.request({
        method: 'POST',
        url: '/api/admin/letters/pictures',
        payload,
        headers: { 'content-type': 'image/png' },
      });
    const noise = { r: 200, g: 90, b: 40 };
    const png = await sharp({
      create: { width: 2400, height: 1200, channels: 3, background: noise },
    })
      .withExif({ IFD0: { Artist: 'GPS of my house' } })
      .png()
      .toBuffer();
    const { picture, path } = (await upload(png)).json<{ picture: string; path: string }>();
    expect(picture).toMatch(/-1104x552\.jpg$/);
    const file = await site.app.inject({ url: path });
    expect(file.headers['content-type']).toBe('image/jpeg');
    expect(file.body).not.toContain('GPS');
    const letter = await site.write({ picture, pictureText: 'The "van"' });
    expect(letter.picturePath).toBe(path);
    const unused = (await upload(png)).json<{ picture: string }>().picture;
    const text = (await upload(Buffer.from('<svg onload="alert(1)"/>'))).json<ErrorBody>();
    expect(text).toMatchObject({ code: 'invalid_image' });
    site.clock.advance(3 * DAY);
    await site.worker.runDue();
    const isThere = async (name: string) =>
      (await site.app.inject({ url: `/media/look/${name}` })).statusCode;
    expect([await isThere(picture), await isThere(unused)]).toEqual([200, 404]);
    expect(await isThere(lookFileName(unused, 'small'))).toBe(404);
    await site.createReader('zola');
    await site.send(letter);
    await site.deliver();
    const [mail] = site.sent;
    expect(mail?.html).toContain(`${site.deps.site.origin}/media/look/${picture}`);
    expect(mail?.html).toContain('alt="The &quot;van&quot;"');
    expect(mail?.text).toContain('[The "van"]');
  });
});
