import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import type { TestClient } from './test-app.ts';

/** Turns the podcast feed of a member on, or gives it a new address, and returns its path. */
export async function createFeed({ request }: TestClient): Promise<string> {
  const answer = await request({ method: 'POST', url: '/api/me/podcast-feed' });
  const { own } = answer.json<PodcastFeeds>();
  if (!own) throw new Error(`No feed: ${answer.statusCode} ${answer.body}`);
  return new URL(own.url).pathname;
}
