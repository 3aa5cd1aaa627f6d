import type { Ask, TrackKind } from './asked.ts';

/** A file of the feed of a subscriber, or of one whose subscription has ended. */
const ofFeed =
  (kind: TrackKind, file: string, isLapsed = false): Ask =>
  async ({ things, tracks }) => {
    const { owner, token } = await things.podcastFeed();
    if (isLapsed) await things.endAccess(owner);
    const [name, decoration = ''] = file.split('/');
    return { params: { token, id: tracks[kind].id, file: name ?? '', name: decoration } };
  };

const ofPreview =
  (kind: TrackKind): Ask =>
  ({ tracks }) => ({ params: { id: tracks[kind].id, name: 'week.mp3' } });

const GUESSED = 'A'.repeat(43);

export const podcastRequests: Record<string, Ask> = {
  'GET /feed/covers/:file': () => ({ params: { file: 'nothing.jpg' } }),
  'GET /feed/:token · the address of a subscriber': ofFeed('released', ''),
  'GET /feed/:token · the address of a lapsed subscriber': ofFeed('released', '', true),
  'GET /feed/:token · a guessed address': () => ({ params: { token: GUESSED } }),
  'GET /feed/:token/ · the address of a subscriber': ofFeed('released', ''),
  'GET /feed/:token/ · a guessed address': () => ({ params: { token: GUESSED } }),
  'GET /feed/:token/data-saver · the address of a subscriber': ofFeed('released', ''),
  'GET /feed/:token/data-saver · the address of a lapsed subscriber': ofFeed('released', '', true),
  'GET /feed/:token/data-saver · a guessed address': () => ({ params: { token: GUESSED } }),
  'GET /feed/:token/:id/:file · of a subscriber': ofFeed('released', 'full.mp3'),
  'GET /feed/:token/:id/:file · of a subscriber, data saver': ofFeed('released', 'saver.ogg'),
  'GET /feed/:token/:id/:file · of a subscriber, high quality': ofFeed('released', 'best.mp3'),
  'GET /feed/:token/:id/:file · of a subscriber, chapters': ofFeed('released', 'chapters.json'),
  'GET /feed/:token/:id/:file · of a subscriber, early': ofFeed('early', 'full.mp3'),
  'GET /feed/:token/:id/:file · of a subscriber, draft': ofFeed('draft', 'full.mp3'),
  'GET /feed/:token/:id/:file · of a subscriber, deleted': ofFeed('deleted', 'full.mp3'),
  'GET /feed/:token/:id/:file · of a lapsed subscriber': ofFeed('released', 'full.mp3', true),
  'GET /feed/:token/:id/:file · of a lapsed subscriber, chapters': ofFeed(
    'released',
    'chapters.json',
    true,
  ),
  'GET /feed/:token/:id/:file · a guessed address': ({ tracks }) => ({
    params: { token: GUESSED, id: tracks.released.id, file: 'full.mp3' },
  }),
  'GET /feed/:token/:id/:file/:name · of a subscriber': ofFeed('released', 'full/week.mp3'),
  'GET /feed/:token/:id/:file/:name · of a subscriber, data saver': ofFeed(
    'released',
    'saver/week.ogg',
  ),
  'GET /feed/:token/:id/:file/:name · of a subscriber, high quality': ofFeed(
    'released',
    'best/week.mp3',
  ),
  'GET /feed/:token/:id/:file/:name · of a subscriber, chapters': ofFeed(
    'released',
    'chapters/week.json',
  ),
  'GET /feed/:token/:id/:file/:name · of a subscriber, early': ofFeed('early', 'full/week.mp3'),
  'GET /feed/:token/:id/:file/:name · of a subscriber, draft': ofFeed('draft', 'full/week.mp3'),
  'GET /feed/:token/:id/:file/:name · of a subscriber, deleted': ofFeed('deleted', 'full/week.mp3'),
  'GET /feed/:token/:id/:file/:name · of a lapsed subscriber': ofFeed(
    'released',
    'full/week.mp3',
    true,
  ),
  'GET /feed/:token/:id/:file/:name · of a lapsed subscriber, chapters': ofFeed(
    'released',
    'chapters/week.json',
    true,
  ),
  'GET /feed/:token/:id/:file/:name · a guessed address': ({ tracks }) => ({
    params: { token: GUESSED, id: tracks.released.id, file: 'full', name: 'week.mp3' },
  }),
  'GET /feed/public/:id/preview/:name · released': ofPreview('released'),
  'GET /feed/public/:id/preview/:name · early': ofPreview('early'),
  'GET /feed/public/:id/preview/:name · for subscribers': ofPreview('forSubscribers'),
  'GET /feed/public/:id/preview/:name · draft': ofPreview('draft'),
  'GET /feed/public/:id/preview.mp3 · released': ofPreview('released'),
  'GET /feed/public/:id/preview.mp3 · early': ofPreview('early'),
  'GET /feed/public/:id/preview.mp3 · for subscribers': ofPreview('forSubscribers'),
  'GET /feed/public/:id/preview.mp3 · draft': ofPreview('draft'),
};
