import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import { EARLY_ACCESS_MS, GRACE_MS } from '#contract/rules/access.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { changeSettings } from '../../db/settings.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { fileBytes } from '../../testing/seed-track.ts';
import { MONTH, payUntil } from '../../testing/test-user.ts';
import { buildPodcastGuid } from './podcast-guid.ts';
import { CHAPTERS, startPodcastSite, type PodcastSite } from '../../testing/podcast-site.ts';

let site: PodcastSite;
beforeEach(async () => {
  site = await startPodcastSite();
});
afterEach(() => site.close());

describe('the feed of a subscriber', () => {
  it('has what podcast apps need, according to podcast-partytime', async () => {
    await changeSettings(
      site.deps.database.db,
      { sellerEmail: 'music@site.example' },
      site.clock.now(),
    );
    const track = await site.seed({ chapters: JSON.stringify(CHAPTERS), duration_ms: 3_900_000 });
    const feed = await site.readWithPartytime();
    expect(feed).toMatchObject({
      title: 'Weekender',
      link: `${site.origin}/`,
      guid: buildPodcastGuid(`${site.origin}/feed`),
      locked: true,
      podcastOwner: 'music@site.example',
      itunesBlock: true,
      podcastBlocked: 'yes',
      itunesCategory: ['Music'],
      explicit: false,
      itunesImage: `${site.origin}/feed/artwork.png`,
      author: 'Weekender',
      pubsub: { self: site.url },
    });
    expect(feed.items).toHaveLength(1);
    const folder = `${site.url}/${track.id}`;
    const name = '2026-week-46-golden-hour-pressure';
    expect(feed.items[0]).toMatchObject({
      title: 'Golden Hour Pressure',
      guid: track.id,
      link: `${site.origin}/track/${track.id}`,
      duration: 3900,
      explicit: false,
      author: 'Weekender',
      itunesSeason: 2026,
      itunesEpisode: 46,
      itunesImage: `${site.origin}/media/sleeves/${track.id}-square.png`,
      enclosure: { url: `${folder}/full/${name}.mp3`, length: 4096, type: 'audio/mpeg' },
      podcastChapters: {
        url: `${folder}/chapters/${name}-chapters.json`,
        type: 'application/json+chapters',
      },
      podcastSoundbites: [
        { startTime: 30, duration: PREVIEW_SECONDS, title: 'Golden Hour Pressure' },
      ],
      podcastPeople: [{ name: 'Weekender', role: 'Host', href: `${site.origin}/` }],
      podcastSeason: { number: 2026 },
      podcastEpisode: { number: 46, display: 'Week 46' },
      alternativeEnclosures: [
        { type: 'audio/mpeg', default: true, source: [{ uri: `${folder}/full/${name}.mp3` }] },
        {
          type: 'audio/ogg',
          length: 4096,
          title: 'Data saver',
          default: false,
          source: [{ uri: `${folder}/saver/${name}-data-saver.ogg` }],
        },
        {
          type: 'audio/mpeg',
          title: 'High quality',
          source: [{ uri: `${folder}/best/${name}-high-quality.mp3` }],
        },
      ],
    });
  });

  it('says the same to feedsmith, with the id of the track as its guid', async () => {
    const track = await site.seed();
    const feed = await site.readWithFeedsmith();
    expect(feed).toMatchObject({
      itunes: { block: true, type: 'episodic', categories: [{ text: 'Music' }] },
      podcast: { locked: { value: true }, blocks: [{ value: true }], medium: 'podcast' },
      items: [
        {
          guid: { value: track.id, isPermaLink: false },
          enclosures: [{ length: 4096, type: 'audio/mpeg' }],
          itunes: { duration: 95, season: 2026, episode: 46, episodeType: 'full' },
        },
      ],
    });
    expect(Date.parse(feed.items?.[0]?.pubDate ?? '')).toBeLessThanOrEqual(site.clock.now());
  });

  it('announces exactly the bytes that come', async () => {
    await site.seed();
    const [item] = (await site.readWithFeedsmith()).items ?? [];
    const files = [
      ...(item?.enclosures ?? []),
      ...(item?.podcast?.alternateEnclosures ?? []).map(({ type, length, sources }) => ({
        url: sources?.[0]?.uri,
        type,
        length,
      })),
    ];
    const names = ['stream', 'stream', 'dataSaver', 'mp3'] as const;
    expect(files).toHaveLength(names.length);
    for (const [index, file] of files.entries()) {
      const { rawPayload, headers } = await site.load(file.url ?? '');
      expect(rawPayload).toEqual(fileBytes(names[index] ?? 'flac'));
      expect(rawPayload).toHaveLength(file.length ?? -1);
      expect(headers['content-type']).toBe(file.type);
    }
  });

  it('has the small files at its second address, as another podcast', async () => {
    const track = await site.seed();
    const saver = `${site.url}/data-saver`;
    expect(
      (await site.sipho.client.request({ url: '/api/me/podcast-feed' })).json<PodcastFeeds>().own,
    ).toMatchObject({ url: site.url, dataSaverUrl: saver });
    const feed = await site.readWithPartytime(saver);
    expect(feed).toMatchObject({
      title: 'Weekender (data saver)',
      guid: buildPodcastGuid(`${site.origin}/feed/data-saver`),
      itunesBlock: true,
    });
    const [item] = feed.items;
    expect(item?.guid).toBe(track.id);
    const { rawPayload, headers } = await site.load(item?.enclosure.url ?? '');
    expect(rawPayload).toEqual(fileBytes('dataSaver'));
    expect(item?.enclosure).toMatchObject({
      length: rawPayload.length,
      type: headers['content-type'],
    });
    const defaults = (item?.alternativeEnclosures ?? []).filter((one) => one.default);
    expect(defaults.map(({ title }) => title)).toEqual(['Data saver']);
    expect(await site.readXml(saver)).toContain(`href="${saver}" rel="self"`);

    // A mix from before there were small files is there all the same.
    await site.deps.database.db
      .deleteFrom('renditions')
      .where('track_id', '=', track.id)
      .where('name', '=', 'dataSaver')
      .execute();
    await site.deps.database.db
      .updateTable('tracks')
      .set({ title: 'Without' })
      .where('id', '=', track.id)
      .execute();
    const [without] = (await site.readWithPartytime(saver)).items;
    expect(without?.title).toBe('Without');
    expect((await site.load(without?.enclosure.url ?? '')).rawPayload).toEqual(fileBytes('stream'));
  });

  it('has timed chapters as a file, and the whole tracklist in the description', async () => {
    const track = await site.seed({ chapters: JSON.stringify(CHAPTERS), duration_ms: 3_900_000 });
    const [item] = (await site.readWithPartytime()).items;
    expect(item?.description).toContain('White Label<br />1:02:30 Thula – Night Bus<br />04:10');
    expect(await site.readXml()).toContain(
      '00:00 Relay Room – Substation Intro<br />White Label<br />1:02:30 Thula – Night Bus<br />04:10 Relay &lt;Room&gt; – Signal &amp; Noise',
    );
    const chapters = await site.load(item?.podcastChapters?.url ?? '');
    expect(chapters.headers['content-type']).toContain('application/json+chapters');
    expect(chapters.json()).toEqual({
      version: '1.2.0',
      title: track.title,
      podcastName: 'Weekender',
      chapters: [
        { startTime: 0, title: 'Relay Room – Substation Intro' },
        { startTime: 250, title: 'Relay <Room> – Signal & Noise' },
        { startTime: 3750, title: 'Thula – Night Bus' },
      ],
    });
  });

  it('names no file of chapters for a tracklist without times', async () => {
    await site.seed({
      chapters: JSON.stringify([{ at: null, title: 'White Label', artist: null }]),
    });
    const [item] = (await site.readWithPartytime()).items;
    expect(item?.podcastChapters).toBeUndefined();
    expect(item?.description).toContain('White Label');
  });

  it('has an uploaded cover in the size and format that directories want', async () => {
    const sharp = await loadSharp();
    const picture = { width: 10, height: 10, channels: 3, background: '#f80' } as const;
    const cover = await sharp({ create: picture }).webp().toBuffer();
    await site.deps.storage.put('covers/abc123.webp', cover);
    await site.seed({ cover_key: 'covers/abc123.webp' });
    const [item] = (await site.readWithPartytime()).items;
    const { rawPayload, headers } = await site.load(item?.itunesImage ?? '');
    expect(headers['content-type']).toBe('image/jpeg');
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1400 });
    for (const name of ['unknown.jpg', 'abc123.webp', '..%2fabc123.jpg', 'abc123.jpg%00'])
      expect((await site.app.inject(`/feed/covers/${name}`)).statusCode).toBe(404);
  });

  it('survives whatever someone writes into a title', async () => {
    const title = 'A & B <b>]]></title><item> “naïve” 🎧';
    await site.seed({ title: `${title}\u001b`, genre: '<&"\'>' });
    expect(await site.listTitles()).toEqual([title]);
    expect((await site.readWithFeedsmith()).items?.[0]).toMatchObject({
      title,
      categories: [{ name: '<&"\'>' }],
    });
  });

  it('has a mix when subscribers get it, dated then, and not before', async () => {
    const now = site.clock.now();
    await site.seed({ title: 'Early', publish_at: now + HOUR, created_at: now - 30 * DAY });
    await site.seed({ title: 'Scheduled', publish_at: now + EARLY_ACCESS_MS + HOUR, week: 47 });
    await site.seed({ title: 'Draft', publish_at: null });
    await site.seed({ title: 'For subscribers', is_subscriber_only: 1, week: 45 });
    const { items } = await site.readWithPartytime();
    expect(items.map(({ title }) => title)).toEqual(['Early', 'For subscribers']);
    expect(items[0]?.pubDate?.getTime()).toBe(now + HOUR - EARLY_ACCESS_MS);
    expect(await site.listTitles('/feed.xml')).toEqual([]);
    site.clock.advance(2 * HOUR);
    expect(await site.listTitles()).toEqual(['Scheduled', 'Early', 'For subscribers']);
    expect(await site.listTitles('/feed.xml')).toEqual(['Early']);
  });

  it('changes with the catalogue, at once', async () => {
    const track = await site.seed();
    expect(await site.listTitles()).toEqual(['Golden Hour Pressure']);
    const { db } = site.deps.database;
    await db.updateTable('tracks').set({ title: 'Renamed' }).execute();
    expect(await site.listTitles()).toEqual(['Renamed']);
    await db.updateTable('tracks').set({ publish_at: null }).where('id', '=', track.id).execute();
    expect(await site.listTitles()).toEqual([]);
  });

  it('names the artists of a mix', async () => {
    const track = await site.seed();
    const { db } = site.deps.database;
    const now = site.clock.now();
    for (const [position, name] of ['Thula', 'Relay Room'].entries()) {
      const artist = { id: `artist-${position}`, name, name_key: name.toLowerCase() };
      await db
        .insertInto('artists')
        .values({
          ...artist,
          about: '',
          links: '[]',
          picture_key: null,
          version: 0,
          created_at: now,
          updated_at: now,
        })
        .execute();
      await db
        .insertInto('track_artists')
        .values({ track_id: track.id, artist_id: artist.id, position })
        .execute();
    }
    expect((await site.readWithPartytime()).items[0]).toMatchObject({
      author: 'Thula, Relay Room',
      podcastPeople: [
        { name: 'Thula', role: 'Host', href: `${site.origin}/artist/artist-0` },
        { name: 'Relay Room', role: 'Host', href: `${site.origin}/artist/artist-1` },
      ],
    });
  });
});

