import { describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { eventSchemas } from '#contract/analytics.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import type { ApiCall, AnalyticsEvent } from '#web/lib/analytics/analytics-events.ts';
import { createListeningEvents } from '#web/player/session/listening-events.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { buildCommonFields } from './common-fields.ts';
import { buildCallEvent, findUserOfCall } from './event-sources.ts';
import { watchPlayer } from './event-sources.ts';
import { watchSearches, watchUser } from './event-sources.ts';

const user: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  isSubscriber: true,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};
const makeCall = (route: string, call: Partial<ApiCall> = {}): ApiCall => ({
  route,
  params: {},
  changedFields: [],
  response: undefined,
  ...call,
});

describe('a successful API call', () => {
  it.each<[string, Partial<ApiCall>, AnalyticsEvent]>([
    ['POST /api/auth/register', { response: user }, { name: 'User Signup', fields: {} }],
    ['POST /api/auth/login', { response: user }, { name: 'User Login', fields: {} }],
    [
      'PATCH /api/users/:id',
      { changedFields: ['username', 'email', 'password', 'code'] },
      { name: 'Profile Update', fields: { updated_fields: ['username', 'email'] } },
    ],
    [
      'PUT /api/users/:id/avatar',
      {},
      { name: 'Profile Update', fields: { updated_fields: ['avatarUrl'] } },
    ],
    [
      'POST /api/tracks/:id/favorite',
      { params: { id: 't1' } },
      {
        name: 'User Engagement',
        fields: { action: 'favorite', content_id: 't1', content_type: 'track' },
      },
    ],
    [
      'POST /api/playlists',
      {},
      { name: 'Feature Usage', fields: { feature: 'playlists', action: 'create' } },
    ],
    [
      'POST /api/auth/logout',
      {},
      { name: 'Feature Usage', fields: { feature: 'account', action: 'logout' } },
    ],
  ])('%s is an event', (route, call, event) => {
    expect(buildCallEvent(makeCall(route, call))).toEqual(event);
  });

  it.each([
    ['monthly', 79_00, 79],
    ['annual', 790_50, 790.5],
  ] as const)(
    'that paid for a %s plan is an event with the amount in rand, only the first time',
    (plan, cents, amount) => {
      const settle = (answer: unknown) =>
        buildCallEvent(makeCall('POST /api/checkout/:reference/confirm', { response: answer }));
      const purchase = { plan, amount: cents, currency: 'ZAR', paymentMethod: 'card' };
      expect(settle({ state: 'paid', purchase })).toEqual({
        name: `subscribe-${plan}`,
        fields: { plan_type: plan, amount, currency: 'ZAR', payment_method: 'card' },
      });
      expect(settle({ state: 'paid', purchase: null })).toBeNull();
      expect(settle({ state: 'open', purchase: null })).toBeNull();
    },
  );

  it.each(['POST /api/plays/:playId/heartbeat', 'PATCH /api/users/:id', 'POST /api/auth/login'])(
    '%s without a change is no event',
    (route) => expect(buildCallEvent(makeCall(route))).toBeNull(),
  );

  it('says who logged in', () => {
    expect(findUserOfCall(makeCall('POST /api/auth/login', { response: user }))).toBe(user);
    expect(
      findUserOfCall(makeCall('POST /api/auth/login', { response: { needsCode: true } })),
    ).toBeNull();
    expect(findUserOfCall(makeCall('PATCH /api/users/:id', { response: user }))).toBeNull();
  });
});

describe('the player', () => {
  const listen = (isPlaying: boolean) => {
    const events: AnalyticsEvent[] = [];
    const signals = createListeningEvents();
    const store = { get: () => ({ isPlaying, currentTrack: buildTrack('a', { title: 'A' }) }) };
    watchPlayer({ listeningEvents: signals, store }, (event) => events.push(event));
    return { events, signals };
  };
  const play: AnalyticsEvent = { name: 'play-track', fields: { track_id: 'a', track_title: 'A' } };

  it('sends one event per play, however often it is paused, and one at its end', () => {
    const { events, signals } = listen(false);
    const track = buildTrack('a', { title: 'A' });
    signals.emit({ type: 'started', track, isResume: false });
    signals.emit({ type: 'progress', track, time: 3 });
    signals.emit({ type: 'stopped', track, time: 3 });
    signals.emit({ type: 'started', track, isResume: true });
    signals.emit({ type: 'finished', track });
    expect(events).toEqual([
      play,
      {
        name: 'User Engagement',
        fields: { action: 'complete', content_id: 'a', content_type: 'track' },
      },
    ]);
  });

  it('sends an event for a track that is already playing', () => {
    expect(listen(true).events).toEqual([play]);
  });
});

describe('query responses', () => {
  const key = (q: string) => ['/api/tracks/search', 'pages', { q, limit: 20 }];
  const answer = (count: number) => ({
    pages: [{ items: Array.from({ length: count }, () => ({})) }],
    pageParams: [],
  });

  it('send an event for the first response of each search, including earlier ones', () => {
    const client = createQueryClient();
    const events: AnalyticsEvent[] = [];
    client.setQueryData(key('week 12'), answer(1));
    watchSearches(client, (event) => events.push(event));
    client.setQueryData(key('nothing'), answer(0));
    client.setQueryData(key('nothing'), answer(0));
    client.setQueryData(['/api/tracks', 'pages', { q: 'x' }], answer(3));
    expect(events).toEqual([
      { name: 'Search', fields: { query: 'week 12', results_count: 1 } },
      { name: 'Search', fields: { query: 'nothing', results_count: 0 } },
    ]);
    client.clear();
  });

  it('say who is logged in', () => {
    const client = createQueryClient();
    const seen: (string | null)[] = [];
    watchUser(client, (next) => seen.push(next?.username ?? null));
    client.setQueryData(['/api/auth/me'], user);
    client.setQueryData(['/api/auth/me'], null);
    expect(seen).toEqual(['thandi', null]);
    client.clear();
  });
});

describe('the common fields of events', () => {
  const sizes = { screen: { width: 1440, height: 900 }, innerWidth: 390, innerHeight: 844 };
  const at = Date.UTC(2026, 10, 15);

  it('match the contract and include the logged-in user', () => {
    const fields = buildCommonFields({ at, user, appVersion: '1.0.0', sizes });
    expect(fields).toEqual({
      platform: 'web',
      app_version: '1.0.0',
      screen_resolution: '1440x900',
      viewport_size: '390x844',
      timestamp: '2026-11-15T00:00:00.000Z',
      userId: 'u1',
      username: 'thandi',
      account_type: 'premium',
    });
    expect(eventSchemas['Session Start'].parse(fields)).toEqual(fields);
  });

  it('include no user when logged out', () => {
    const fields = buildCommonFields({ at, user: null, appVersion: '1.0.0', sizes });
    expect(Object.keys(fields)).not.toContain('userId');
    expect(Object.keys(fields)).not.toContain('account_type');
  });
});
