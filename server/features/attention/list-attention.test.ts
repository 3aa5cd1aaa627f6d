import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import { DAY } from '#contract/rules/time.ts';
import { createFeed } from '../../testing/create-feed.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';
import { MANY_NETWORKS } from '../networks/service.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

it('a podcast address that is used from many networks is named, until it has a new one', async () => {
  const { database, storage } = site.deps;
  const { id } = await seedTrack({ db: database.db, storage, now: site.clock.now() });
  const { client, user } = await createSubscriber(site);
  const feed = await createFeed(client);
  const loadFrom = async (network: number) => {
    const remoteAddress = `198.51.${network}.7`;
    const answer = await site.app.inject({ url: `${feed}/${id}/full.mp3`, remoteAddress });
    expect(answer.statusCode).toBe(200);
  };
  const text = '1 member’s podcast address or music app is used from many networks.';
  for (let network = 0; network < MANY_NETWORKS; network += 1) await loadFrom(network);
  // The same ones again.
  await loadFrom(0);
  await site.look();
  expect(await site.textOf('shared-access')).toBeUndefined();

  await loadFrom(MANY_NETWORKS);
  expect(await site.textOf('shared-access')).toBe(text);
  const page = await site.admin.client.request({ url: `/api/admin/subscribers/${user.id}` });
  expect(page.json<SubscriberPage>().podcastFeed).toMatchObject({ isShared: true });
  await site.look();
  expect(site.daily().at(-1)?.text).toContain(`- ${text}`);

  await createFeed(client);
  expect(await site.textOf('shared-access')).toBeUndefined();
  site.clock.advance(DAY);
  await site.look();
  expect(site.daily().at(-1)?.text).toContain('All clear for what an earlier mail named:');
  expect(site.daily().at(-1)?.text).toContain(text);
});
