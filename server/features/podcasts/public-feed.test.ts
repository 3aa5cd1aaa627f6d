import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { fileBytes } from '../../testing/seed-track.ts';
import { buildPodcastGuid } from './podcast-guid.ts';
import { CHAPTERS, startPodcastSite, type PodcastSite } from '../../testing/podcast-site.ts';

let site: PodcastSite;
beforeEach(async () => {
  site = await startPodcastSite();
});
afterEach(() => site.close());

describe('the public feed', () => {
  it('has previews of what visitors see, and is not blocked', async () => {
    const track = await site.seed({ chapters: JSON.stringify(CHAPTERS) });
    await site.seed({ title: 'For subscribers', is_subscriber_only: 1 });
    const feed = await site.readWithPartytime('/feed.xml');
    expect(feed).toMatchObject({
      title: 'Weekender: previews',
      guid: buildPodcastGuid(`${site.origin}/feed.xml`),
      itunesBlock: false,
      podcastBlocked: 'no',
    });
    expect(feed.items).toHaveLength(1);
    expect(feed.items[0]).toMatchObject({
      guid: track.id,
      duration: PREVIEW_SECONDS,
      enclosure: {
        url: `${site.origin}/feed/public/${track.id}/preview/2026-week-46-golden-hour-pressure-preview.mp3`,
        length: 4096,
        type: 'audio/mpeg',
      },
    });
    expect(feed.items[0]?.podcastChapters).toBeUndefined();
    expect(feed.items[0]?.podcastSoundbites).toBeUndefined();
    expect(feed.items[0]?.alternativeEnclosures).toBeUndefined();
    expect((await site.load(feed.items[0]?.enclosure.url ?? '')).rawPayload).toEqual(
      fileBytes('preview'),
    );
  });

  it('is named in the head of public pages', async () => {
    const { buildHead, insertHead } = await import('../../http/pages/page-head.ts');
    const card = { path: '/card.png', alt: '' };
    const head = buildHead(
      { origin: site.origin, siteName: 'Weekender' },
      { path: '/', title: 'Home', description: '', card, data: { '@type': 'WebPage' } },
    );
    expect(insertHead('<title></title></head>', head)).toContain(
      `<link rel="alternate" type="application/rss+xml" href="${site.origin}/feed.xml" title="Weekender: previews" />`,
    );
  });

  it('is compressed for clients that accept it', async () => {
    await site.seed();
    const plain = await site.readXml('/feed.xml');
    const brotli = await site.load('/feed.xml', { 'accept-encoding': 'gzip, br' });
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'application/rss+xml; charset=utf-8',
    });
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain);
    const zipped = await site.load(site.url, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(await site.readXml());
    const artwork = await site.load('/feed/artwork.png');
    expect(artwork.rawPayload.subarray(16, 24).toString('hex')).toBe('0000057800000578');
  });
});
