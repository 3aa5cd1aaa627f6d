import { expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '#contract/rules/time.ts';
import { newId } from '../db/ids.ts';
import type { PlaysTable } from '../db/types/listening-tables.ts';
import type { TracksTable } from '../db/types/tables.ts';
import { readHeard, type Heard } from '../features/usage/service.ts';
import { seedTrack } from './seed-track.ts';
import { createTestApp, type TestClient } from './test-app.ts';
import { runSchedule } from './test-payments.ts';

const EVER = { fromDay: '0000', toDay: '9999' };

export type UsageSite = Awaited<ReturnType<typeof startUsageSite>>;

/** A site with one mix that is heard, and what is added up of it each night. */
export async function startUsageSite() {
  const test = await createTestApp({ config: { timeZone: 'Africa/Johannesburg' } });
  const { database, storage } = test.deps;
  const { db } = database;
  const seed = (change: Partial<TracksTable> = {}) =>
    seedTrack({ db, storage, now: test.clock.now() }, change);
  const track = await seed();

  async function readAll(days: Parameters<typeof readHeard>[1] = EVER): Promise<Heard[]> {
    const all: Heard[] = [];
    for await (const heard of readHeard(db, days)) all.push(heard);
    return all;
  }
  const addUp = () => runSchedule(test, 'add-up-usage');

  return {
    ...test,
    seed,
    track,
    readAll,
    countPlays: async () => (await readAll()).map(({ day, plays }) => [day, plays] as const),
    addUp,
    /** Late enough for every day before. */
    async addUpLater(days = 4) {
      test.clock.advance(days * DAY);
      await addUp();
    },
    /** Plays for some seconds, and says then where it is. */
    async listen(client: TestClient, seconds: number, position: number, id = track.id) {
      const started = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
      const { playId } = started.json<{ playId: string }>();
      test.clock.advance(seconds * SECOND);
      const heartbeat = async (secondsListened: number, at: number) => {
        const url = `/api/plays/${playId}/heartbeat`;
        const payload = { secondsListened, position: at };
        expect((await client.request({ method: 'POST', url, payload })).statusCode).toBe(204);
      };
      await heartbeat(seconds, position);
      return heartbeat;
    },
    /** A play as the table has it. */
    insertPlay: (startedAt: number, change: Partial<PlaysTable> = {}) =>
      db
        .insertInto('plays')
        .values({
          id: newId(startedAt),
          track_id: track.id,
          user_id: null,
          listener_key: 'visitor:x',
          is_subscriber: 1,
          started_at: startedAt,
          listened_at: startedAt + MINUTE,
          listened_ms: MINUTE,
          position_ms: MINUTE,
          is_counted: 1,
          counted_at: startedAt,
          suspicion: null,
          source: null,
          ...change,
        })
        .execute(),
  };
}
