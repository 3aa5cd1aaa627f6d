import type { AccessSite, Ask } from './asked.ts';
import { ofTrack } from './asked.ts';
import { createPerson } from './people.ts';

const stream = { payload: { rendition: 'stream' } };

/** As a subscriber's player asks for it, for a speaker. */
async function castLink({ app, deps, tracks }: AccessSite) {
  const owner = await createPerson(deps, 'subscriber');
  const response = await app.inject({
    method: 'POST',
    url: `/api/tracks/${tracks.released.id}/cast`,
    headers: { cookie: owner.cookie },
    remoteAddress: owner.address,
    ...stream,
  });
  const { searchParams } = new URL(response.json<{ url: string }>().url, 'http://site.example');
  const params = { id: tracks.released.id, rendition: 'stream' };
  return { owner, params, query: Object.fromEntries(searchParams) };
}

const subscription = {
  endpoint: 'https://push.example/device',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

/** What connects other services and devices. */
export const deviceRequests: Record<string, Ask> = {
  'PATCH /api/me/scrobbling': () => ({ payload: { isPaused: true } }),
  'PUT /api/me/scrobbling/listenbrainz': () => ({
    payload: { token: 'guessed', server: 'https://127.0.0.1' },
  }),
  'PUT /api/me/scrobbling/lastfm': () => ({ payload: { token: 'guessed', state: 'guessed' } }),
  'DELETE /api/me/scrobbling/:service': () => ({ params: { service: 'listenbrainz' } }),
  'PUT /api/me/notifications': (_site, _owner, { id }) => ({
    payload: { ...subscription, endpoint: `${subscription.endpoint}/${id}` },
  }),
  'POST /api/tracks/:id/cast · released': ofTrack('released', stream),
  'POST /api/tracks/:id/cast · early': ofTrack('early', stream),
  'POST /api/tracks/:id/cast · draft': ofTrack('draft', stream),
  'GET /media/casts/:id/:rendition · the link of a subscriber': async (site) => {
    const { params, query } = await castLink(site);
    return { params, query };
  },
  'GET /media/casts/:id/:rendition · the link of a lapsed subscriber': async (site) => {
    const { owner, params, query } = await castLink(site);
    await site.things.endAccess(owner);
    return { params, query };
  },
  'GET /media/casts/:id/:rendition · the link for another file': async (site) => {
    const { params, query } = await castLink(site);
    return { params: { ...params, id: site.tracks.early.id }, query };
  },
  'GET /media/casts/:id/:rendition · no link': ({ tracks }) => ({
    params: { id: tracks.released.id, rendition: 'stream' },
  }),
};