describe('when a subscription ends', () => {
  it('because an administrator takes the access away, the entry says when that was', async () => {
    await site.seed();
    site.clock.advance(10 * DAY);
    const endedAt = site.clock.now();
    await payUntil(site, site.sipho.user, null);
    site.clock.advance(DAY);
    const [entry] = (await site.readWithPartytime()).items;
    expect(entry).toMatchObject({
      title: 'Your subscription has ended',
      guid: `subscription-ended-${endedAt}`,
      pubDate: new Date(endedAt),
    });
  });

  it('the same address has previews and one entry that says so, until it is paid again', async () => {
    const track = await site.seed();
    await site.seed({ title: 'For subscribers', is_subscriber_only: 1, week: 47 });
    site.clock.advance(MONTH + GRACE_MS);
    const feed = await site.readWithPartytime();
    const endedGuid = `subscription-ended-${site.clock.now()}`;
    expect(feed.items.map(({ guid }) => guid)).toEqual([endedGuid, track.id]);
    expect(feed.items[0]).toMatchObject({
      title: 'Your subscription has ended',
      link: `${site.origin}/pricing`,
    });
    for (const item of feed.items)
      expect((await site.load(item.enclosure.url)).rawPayload).toEqual(fileBytes('preview'));
    const saver = await site.readWithPartytime(`${site.url}/data-saver`);
    expect(saver.items.map(({ guid }) => guid)).toEqual([endedGuid, track.id]);
    expect((await site.load(saver.items[1]?.enclosure.url ?? '')).rawPayload).toEqual(
      fileBytes('preview'),
    );
    site.clock.advance(DAY);
    expect((await site.readWithPartytime()).items[0]?.guid).toBe(endedGuid);
    expect(feed).toMatchObject({
      itunesBlock: true,
      guid: buildPodcastGuid(`${site.origin}/feed`),
    });

    await payUntil(site, site.sipho.user, site.clock.now() + DAY);
    const again = await site.readWithPartytime();
    expect(again.items.map(({ title }) => title)).toEqual([
      'For subscribers',
      'Golden Hour Pressure',
    ]);
    expect((await site.load(again.items[1]?.enclosure.url ?? '')).rawPayload).toEqual(
      fileBytes('stream'),
    );
  });

  it('an app that remembers the full feed, by ETag or date, is told at once', async () => {
    await site.seed();
    const { headers } = await site.load(site.url);
    const remembered = [
      { 'if-none-match': String(headers.etag) },
      { 'if-modified-since': String(headers['last-modified']) },
    ];
    const ask = (sent: Record<string, string>) =>
      site.app.inject({ url: site.url.replace(site.origin, ''), headers: sent });
    for (const sent of remembered) expect((await ask(sent)).statusCode).toBe(304);
    await payUntil(site, site.sipho.user, site.clock.now() - GRACE_MS);
    for (const sent of remembered) expect((await ask(sent)).statusCode).toBe(200);
  });
});

describe('the id of a podcast', () => {
  it('is the one of the specification’s example', () => {
    expect(buildPodcastGuid('https://mp3s.nashownotes.com/pc20rss.xml')).toBe(
      '917393e3-1b1e-5cef-ace4-edaa54e1f810',
    );
    expect(buildPodcastGuid('http://podnews.net/rss/')).toBe(
      buildPodcastGuid('https://podnews.net/rss'),
    );
  });
});
