/** @module-tag both-databases */
import { generateRssFeed, parseRssFeed } from 'feedsmith';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Letter, LetterSummary } from '#contract/letters.ts';
import type { Page } from '#contract/paging.ts';
import { changeSettings } from '../../db/settings.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { startLetterSite, type LetterSite } from '../../testing/letter-site.ts';

vi.mock(import('feedsmith'), { spy: true });

let site: LetterSite;
beforeEach(async () => {
  site = await startLetterSite();
});
afterEach(() => site.close());

describe('on the site', () => {
  it('a letter is read by members or by everyone, and by nobody before it is out', async () => {
    const { database, storage, clock } = site.deps;
    const now = clock.now();
    const mix = await seedTrack({ db: database.db, storage, now }, { title: 'Night Bus' });
    const reader = await site.createReader('anele');
    const values = { page: 'everyone', trackId: mix.id, subject: 'Cape <Town>' };
    const draft = await site.write(values);
    const visitor = site.createClient();
    const open = async (id: string, { client } = { client: visitor }) =>
      (await client.request({ url: `/api/letters/${id}` })).statusCode;
    const list = async ({ client } = { client: visitor }) =>
      (await client.request({ url: '/api/letters' }))
        .json<Page<LetterSummary>>()
        .items.map(({ subject }) => subject);
    expect([await open(draft.id), await list()]).toEqual([404, []]);
    expect((await visitor.request({ url: '/letters/feed.xml' })).statusCode).toBe(404);
    await site.send(draft);
    const forMembers = await site.send(await site.write({ subject: 'For members' }));
    const hidden = await site.send(await site.write({ subject: 'In mails only', page: 'none' }));
    await site.deliver();
    const letter = (await visitor.request({ url: `/api/letters/${draft.id}` })).json<Letter>();
    expect(letter).toMatchObject({
      subject: 'Cape <Town>',
      html: '<p>See you <strong>there</strong>.</p>\n',
      track: { title: 'Night Bus' },
    });
    expect([await open(forMembers.id), await open(forMembers.id, reader)]).toEqual([401, 200]);
    expect([await open(hidden.id, reader), await open('nothing', reader)]).toEqual([404, 404]);
    expect([await list(), await list(reader)]).toEqual([
      ['Cape <Town>'],
      ['For members', 'Cape <Town>'],
    ]);
    const feed = await visitor.request({ url: '/letters/feed.xml' });
    const { items = [] } = parseRssFeed(feed.body);
    expect(items.map(({ title, link }) => [title, link])).toEqual([
      ['Cape <Town>', `${site.deps.site.origin}/letters/${draft.id}`],
    ]);
    const etag = String(feed.headers.etag);
    const again = { url: '/letters/feed.xml', headers: { 'if-none-match': etag } };
    expect((await visitor.request(again)).statusCode).toBe(304);
    const both = await Promise.all([1, 2].map(() => visitor.request({ url: again.url })));
    expect(both.map(({ body }) => body)).toEqual([feed.body, feed.body]);
    expect(generateRssFeed).toHaveBeenCalledTimes(1);
    // It is named in braces by texts, so what was written before is over.
    await changeSettings(database.db, { graceDays: 9 }, now);
    expect((await visitor.request(again)).statusCode).toBe(200);
    expect(generateRssFeed).toHaveBeenCalledTimes(2);
    const accept = { headers: { accept: 'text/html' } };
    const page = await visitor.request({ url: `/letters/${draft.id}`, ...accept });
    expect(page.body).toContain('<title>Cape &lt;Town&gt; · Weekender</title>');
    expect(page.body).toContain('<p>See you <strong>there</strong>.</p>');
    const locked = await visitor.request({ url: `/letters/${forMembers.id}`, ...accept });
    expect(locked.body).not.toContain('For members');
    expect((await visitor.request({ url: '/letters/nothing', ...accept })).statusCode).toBe(404);
    const sitemap = await visitor.request({ url: '/sitemap.xml' });
    expect(sitemap.body).toContain(`/letters/${draft.id}<`);
    expect(sitemap.body).not.toContain(forMembers.id);
  });

  it('and writing one is for helpers, who see no address of a member', async () => {
    const reader = await site.createReader('anele');
    const draft = await site.write();
    site.clock.advance(1);
    const letter = await site.send(draft);
    await site.deliver();
    const seen = [
      (await site.ask('GET', '')).body,
      (await site.ask('GET', '/reach')).body,
      (await site.ask('GET', `/${letter.id}`)).body,
    ].join('\n');
    expect(seen).not.toContain('anele');
    const asMember = await site.ask('GET', '', undefined, reader);
    expect(asMember.statusCode).toBe(404);
    const { db } = site.deps.database;
    const log = await db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .orderBy('id')
      .execute();
    expect(log.map(({ action }) => action)).toEqual(['letter.created', 'letter.sent']);
    expect(log[1]?.after).toContain('We play Cape Town');
  });
});
