import type { Query, QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import type { Plan } from '#contract/rules/plans.ts';
import type { Track } from '#contract/tracks.ts';
import type { AnalyticsEvent, ApiCall } from '#web/lib/analytics/analytics-events.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import type { ListeningEvent, ListeningEvents } from '#web/player/session/listening-events.ts';

const isUser = (response: unknown): response is User =>
  typeof response === 'object' && response !== null && 'id' in response && 'username' in response;

const isLogin = (route: string): boolean =>
  route.startsWith('POST /api/auth/login') || route === 'POST /api/auth/passkey';
const startsSession = (route: string): boolean =>
  isLogin(route) || route === 'POST /api/auth/register';

/** The user who has just logged in or registered. */
export const findUserOfCall = ({ route, response: answer }: ApiCall): User | null =>
  startsSession(route) && isUser(answer) ? answer : null;

const buildFavoriteEvent = (
  action: 'favorite' | 'unfavorite',
  { id = '' }: ApiCall['params'],
): AnalyticsEvent => ({
  name: 'User Engagement',
  fields: { action, content_id: id, content_type: 'track' },
});

type Usage = Extract<AnalyticsEvent, { name: 'Feature Usage' }>['fields'];

const buildUsageEvent =
  (feature: Usage['feature'], action: Usage['action']) => (): AnalyticsEvent => ({
    name: 'Feature Usage',
    fields: { feature, action },
  });

/** The password that a new address needs is no field of the profile. */
const PROFILE_FIELDS = ['username', 'email', 'avatarUrl'];

function buildProfileEvent(changed: string[]): AnalyticsEvent | null {
  const updated_fields = changed.filter((field) => PROFILE_FIELDS.includes(field));
  return updated_fields.length > 0 ? { name: 'Profile Update', fields: { updated_fields } } : null;
}

type Purchase = { plan: Plan; amount: number; currency: 'ZAR'; paymentMethod: string };

/** The server reports a purchase only once, so the event is sent once. */
function buildPurchaseEvent(response: unknown): AnalyticsEvent | null {
  const bought = (response as { purchase?: Purchase | null } | undefined)?.purchase;
  if (!bought?.plan) return null;
  // The API has cents, the event has rand.
  const { currency, paymentMethod: payment_method } = bought;
  const paid = { amount: bought.amount / 100, currency, payment_method };
  return bought.plan === 'annual'
    ? { name: 'subscribe-annual', fields: { plan_type: 'annual', ...paid } }
    : { name: 'subscribe-monthly', fields: { plan_type: 'monthly', ...paid } };
}

const eventsByRoute: Record<string, (call: ApiCall) => AnalyticsEvent | null> = {
  'POST /api/auth/register': () => ({ name: 'User Signup', fields: {} }),
  'POST /api/auth/logout': buildUsageEvent('account', 'logout'),
  'POST /api/auth/reset-password/request': buildUsageEvent('password-reset', 'request'),
  'PATCH /api/users/:id': ({ changedFields: changed }) => buildProfileEvent(changed),
  'PUT /api/users/:id/avatar': () => buildProfileEvent(['avatarUrl']),
  'DELETE /api/users/:id/avatar': () => buildProfileEvent(['avatarUrl']),
  'POST /api/tracks/:id/favorite': ({ params }) => buildFavoriteEvent('favorite', params),
  'DELETE /api/tracks/:id/favorite': ({ params }) => buildFavoriteEvent('unfavorite', params),
  'POST /api/checkout/:reference/confirm': ({ response: answer }) => buildPurchaseEvent(answer),
  'POST /api/playlists': buildUsageEvent('playlists', 'create'),
  'DELETE /api/playlists/:id': buildUsageEvent('playlists', 'delete'),
  'PUT /api/playlists/:id/share': buildUsageEvent('playlists', 'share'),
  'POST /api/playlists/:id/tracks': ({ params: { id = '' } }) => ({
    name: 'User Engagement',
    fields: { action: 'add-to-playlist', content_id: id, content_type: 'playlist' },
  }),
};

/** The event for a successful API call, if there is one. */
export function buildCallEvent(call: ApiCall): AnalyticsEvent | null {
  if (isLogin(call.route)) return isUser(call.response) ? { name: 'User Login', fields: {} } : null;
  return eventsByRoute[call.route]?.(call) ?? null;
}

const buildPlayEvent = ({ id, title }: Track): AnalyticsEvent => ({
  name: 'play-track',
  fields: { track_id: id, track_title: title },
});

/** Resuming after a pause isn’t a new play; reaching the end is an event of its own. */
function buildPlayerEvent(listeningEvent: ListeningEvent): AnalyticsEvent | null {
  if (listeningEvent.type === 'started')
    return listeningEvent.isResume ? null : buildPlayEvent(listeningEvent.track);
  if (listeningEvent.type !== 'finished') return null;
  const { id } = listeningEvent.track;
  return {
    name: 'User Engagement',
    fields: { action: 'complete', content_id: id, content_type: 'track' },
  };
}

type Playing = { isPlaying: boolean; currentTrack: Track | null };

type Listening = { listeningEvents: ListeningEvents; store: { get(): Playing } };

/** A track that is already playing when analytics load counts as well. */
export function watchPlayer(
  { listeningEvents, store }: Listening,
  send: (event: AnalyticsEvent) => void,
): void {
  const { isPlaying, currentTrack } = store.get();
  if (isPlaying && currentTrack) send(buildPlayEvent(currentTrack));
  listeningEvents.subscribe((listeningEvent) => {
    const event = buildPlayerEvent(listeningEvent);
    if (event) send(event);
  });
}

const SEARCH_PATH = '/api/tracks/search';

type SearchKey = readonly [string, string, { q?: unknown }];

type SearchPages = { pages?: { items?: unknown[] }[] };

/** Only the first response of a search is an event; refetching isn’t. */
function buildSearchEvent({
  queryKey,
  state,
}: Pick<Query, 'queryKey' | 'state'>): AnalyticsEvent | null {
  const [path, , filter] = queryKey as unknown as SearchKey;
  if (path !== SEARCH_PATH || state.status !== 'success' || state.dataUpdateCount !== 1)
    return null;
  const items = (state.data as SearchPages | undefined)?.pages?.[0]?.items;
  if (typeof filter?.q !== 'string' || !items) return null;
  return { name: 'Search', fields: { query: filter.q, results_count: items.length } };
}

/** Calls back with every query that has data, now and later. */
function watchResponses(client: QueryClient, onResponse: (query: Query) => void): void {
  const cache = client.getQueryCache();
  for (const query of cache.getAll()) if (query.state.data !== undefined) onResponse(query);
  cache.subscribe((change) => {
    if (change.type === 'updated' && change.action.type === 'success') onResponse(change.query);
  });
}

export function watchUser(client: QueryClient, onUser: (user: User | null) => void): void {
  watchResponses(client, ({ queryKey, state }) => {
    if (queryKey[0] === currentUserQuery.queryKey[0]) onUser(state.data as User | null);
  });
}

export function watchSearches(client: QueryClient, send: (event: AnalyticsEvent) => void): void {
  watchResponses(client, (query) => {
    const event = buildSearchEvent(query);
    if (event) send(event);
  });
}
