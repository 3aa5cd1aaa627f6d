import { newId } from '../../db/ids.ts';
import { adminRequests } from './admin-requests.ts';
import { appRequests } from './app-requests.ts';
import {
  image,
  ofArtist,
  ofClip,
  ofLetter,
  ofTrack,
  type AccessSite,
  type Ask,
  type Asked,
  type TrackKind,
} from './asked.ts';
import { deviceRequests } from './device-requests.ts';
import { usageReportRequests } from './usage-report-requests.ts';
import { momentRequests } from './moment-requests.ts';
import { createPerson, PASSWORD } from './people.ts';
import { podcastRequests } from './podcast-requests.ts';

const passkey = {
  credential: {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  },
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ofRendition =
  (kind: TrackKind, rendition: string): Ask =>
  ({ tracks }) => ({ params: { id: tracks[kind].id, rendition } });
const ofUrl =
  (kind: TrackKind): Ask =>
  ({ deps, tracks }) => ({ query: { url: `${deps.site.origin}/track/${tracks[kind].id}` } });
const ofPlaylist =
  (more: (site: AccessSite) => Asked = () => ({})): Ask =>
  async (site, owner) => ({ ...more(site), params: { id: await site.things.playlist(owner) } });
/** Subscribers have paid with a test card, so that there is something to change. */
const ofSubscription =
  (asked: Asked = {}): Ask =>
  async ({ things }, _owner, person) => {
    if (person.role === 'subscriber' || person.role === 'other') await things.subscribe(person);
    return asked;
  };
const nobody = { params: { id: 'nobody' } };
const toForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const events = toForm({ data: Buffer.from('[]').toString('base64') });

const accounts: Record<string, Ask> = {
  'POST /api/auth/login · the right password': async ({ deps }) => ({
    payload: { username: (await createPerson(deps, 'free')).username, password: PASSWORD },
  }),
  'POST /api/auth/login · a wrong password': (_site, owner) => ({
    payload: { username: owner.username, password: 'wrong horse battery' },
  }),
  'POST /api/auth/register': (_site, _owner, { username }) => ({
    payload: { username: `x${username}`, email: `x${username}@site.example`, password: PASSWORD },
  }),
  'POST /api/auth/reset-password/request': (_site, owner) => ({ payload: { email: owner.email } }),
  'POST /api/auth/reset-password/confirm': () => ({
    payload: { token: 'guessed', password: 'another horse battery' },
  }),
  'POST /api/auth/email/confirm': () => ({ payload: { token: 'guessed' } }),
  'POST /api/auth/email/undo': () => ({ payload: { token: 'guessed' } }),
  'POST /api/me/confirm': () => ({ payload: { password: PASSWORD } }),
  'PATCH /api/users/:id': (_site, owner) => ({
    params: { id: owner.id },
    payload: { username: `y${owner.username}` },
  }),
  'PUT /api/users/:id/avatar': (_site, owner) => ({ ...image, params: { id: owner.id } }),
  'DELETE /api/users/:id/avatar': (_site, owner) => ({ params: { id: owner.id } }),
  'DELETE /api/me/sessions/:id': async ({ things }, owner) => ({
    params: { id: await things.sessionId(owner) },
  }),
  'POST /api/me/password': () => ({
    payload: { currentPassword: PASSWORD, newPassword: 'another horse battery' },
  }),
  'POST /api/me/totp': () => ({ payload: { password: PASSWORD } }),
  'POST /api/me/totp/confirm': async ({ things }, _owner, person) => ({
    payload: { code: await things.totp(person, false) },
  }),
  'POST /api/me/totp/recovery-codes': async ({ things }, _owner, person) => ({
    payload: { password: PASSWORD, code: await things.totp(person, true) },
  }),
  'DELETE /api/me/totp': async ({ things }, _owner, person) => ({
    payload: { password: PASSWORD, code: await things.totp(person, true) },
  }),
  'POST /api/auth/passkey': () => ({ payload: passkey }),
  'PATCH /api/me/passkeys/:id': () => ({ params: { id: 'unknown' }, payload: { name: 'Phone' } }),
  'DELETE /api/me/passkeys/:id': () => ({ params: { id: 'unknown' } }),
  'PATCH /api/me/preferences': () => ({ payload: { newsMails: true } }),
  'DELETE /api/me': () => ({ payload: { password: PASSWORD, confirmation: 'delete' } }),
  'GET /api/unsubscribe/:token · the link of an e-mail': async ({ things }, owner) => ({
    params: { token: await things.unsubscribeToken(owner) },
  }),
  'GET /api/unsubscribe/:token · a guessed link': () => ({ params: { token: 'guessed' } }),
  'POST /api/unsubscribe/:token · the link of an e-mail': async ({ things }, owner) => ({
    params: { token: await things.unsubscribeToken(owner) },
  }),
  'POST /api/unsubscribe/:token · a guessed link': () => ({ params: { token: 'guessed' } }),
  'GET /media/avatars/:name': () => ({ params: { name: 'nobody.webp' } }),
};

const ofSharedPlaylist: Ask = async ({ things }, owner) => {
  const token = newId();
  await things.playlist(owner, { token });
  return { params: { token } };
};

const listening: Record<string, Ask> = {
  'GET /api/tracks · listened to': () => ({ query: { state: 'listened' } }),
  'GET /api/artists/:id · of a released mix': ofArtist('released'),
  'GET /api/artists/:id · of an early mix': ofArtist('early'),
  'GET /api/artists/:id · of a mix for subscribers': ofArtist('forSubscribers'),
  'GET /api/artists/:id · of a draft': ofArtist('draft'),
  'GET /api/artists/:id · of a deleted mix': ofArtist('deleted'),
  'GET /api/artists/:id/teaser · of a released mix': ofArtist('released'),
  'GET /api/artists/:id/teaser · of an early mix': ofArtist('early'),
  'GET /api/artists/:id/teaser · of a mix for subscribers': ofArtist('forSubscribers'),
  'GET /api/artists/:id/teaser · of a draft': ofArtist('draft'),
  'GET /api/tracks/:id · released': ofTrack('released'),
  'GET /api/tracks/:id · early': ofTrack('early'),
  'GET /api/tracks/:id · for subscribers': ofTrack('forSubscribers'),
  'GET /api/tracks/:id · draft': ofTrack('draft'),
  'GET /api/tracks/:id · deleted': ofTrack('deleted'),
  'GET /api/tracks/:id/teaser · released': ofTrack('released'),
  'GET /api/tracks/:id/teaser · draft': ofTrack('draft'),
  'GET /api/tracks/:id/neighbours · released': ofTrack('released'),
  'GET /api/tracks/:id/neighbours · draft': ofTrack('draft'),
  'GET /api/tracks/:id/peaks · released': ofTrack('released'),
  'GET /api/tracks/:id/peaks · draft': ofTrack('draft'),
  'POST /api/tracks/:id/play · released': ofTrack('released'),
  'POST /api/tracks/:id/play · early': ofTrack('early'),
  'POST /api/tracks/:id/play · draft': ofTrack('draft'),
  'POST /api/plays/:playId/heartbeat · their own play': async ({ things }, _owner, person) => {
    const { playId, cookie } = await things.play(person);
    const payload = { secondsListened: 1, position: 1 };
    return { params: { playId }, payload, headers: { cookie } };
  },
  'POST /api/plays/:playId/heartbeat · a play of someone else': async ({ things, owner }) => ({
    params: { playId: (await things.play(owner)).playId },
    payload: { secondsListened: 1, position: 1 },
  }),
  'POST /api/events': () => ({ payload: events, headers: FORM }),
  'POST /api/achievements/seen': () => ({ payload: { ids: [] } }),
  'GET /api/tracks/search': () => ({ query: { q: 'Released' } }),
  'GET /api/tracks/suggest': () => ({ query: { q: 'Released' } }),
  'GET /api/legal/:page': () => ({ params: { page: 'terms' } }),
  'GET /api/tracks/:id/favorite · released': ofTrack('released'),
  'POST /api/tracks/:id/favorite · released': ofTrack('released'),
  'POST /api/tracks/:id/favorite · for subscribers': ofTrack('forSubscribers'),
  'POST /api/tracks/:id/favorite · draft': ofTrack('draft'),
  'DELETE /api/tracks/:id/favorite · released': ofTrack('released'),
  'POST /api/playlists': () => ({ payload: { name: 'Mine' } }),
  'GET /api/playlists/:id': ofPlaylist(),
  'PATCH /api/playlists/:id': ofPlaylist(() => ({ payload: { name: 'Renamed' } })),
  'DELETE /api/playlists/:id': ofPlaylist(),
  'POST /api/playlists/:id/restore': async ({ things }, owner) => ({
    params: { id: await things.playlist(owner, { isDeleted: true }) },
  }),
  'POST /api/playlists/:id/tracks': ofPlaylist(({ tracks }) => ({
    payload: { trackIds: [tracks.released.id] },
  })),
  'DELETE /api/playlists/:id/tracks': ofPlaylist(({ tracks }) => ({
    query: { trackId: tracks.released.id },
  })),
  'PUT /api/playlists/:id/order': ofPlaylist(({ tracks }) => ({
    payload: { version: 0, trackId: tracks.released.id, after: null },
  })),
  'PUT /api/playlists/:id/share': ofPlaylist(),
  'DELETE /api/playlists/:id/share': ofPlaylist(),
  'GET /api/years/:year': () => ({ params: { year: '2026' } }),
  'GET /api/years/:year · too early': () => ({ params: { year: '1990' } }),
  'GET /api/years/:year/picture · too early': () => ({ params: { year: '1990' } }),
  'PUT /api/years/:year/share': () => ({ params: { year: '2026' }, payload: { hasName: false } }),
  'DELETE /api/years/:year/share': () => ({ params: { year: '2026' } }),
  'GET /api/shared-playlists/:token · a shared link': ofSharedPlaylist,
  'GET /api/shared-playlists/:token · the id of a playlist': async ({ things }, owner) => ({
    params: { token: await things.playlist(owner) },
  }),
  'GET /api/shared-playlists/:token/teaser · a shared link': ofSharedPlaylist,
  'GET /api/shared-playlists/:token/teaser · the id of a playlist': async ({ things }, owner) => ({
    params: { token: await things.playlist(owner) },
  }),
};

const CLIP = { start: 0, seconds: 3 };
const SQUARE = { params: { name: 'square.mp4' } };

const audio: Record<string, Ask> = {
  'GET /api/tracks/:id/clips': ofTrack('released'),
  'POST /api/tracks/:id/clips · released': ofTrack('released', { payload: CLIP }),
  'POST /api/tracks/:id/clips · for subscribers': ofTrack('forSubscribers', { payload: CLIP }),
  'GET /api/clips/:id · of a released mix': ofClip('released'),
  'GET /api/clips/:id · of a draft': ofClip('draft'),
  'GET /api/clips/:id · of an early mix': ofClip('early'),
  'GET /api/clips/:id · of a mix for subscribers': ofClip('forSubscribers'),
  'DELETE /api/clips/:id': ofClip('released'),
  'GET /media/clips/:id/:name · of a released mix': ofClip('released', SQUARE),
  'GET /media/clips/:id/:name · of a draft': ofClip('draft', SQUARE),
  'GET /media/clips/:id/:name · of an early mix': ofClip('early', SQUARE),
  'GET /media/clips/:id/:name · of a mix for subscribers': ofClip('forSubscribers', SQUARE),
  'GET /media/cdn/* · a guessed address': ({ tracks: { released } }) => ({
    params: {
      '*': `${released.id}/stream/${released.id}-stream.bin/1794751200/${'x'.repeat(43)}/play.bin`,
    },
  }),
  'GET /media/tracks/:id/:rendition · stream, released': ofRendition('released', 'stream'),
  'GET /media/tracks/:id/:rendition · data saver, released': ofRendition('released', 'dataSaver'),
  'GET /media/tracks/:id/:rendition · preview, released': ofRendition('released', 'preview'),
  'GET /media/tracks/:id/:rendition · download as a stream': ofRendition('released', 'flac'),
  'GET /media/tracks/:id/:rendition · stream, early': ofRendition('early', 'stream'),
  'GET /media/tracks/:id/:rendition · preview, early': ofRendition('early', 'preview'),
  'GET /media/tracks/:id/:rendition · stream, for subscribers': ofRendition(
    'forSubscribers',
    'stream',
  ),
  'GET /media/tracks/:id/:rendition · preview, for subscribers': ofRendition(
    'forSubscribers',
    'preview',
  ),
  'GET /media/tracks/:id/:rendition · stream, draft': ofRendition('draft', 'stream'),
  'GET /media/tracks/:id/:rendition · preview, draft': ofRendition('draft', 'preview'),
  'GET /media/tracks/:id/:rendition · stream, deleted': ofRendition('deleted', 'stream'),
  'GET /api/me/saved-tracks': ({ tracks }) => ({ query: { ids: tracks.released.id } }),
  'POST /api/tracks/:id/download · released': ofTrack('released', { payload: { format: 'mp3' } }),
  'POST /api/tracks/:id/download · draft': ofTrack('draft', { payload: { format: 'mp3' } }),
  'GET /media/downloads/:trackId/:format · the link of a subscriber': async ({ things }) => {
    const link = await things.downloadLink();
    return { params: link.params, query: link.query };
  },
  'GET /media/downloads/:trackId/:format · the link of a lapsed subscriber': async ({ things }) => {
    const link = await things.downloadLink();
    await things.endAccess(link.owner);
    return { params: link.params, query: link.query };
  },
  'GET /media/downloads/:trackId/:format · the link for another file': async ({
    things,
    tracks,
  }) => {
    const link = await things.downloadLink();
    return { params: { ...link.params, trackId: tracks.early.id }, query: link.query };
  },
  'GET /media/downloads/:trackId/:format · no link': ({ tracks }) => ({
    params: { trackId: tracks.released.id, format: 'mp3' },
  }),
  'GET /media/sleeves/* · released': ({ tracks }) => ({
    params: { '*': `${tracks.released.id}-square.png` },
  }),
  'GET /media/sleeves/* · draft': ({ tracks }) => ({
    params: { '*': `${tracks.draft.id}-square.png` },
  }),
  'GET /letters/feed.xml': async (...asked) => {
    await ofLetter({ state: 'sent', page: 'everyone' })(...asked);
    return {};
  },
  'GET /api/letters/:id · for everyone': ofLetter({ state: 'sent', page: 'everyone' }),
  'GET /api/letters/:id · for members': ofLetter({ state: 'sent', page: 'members' }),
  'GET /api/letters/:id · in mails only': ofLetter({ state: 'sent', page: 'none' }),
  'GET /api/letters/:id · stopped': ofLetter({ state: 'stopped', page: 'everyone' }),
  'GET /api/letters/:id · a draft': ofLetter(),
  'GET /media/look/:file': () => ({ params: { file: 'nothing.png' } }),
  'GET /media/covers/:name': () => ({ params: { name: 'nobody.webp' } }),
  'GET /media/covers/:name · for mails, of a draft': async ({ deps, tracks }) => {
    const key = 'covers/k3yofadraft.webp';
    await deps.storage.put(key, image.payload);
    await deps.database.db
      .updateTable('tracks')
      .set({ cover_key: key })
      .where('id', '=', tracks.draft.id)
      .execute();
    return { params: { name: 'k3yofadraft.mail.jpg' } };
  },
  'GET /media/cards/:name · draft': ({ tracks }) => ({
    params: { name: `${tracks.draft.id}.png` },
  }),
  'GET /media/cards/artists/:name · of a draft': async (...asked) => {
    const { params } = await ofArtist('draft')(...asked);
    return { params: { name: `${params?.id}.png` } };
  },
  'GET /media/cards/years/:name · a guessed address': () => ({ params: { name: 'guessed.png' } }),
  'GET /media/cards/weeks/:name · a week without a mix': () => ({
    params: { name: '2001-1.png' },
  }),
  'GET /embed/track/:id · released': ofTrack('released'),
  'GET /embed/track/:id · early': ofTrack('early'),
  'GET /embed/track/:id · for subscribers': ofTrack('forSubscribers'),
  'GET /embed/track/:id · draft': ofTrack('draft'),
  'GET /oembed · released': ofUrl('released'),
  'GET /oembed · early': ofUrl('early'),
  'GET /oembed · draft': ofUrl('draft'),
};

const paying: Record<string, Ask> = {
  'PUT /api/subscription/buyer': () => ({
    payload: { name: 'Sounds CC', address: '2 Loop Street', vatNumber: '' },
  }),
  'GET /api/subscription/invoices/:id': async ({ things }, owner) => ({
    params: { id: await things.invoice(owner) },
  }),
  'GET /api/subscription/credit-notes/:id': async ({ things }, owner) => ({
    params: { id: await things.creditNote(owner) },
  }),
  'GET /api/checkout/quote': () => ({ query: { plan: 'monthly' } }),
  'POST /api/checkout': () => ({ payload: { plan: 'monthly' } }),
  'POST /api/checkout/:reference/confirm': async ({ things }, owner, person) => {
    if (person.role === 'subscriber')
      return { params: { reference: await things.subscribe(person) } };
    const { reference } = await things.checkout(owner === person ? person : undefined);
    return { params: { reference } };
  },
  'POST /api/subscription/cancel': ofSubscription({ payload: { reason: 'other' } }),
  'POST /api/subscription/withdraw': ofSubscription(),
  'POST /api/subscription/resume': ofSubscription(),
  'POST /api/subscription/change': ofSubscription({ payload: { plan: 'annual' } }),
  'GET /api/subscription/change': ofSubscription({ query: { plan: 'annual' } }),
  'POST /api/subscription/card': ofSubscription(),
  'POST /api/subscription/pay': ofSubscription(),
  'POST /api/pay-once': () => ({ payload: { months: 1, amount: 79_00 } }),
  'POST /api/pay-once/:reference/return': () => ({ params: { reference: 'wk-guessed' } }),
  'POST /api/bought-gifts': () => ({
    payload: {
      months: 1,
      amount: 79_00,
      from: 'Ayanda',
      email: 'ayanda@example.com',
      recipient: null,
    },
  }),
  'GET /api/bought-gifts/:reference': () => ({ params: { reference: 'wk-guessed' } }),
  'GET /api/bought-gifts/:reference/invoice': () => ({ params: { reference: 'wk-guessed' } }),
  'POST /api/bought-gifts/:reference/send': () => ({ params: { reference: 'wk-guessed' } }),
  'GET /api/gifts/:token · a gift link': async ({ things }) => ({
    params: { token: await things.gift() },
  }),
  'GET /api/gifts/:token · a guessed link': () => ({ params: { token: 'guessed' } }),
  'POST /api/gifts/:token/redeem': async ({ things }) => ({
    params: { token: await things.gift() },
  }),
  'GET /fonts/:file': () => ({ params: { file: 'anybody.woff2' } }),
  'POST /api/webhooks/mail · with the secret': () => ({
    payload: { address: 'nobody@example.com', kind: 'temporary' },
    headers: { authorization: `Bearer ${MAIL_WEBHOOK_SECRET}` },
  }),
  'POST /api/webhooks/mail · without it': () => ({
    payload: { address: 'nobody@example.com', kind: 'permanent' },
  }),
  'POST /api/webhooks/:provider · signed': async ({ things, sandbox }) => {
    await things.checkout().then(({ checkoutId }) => sandbox.pay(checkoutId, { card: 'success' }));
    const [webhook] = await sandbox.drainWebhooks();
    if (!webhook) throw new Error('The sandbox sent no webhook.');
    return {
      params: { provider: 'sandbox' },
      payload: webhook.rawBody,
      headers: webhook.headers,
    };
  },
  'POST /api/webhooks/:provider · forged': () => ({
    params: { provider: 'sandbox' },
    payload: { event: 'charge.success' },
  }),
  'GET /sandbox/checkout/:id · an open checkout': async ({ things }) => ({
    params: { id: (await things.checkout()).checkoutId },
  }),
  'GET /sandbox/checkout/:id · a guessed one': () => nobody,
  'POST /sandbox/checkout/:id · a guessed one': () => ({
    ...nobody,
    payload: toForm({ method: 'success' }),
    headers: FORM,
  }),
  'GET /sandbox/checkout/:id · an impossible one': () => ({ params: { id: 'a\0b' } }),
};

const pages: Record<string, Ask> = {
  'GET /setup/:token': () => ({ params: { token: 'guessed' } }),
  'POST /setup/:token': () => ({
    params: { token: 'guessed' },
    payload: toForm({ username: 'me', email: 'me@site.example', password: PASSWORD }),
    headers: FORM,
  }),
  'GET /artist/:id · of a released mix': ofArtist('released'),
  'GET /artist/:id · of a draft': ofArtist('draft'),
  'GET /shared/:token · a shared link': ofSharedPlaylist,
  'GET /shared/:token · a guessed link': () => ({ params: { token: 'guessed' } }),
  'GET /clip/:id · of a released mix': ofClip('released'),
  'GET /clip/:id · of a draft': ofClip('draft'),
  'GET /track/:id · released': ofTrack('released'),
  'GET /track/:id · draft': ofTrack('draft'),
  'GET /assets/*': () => ({ params: { '*': 'app.js' } }),
};

/** The request of every row of docs/access.md that needs more than its address. */
export const MAIL_WEBHOOK_SECRET = 'quiet-harbour-at-dawn';

export const requests: Record<string, Ask> = {
  ...accounts,
  ...appRequests,
  ...listening,
  ...momentRequests,
  ...usageReportRequests,
  ...audio,
  ...paying,
  ...pages,
  ...podcastRequests,
  ...deviceRequests,
  ...adminRequests,
};
