import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** What an operator may know of a user's private feed: everything but its address. */
export const PodcastFeedUse = z.object({
  createdAt: z.int(),
  /** To the hour; null until an app has asked for the feed. */
  lastUsedAt: z.int().nullable(),
  /** The networks from which audio was loaded through it in the last seven days. */
  networks: z.int(),
  /** More networks than one person’s devices have. */
  isShared: z.boolean(),
});
export type PodcastFeedUse = z.infer<typeof PodcastFeedUse>;

export const PodcastFeeds = z.object({
  /** Previews, for everyone. */
  publicUrl: z.string(),
  /** Full mixes, while the subscription lasts; null until the user asks for an address. */
  own: PodcastFeedUse.extend({
    url: z.string(),
    /** The same mixes in the small files. */
    dataSaverUrl: z.string(),
  }).nullable(),
});
export type PodcastFeeds = z.infer<typeof PodcastFeeds>;

export const podcastRoutes = defineRoutes({
  'GET /api/me/podcast-feed': {
    summary: 'The addresses of your podcast feed and of the public one.',
    response: PodcastFeeds,
    errors: ['unauthenticated'],
  },
  'POST /api/me/podcast-feed': {
    summary: 'Get an address for your podcast feed. The previous one stops working.',
    response: PodcastFeeds,
    errors: ['unauthenticated', 'subscribers_only', 'rate_limited'],
  },
  'DELETE /api/me/podcast-feed': {
    summary: 'End your podcast feed.',
    errors: ['unauthenticated'],
  },
});
