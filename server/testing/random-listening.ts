import { dayOf } from '#contract/rules/days.ts';
import type { TracksTable } from '../db/types/tables.ts';
import type { Random } from './random.ts';
import type { TestApp, TestClient } from './test-app.ts';
import { createUser, PASSWORD, payUntil, type TestUser } from './test-user.ts';
import { DAY } from '#contract/rules/time.ts';

const HOUR = DAY / 24;

type Listener = { client: TestClient; premiumId: string | null };
type Context = { test: TestApp; admin: TestClient; random: Random; tracks: readonly TracksTable[] };

export type Start = { trackId: string; userId: string; day: string };

/** Sends some heartbeats, or none, and passes each to a callback. */
async function play(
  { test, random }: Context,
  client: TestClient,
  track: TracksTable,
  onHeartbeat: () => void,
) {
  const started = await client.request({
    method: 'POST',
    url: `/api/tracks/${track.id}/play`,
    headers: { 'content-type': 'application/json' },
    payload: {},
  });
  const { playId } = started.json<{ playId: string }>();
  let position = 0;
  for (let beat = 1; beat <= random.below(4); beat += 1) {
    const seconds = 4 + random.below(40);
    test.clock.advance(seconds * 1000);
    position = Math.min(95, position + seconds);
    onHeartbeat();
    const payload = { secondsListened: position, position };
    await client.request({ method: 'POST', url: `/api/plays/${playId}/heartbeat`, payload });
  }
}

/** An administrator's session has ended by the next day. */
export const logInAgain = (admin: TestClient) =>
  admin.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'naledi', password: PASSWORD },
  });

/**
 * Users with and without Premium, visitors and an administrator, over many days. Returns the
 * users, and the day on which each subscriber started each track.
 */
export async function listenAtRandom(context: Context, days: number) {
  const { test, admin, random, tracks } = context;
  const started = new Map<string, Start>();
  const users: TestUser[] = [];
  const listeners: Listener[] = [{ client: admin, premiumId: null }];
  for (const name of ['ayanda', 'bongani', 'chloe', 'dumi', 'enzo']) {
    const user = await createUser(test, name);
    const isPremium = listeners.length % 2 === 0;
    if (isPremium) await payUntil(test, user.user, test.clock.now() + 400 * DAY);
    users.push(user);
    listeners.push({ client: user.client, premiumId: isPremium ? user.user.id : null });
  }
  for (let visitor = 0; visitor < 2; visitor += 1)
    listeners.push({ client: test.createClient(), premiumId: null });
  const start = test.clock.now() - (test.clock.now() % HOUR);
  for (let day = 0; day < days; day += 1)
    for (let turn = random.below(3); turn > 0; turn -= 1) {
      const at = start + day * DAY + random.below(24) * HOUR + random.below(50) * 60_000;
      test.clock.advance(Math.max(0, at - test.clock.now()));
      const { client, premiumId: userId } = random.pick(listeners);
      const track = random.pick(tracks);
      if (client === admin) await logInAgain(admin);
      await play(context, client, track, () => {
        const key = `${userId}/${track.id}`;
        if (userId === null || started.has(key)) return;
        const today = dayOf(test.clock.now(), test.deps.config.timeZone);
        started.set(key, { trackId: track.id, userId, day: today });
      });
    }
  await logInAgain(admin);
  return { users, started };
}
