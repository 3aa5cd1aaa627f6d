import { parseRssFeed } from 'feedsmith';
import { parseFeed } from 'podcast-partytime';
import { expect } from 'vitest';
import type { TracksTable } from '../db/types/tables.ts';
import { createFeed } from './create-feed.ts';
import { seedTrack } from './seed-track.ts';
import { createTestApp } from './test-app.ts';
import { createSubscriber } from './test-user.ts';

export const CHAPTERS = [
  { at: 0, title: 'Substation Intro', artist: 'Relay Room' },
  { at: null, title: 'White Label', artist: null },
  { at: 3750, title: 'Night Bus', artist: 'Thula' },
  { at: 250, title: 'Signal & Noise', artist: 'Relay <Room>' },
];

export type PodcastSite = Awaited<ReturnType<typeof startPodcastSite>>;

/** A site with the feed of one subscriber, read by two programs. */
export async function startPodcastSite() {
  const test = await createTestApp();
  const { database, storage, site } = test.deps;
  const sipho = await createSubscriber(test);
  const url = site.origin + (await createFeed(sipho.client));

  /** Without a session, like a podcast app. */
  async function load(address: string, headers: Record<string, string> = {}) {
    const path = address.replace(site.origin, '');
    const response = await test.app.inject({ url: path, headers });
    expect(response.statusCode).toBe(200);
    return response;
  }
  const readXml = async (address = url): Promise<string> => (await load(address)).body;
  const readWithFeedsmith = async (address = url) => parseRssFeed(await readXml(address));

  return {
    ...test,
    origin: site.origin,
    sipho,
    /** Of the feed. */
    url,
    load,
    readXml,
    readWithFeedsmith,
    async readWithPartytime(address = url) {
      const feed = parseFeed(await readXml(address), { allowMissingGuid: false });
      if (!feed) throw new Error('podcast-partytime read no feed.');
      return feed;
    },
    listTitles: async (address = url) =>
      ((await readWithFeedsmith(address)).items ?? []).map(({ title }) => title),
    seed: (change: Partial<TracksTable> = {}) =>
      seedTrack({ db: database.db, storage, now: test.clock.now() }, change),
  };
}
