import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '#contract/rules/time.ts';
import {
  startListenBrainz,
  type FakeScrobbler,
  type ScrobblerRequest,
} from '../../testing/fake-scrobblers.ts';
import { RECORDED_CLIENTS, RECORDED_TOKEN } from '../../testing/recorded-listens.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber } from '../../testing/test-user.ts';

let test: TestApp;
let fake: FakeScrobbler;

beforeEach(async () => {
  fake = await startListenBrainz();
  fake.tokens.add(RECORDED_TOKEN);
  test = await createTestApp({ config: { allowsPrivateServers: true } });
});
afterEach(async () => {
  await test.close();
  await fake.close();
});

/** Two chapters of three minutes, of which a listener hears so many seconds at a time. */
async function listen(...parts: number[]): Promise<void> {
  const { database, storage, clock } = test.deps;
  const chapters = JSON.stringify([
    { at: 0, artist: 'Relay Room', title: 'Substation Intro' },
    { at: 180, artist: 'Björk', title: 'Jóga ✨' },
  ]);
  const change = { duration_ms: 6 * MINUTE, chapters };
  const { id } = await seedTrack({ db: database.db, storage, now: clock.now() }, change);
  const { client } = await createSubscriber(test);
  const payload = { token: RECORDED_TOKEN, server: fake.origin };
  await client.request({ method: 'PUT', url: '/api/me/scrobbling/listenbrainz', payload });
  const started = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
  const url = `/api/plays/${started.json<{ playId: string }>().playId}/heartbeat`;
  let position = 0;
  for (const end of parts) {
    for (; position < end; position += 10) {
      test.clock.advance(10_000);
      const heard = { secondsListened: position + 10, position: position + 10 };
      await client.request({ method: 'POST', url, payload: heard });
    }
    await test.worker.runDue();
  }
}

type Listen = { track_metadata: { additional_info: object } };
type Submission = { listen_type: string; payload: Listen[] };

const parse = (body: string) => JSON.parse(body) as Submission;
/** Without what a client may say besides. */
const toNames = ({ listen_type, payload }: Submission) => ({
  listen_type,
  payload: payload.map(({ track_metadata: { additional_info: _info, ...names }, ...rest }) => ({
    ...rest,
    track_metadata: names,
  })),
});
const toInfo = ({ payload }: Submission) =>
  payload.map(({ track_metadata }) => track_metadata.additional_info);

const findSubmission = (type: string): ScrobblerRequest | undefined =>
  fake.requests.find(
    ({ url, body }) => url.endsWith('/submit-listens') && parse(body).listen_type === type,
  );

describe.each(RECORDED_CLIENTS)('$client, beside us', ({ requests }) => {
  it.each([
    ['playing_now', [10]],
    ['single', [100]],
    ['import', [360]],
  ])('sends %s as we do', async (type, parts) => {
    const theirs = requests.find(({ body }) => body && parse(body).listen_type === type);
    await listen(...parts);
    const ours = findSubmission(type);
    expect(ours).toMatchObject({
      method: theirs?.method,
      url: theirs?.url,
      authorization: theirs?.headers.authorization,
    });
    const [sent, recorded] = [parse(ours?.body ?? ''), parse(theirs?.body ?? '')];
    expect(toNames(sent)).toEqual(toNames(recorded));
    expect(toInfo(sent)).toMatchObject(toInfo(recorded));
  });

  it('is understood with the same result', async () => {
    for (const { method, url, headers, body } of requests) {
      const response = await fetch(fake.origin + url, { method, headers, body: body || null });
      expect([response.status, await response.json()]).toMatchObject(
        body ? [200, { status: 'ok' }] : [200, { valid: true }],
      );
    }
    const theirs = { listens: [...fake.listens], playing: fake.playing.splice(0) };
    expect(theirs.listens).toHaveLength(2);
    fake.listens.clear();
    await listen(10, 360);
    expect({ listens: [...fake.listens], playing: fake.playing.slice(0, 1) }).toEqual(theirs);
  });
});
