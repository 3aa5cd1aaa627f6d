import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GRACE_MS } from '#contract/rules/access.ts';
import { fileBytes } from '../../testing/seed-track.ts';
import { payUntil } from '../../testing/test-user.ts';
import { startPodcastSite, type PodcastSite } from '../../testing/podcast-site.ts';

let site: PodcastSite;
beforeEach(async () => {
  site = await startPodcastSite();
});
afterEach(() => site.close());

describe('the files of a feed', () => {
  const namesOf = async (address: string) => {
    const { items = [] } = await site.readWithFeedsmith(address);
    const urls = items.flatMap(({ enclosures = [], podcast }) => [
      ...enclosures.map((file) => file.url),
      ...(podcast?.alternateEnclosures ?? []).slice(1).map(({ sources }) => sources?.[0]?.uri),
      ...(podcast?.chapters ? [podcast.chapters.url] : []),
    ]);
    return urls.map((one) =>
      decodeURIComponent(new URL(one ?? '').pathname.split('/').at(-1) ?? ''),
    );
  };

  it('end with the name of their mix, so that a program that saves them by it keeps each', async () => {
    await site.seed({ title: 'Golden Hour Pressure' });
    await site.seed({ title: 'Golden Hour Pressure', week: 7 });
    await site.seed({ title: 'Golden Hour Pressure', year: 2025 });
    await site.seed({ title: 'Soirée — “Don’t Stop” / ../..%2f?#', week: 3 });
    expect(await namesOf('/feed.xml')).toEqual([
      '2026-week-46-golden-hour-pressure-preview.mp3',
      '2026-week-07-golden-hour-pressure-preview.mp3',
      '2026-week-03-soiree-dont-stop-2f-preview.mp3',
      '2025-week-46-golden-hour-pressure-preview.mp3',
    ]);
    const own = await namesOf(site.url);
    expect(own.slice(0, 4)).toEqual([
      '2026-week-46-golden-hour-pressure.mp3',
      '2026-week-46-golden-hour-pressure-data-saver.ogg',
      '2026-week-46-golden-hour-pressure-high-quality.mp3',
      '2026-week-46-golden-hour-pressure-chapters.json',
    ]);
    expect(new Set(own).size).toBe(16);
  });

  it('have names of their own also where titles are the same, long or in another script', async () => {
    const twins = [await site.seed({ title: 'Braai' }), await site.seed({ title: 'braai!' })];
    await site.seed({ title: 'Ночной автобус', week: 5 });
    await site.seed({ title: '夜のバス', week: 5 });
    await site.seed({ title: 'long '.repeat(24), week: 4 });
    await payUntil(site, site.sipho.user, site.clock.now() - GRACE_MS);
    for (const address of [site.url, '/feed.xml']) {
      const names = await namesOf(address);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z0-9-]{10,90}\.(mp3|ogg|json)$/);
      for (const { id } of twins)
        expect(names).toContain(`2026-week-46-braai-${id.slice(-8)}-preview.mp3`);
    }
  });

  it('are found whatever their name says, and at the addresses that apps remember', async () => {
    const { id } = await site.seed();
    await site.seed({ title: 'Night Bus', week: 45 });
    for (const [path, rendition] of [
      [`${site.url}/${id}/full/anything.mp3`, 'stream'],
      [`${site.url}/${id}/full/2026-week-45-night-bus.mp3`, 'stream'],
      [`${site.url}/${id}/saver/x`, 'dataSaver'],
      [`${site.url}/${id}/full.mp3`, 'stream'],
      [`${site.url}/${id}/saver.ogg`, 'dataSaver'],
      [`${site.url}/${id}/best.mp3`, 'mp3'],
      [`/feed/public/${id}/preview.mp3`, 'preview'],
      [`/feed/public/${id}/preview/2026-week-45-night-bus.mp3`, 'preview'],
    ] as const)
      expect((await site.load(path)).rawPayload).toEqual(fileBytes(rendition));
    const chapters = await site.load(`${site.url}/${id}/chapters.json`);
    expect((await site.load(`${site.url}/${id}/chapters/anything.json`)).json()).toEqual(
      chapters.json(),
    );
  });

  it('say that they are not explicit in the words of Apple’s rule', async () => {
    await site.seed();
    for (const address of [site.url, '/feed.xml']) {
      const marks = (await site.readXml(address)).match(/<itunes:explicit>.*<\/itunes:explicit>/g);
      expect(new Set(marks)).toEqual(new Set(['<itunes:explicit>false</itunes:explicit>']));
      expect(marks).toHaveLength(2);
    }
  });
});
