/** @module-tag both-databases */
import { once } from 'node:events';
import { truncate } from 'node:fs/promises';
import { get as load, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import type { TakeDownOfTrack } from '#contract/admin/take-downs.ts';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DELETED_TRACK_MS } from '#contract/track-fields.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { newId } from '../../db/ids.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { createFeed } from '../../testing/create-feed.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { cookieOf, createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createCatalogue, type TestCatalogue } from '../../testing/test-catalogue.ts';
import { createSubscriber, createUser, type TestUser } from '../../testing/test-user.ts';
import { startIngest } from '../ingest/service.ts';
import { announceReleases } from '../releases/jobs.ts';
import { purgeDeletedTracks } from './purge.ts';

const sent: MailMessage[] = [];
let test: TestApp;
let admin: TestUser;
let subscriber: TestUser;
let free: TestUser;
let catalogue: TestCatalogue;
let track: TracksTable;

beforeAll(async () => {
  test = await createTestApp({
    mail: { send: async (message) => void sent.push(message), close: () => undefined },
  });
  admin = await createAdmin(test);
  subscriber = await createSubscriber(test);
  free = await createUser(test);
  catalogue = createCatalogue(test, admin.client);
});
afterAll(() => test.close());
beforeEach(async () => {
  const { db } = test.deps.database;
  await db.deleteFrom('tracks').execute();
  await db.deleteFrom('jobs').execute();
  await later(0);
  track = await catalogue.seed({ title: 'Golden hour' });
});

/** Administrators would have to log in again after a day. */
async function later(ms: number) {
  test.clock.advance(ms);
  const now = test.clock.now();
  const session = { created_at: now, expires_at: now + DAY };
  await test.deps.database.db.updateTable('sessions').set(session).execute();
}

const COMPLAINT = {
  complainant: 'Relay Records',
  reason: 'Track 3 is ours,\nand nobody asked.',
  email: 'rights@relay.example',
  reference: 'RR-17',
};
const takeDown = (change: object = {}, client = admin.client, id = track.id) =>
  client.request({
    method: 'POST',
    url: `/api/admin/tracks/${id}/take-down`,
    payload: { ...COMPLAINT, ...change },
  });
const putBack = (change: object = {}, client = admin.client) =>
  client.request({
    method: 'POST',
    url: `/api/admin/tracks/${track.id}/put-back`,
    payload: { reason: 'They withdrew it.', as: 'before', ...change },
  });
const readRow = () =>
  test.deps.database.db
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', track.id)
    .executeTakeFirstOrThrow();
const get = (client: TestClient, url: string) => client.request({ url });
const readCases = async (query = '', client = admin.client) =>
  (await get(client, `/api/admin/rights/take-downs${query}`)).json<{ items: TakeDownOfTrack[] }>()
    .items;
const refusal = (answer: LightMyRequestResponse) => {
  const { code, fields } = answer.json<ErrorBody>();
  return [answer.statusCode, code, ...Object.values(fields ?? {})];
};
const isOut = () => catalogue.isOut(track.id);

const sortCodes = (answers: LightMyRequestResponse[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);

describe('a mix that is taken down', () => {
  it('is gone at once for everyone but staff, and comes back as it was', async () => {
    const before = await readRow();
    const down = await takeDown();
    expect([down.statusCode, down.json<CatalogueDetail>().state]).toEqual([200, 'takenDown']);
    for (const client of [test.createClient(), subscriber.client]) {
      expect(await catalogue.isOut(track.id, client)).toBe(false);
      expect((await get(client, '/api/tracks')).body).not.toContain(track.id);
    }
    const staff = (await get(admin.client, `/api/tracks/${track.id}`)).json<TrackDetail>();
    expect(staff.unreleased).toBe('takenDown');
    expect((await get(admin.client, `/media/tracks/${track.id}/stream`)).statusCode).toBe(200);
    await later(DAY);
    expect((await putBack()).json<CatalogueDetail>()).toMatchObject({
      state: 'published',
      takeDown: null,
      publishAt: before.publish_at,
    });
    expect(await isOut()).toBe(true);
    const changed = ['updated_at', 'version'] as const;
    const { updated_at: _at, version: _version, ...after } = await readRow();
    for (const name of changed) delete (before as Partial<TracksTable>)[name];
    expect(after).toEqual(before);
  });

  it('has a new feed, which apps that have the old one get', async () => {
    const own = await createFeed(subscriber.client);
    for (const url of ['/feed.xml', own, `${own}/data-saver`]) {
      const first = await test.app.inject({ url });
      expect(first.body).toContain(track.id);
      const headers = { 'if-none-match': String(first.headers.etag) };
      expect((await test.app.inject({ url, headers })).statusCode).toBe(304);
      await takeDown();
      const second = await test.app.inject({ url, headers });
      expect([second.statusCode, second.body.includes(track.id)]).toEqual([200, false]);
      await putBack();
      expect((await test.app.inject({ url })).body).toContain(track.id);
    }
  });

  it('leaves no link that was given out, and no copy that a browser may keep', async () => {
    const { client } = subscriber;
    const keeps = async () =>
      (await get(client, `/api/me/saved-tracks?ids=${track.id}`)).json<{ ids: string[] }>().ids;
    const ordered = await client.request({
      method: 'POST',
      url: `/api/tracks/${track.id}/download`,
      payload: { format: 'mp3' },
    });
    const { url } = ordered.json<{ url: string }>();
    const { fileUrl } = (await get(client, `/api/tracks/${track.id}`)).json<TrackDetail>();
    const range = (from: number) =>
      client.request({ url: fileUrl, headers: { range: `bytes=${from}-${from + 9}` } });
    expect((await range(0)).statusCode).toBe(206);
    expect(await keeps()).toEqual([track.id]);
    await takeDown();
    expect((await range(10)).statusCode).toBe(404);
    expect((await test.app.inject({ url })).statusCode).toBe(404);
    expect(await keeps()).toEqual([]);
    await putBack();
    expect((await range(10)).statusCode).toBe(206);
    expect((await test.app.inject({ url })).statusCode).toBe(200);
  });

  it('keeps its files, tracklist and plays, and nothing deletes them', async () => {
    await takeDown();
    const refused = await catalogue.bulk({ action: 'delete', ids: [track.id] });
    expect(refusal(refused)).toEqual([409, 'taken_down']);
    expect(refused.json<ErrorBody>().message).toBe(
      '“Golden hour” was taken down on a complaint. Put it back first.',
    );
    await later(DELETED_TRACK_MS + DAY);
    await runSchedule(purgeDeletedTracks);
    await test.worker.runDue();
    const { files, chapters } = (
      await get(admin.client, `/api/admin/tracks/${track.id}`)
    ).json<CatalogueDetail>();
    expect(files).toHaveLength(5);
    expect(chapters.length).toBe(JSON.parse(track.chapters).length);
    expect((await readRow()).purged_at).toBeNull();
  });

  it('keeps the audio that somebody complained about, also if new audio is being processed', async () => {
    const { db } = test.deps.database;
    const now = test.clock.now();
    const runId = newId(now);
    const listRuns = () =>
      db.selectFrom('ingest_runs').select('id').where('track_id', '=', track.id).execute();
    await db
      .transaction()
      .execute((tx) =>
        startIngest(tx, { trackId: track.id, runId, masterKey: 'masters/new.wav', now }),
      );
    expect(await listRuns()).toEqual([{ id: runId }]);
    const answer = await takeDown();
    expect(answer.json<CatalogueDetail>().failure).toBe(
      'The mix was taken down before its new audio was ready. Upload it again.',
    );
    await test.worker.runDue();
    expect(await listRuns()).toEqual([]);
    expect(await readRow()).toMatchObject({ master_key: track.master_key, status: 'ready' });
  });

  it('can only be deleted once its case is closed', async () => {
    await takeDown();
    const detail = (await putBack({ as: 'draft' })).json<CatalogueDetail>();
    expect(detail).toMatchObject({ state: 'draft', publishAt: null, takeDown: null });
    expect(await isOut()).toBe(false);
    const deleted = await catalogue.bulk({ action: 'delete', ids: [track.id] });
    expect(deleted.statusCode).toBe(200);
    expect(refusal(await takeDown())).toEqual([404, 'not_found']);
  });

  it.each([
    ['publishing', () => catalogue.bulk({ action: 'publish', ids: [track.id] })],
    [
      'scheduling',
      () => catalogue.bulk({ action: 'schedule', ids: [track.id], at: test.clock.now() + DAY }),
    ],
    [
      'an edit of the release',
      async () =>
        catalogue.edit(track.id, { version: (await readRow()).version, release: { kind: 'now' } }),
    ],
    [
      'taking back what was done before',
      async () => {
        const { id, year, week } = track;
        const { version } = await readRow();
        const item = { id, version, year, week, publishAt: test.clock.now() };
        return catalogue.bulk({ action: 'revert', items: [item] });
      },
    ],
  ])('isn’t published by %s', async (_what, publish) => {
    await takeDown();
    expect(refusal(await publish())).toEqual([409, 'taken_down']);
    expect(await isOut()).toBe(false);
  });

  it('is left as it was with the others of a bulk change', async () => {
    const other = await catalogue.seed({ publish_at: null });
    await takeDown();
    await catalogue.bulk({ action: 'publish', ids: [other.id, track.id] });
    expect(await catalogue.isOut(other.id)).toBe(false);
  });

  it('can be edited, and moved to another week, which it keeps', async () => {
    await takeDown();
    const { version } = await readRow();
    expect((await catalogue.edit(track.id, { version, title: 'Other' })).statusCode).toBe(200);
    const moved = { action: 'move', ids: [track.id], week: 7, year: 2026 };
    expect((await catalogue.bulk(moved)).statusCode).toBe(200);
    await catalogue.seed({ week: 7, year: 2026 });
    const { title, weekNumber, state } = (await putBack()).json<CatalogueDetail>();
    expect([title, weekNumber, state]).toEqual(['Other', 7, 'published']);
  });

  itOnSqlite('can’t have a release time in the database, whoever writes it', async () => {
    await takeDown();
    const update = test.deps.database.db.updateTable('tracks').set({ publish_at: 1 }).execute();
    await expect(update).rejects.toThrow('CHECK');
  });
});

describe('a file that is being sent', () => {
  /** More than the connection takes before someone reads it. */
  const SIZE = 64 * 1024 * 1024;

  const open = async (path: string): Promise<IncomingMessage> => {
    const { port } = test.app.server.address() as AddressInfo;
    const headers = { cookie: cookieOf(subscriber.client) };
    const sending = load({ host: '127.0.0.1', port, path, headers });
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    expect(response.headers['content-length']).toBe(String(SIZE));
    return response;
  };
  const readToEnd = async (response: IncomingMessage): Promise<'complete' | 'cut'> => {
    response.resume();
    await once(response, 'close').catch(() => undefined);
    return response.complete ? 'complete' : 'cut';
  };

  it('ends with the take-down: a stream, a download and an episode; those of other mixes go on', async () => {
    const { database, storage } = test.deps;
    const other = await catalogue.seed();
    for (const { id } of [track, other])
      for (const name of ['stream', 'mp3'])
        await truncate(storage.localPath!(`tracks/${id}-${name}.bin`), SIZE);
    await database.db.updateTable('renditions').set({ size: SIZE }).execute();
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const responses: ServerResponse[] = [];
    test.app.server.on('request', (_request, response) => responses.push(response));
    const { client } = subscriber;
    const post = (url: string, payload?: object) =>
      client.request({ method: 'POST', url, ...(payload && { payload }) });
    const link = (await post(`/api/tracks/${track.id}/download`, { format: 'mp3' })).json<{
      url: string;
    }>();
    const feed = (await post('/api/me/podcast-feed')).json<PodcastFeeds>().own?.url ?? '';
    const cut = [
      await open(`/media/tracks/${track.id}/stream`),
      await open(link.url),
      await open(`${feed.replace(test.deps.site.origin, '')}/${track.id}/full.mp3`),
    ];
    const whole = await open(`/media/tracks/${other.id}/stream`);
    const ended = responses.slice(0, cut.length).map((response) => once(response, 'close'));
    await takeDown();
    await Promise.all(ended);
    for (const response of cut) expect(await readToEnd(response)).toBe('cut');
    expect(await readToEnd(whole)).toBe('complete');
  });
});

const runSchedule = (schedule: typeof announceReleases) =>
  schedule.execute(test.deps, '{}', {
    id: '',
    attempt: 1,
    maxAttempts: 1,
    signal: new AbortController().signal,
    finish: async () => undefined,
  });

describe('a release', () => {
  const mails = async () => {
    sent.length = 0;
    await runSchedule(announceReleases);
    await test.worker.runDue();
    return sent.filter(({ text }) => text.includes(track.id)).map(({ to }) => to);
  };
  const seedScheduled = async () => {
    track = await catalogue.seed({
      title: 'Friday',
      publish_at: test.clock.now() + 3 * DAY,
      announced_at: null,
    });
  };

  it('doesn’t happen while the mix is taken down, and needs a new time afterwards', async () => {
    await seedScheduled();
    await takeDown();
    await later(4 * DAY);
    expect(await isOut()).toBe(false);
    expect(await mails()).toEqual([]);
    expect((await putBack()).json<CatalogueDetail>().state).toBe('draft');
    expect(await mails()).toEqual([]);
  });

  it('goes on if the mix is back in time', async () => {
    await seedScheduled();
    await takeDown();
    await later(DAY);
    const { publishAt, state } = (await putBack()).json<CatalogueDetail>();
    expect([publishAt, state]).toEqual([track.publish_at, 'scheduled']);
    await later(2 * DAY);
    expect(await isOut()).toBe(true);
    expect(await mails()).toContain('thandi@example.com');
  });

  it('isn’t mailed by what waits already, nor again once the mix is back', async () => {
    await seedScheduled();
    await later(3 * DAY);
    await runSchedule(announceReleases);
    await takeDown();
    await test.worker.runDue();
    expect(sent.filter(({ text }) => text.includes(track.id))).toEqual([]);
    await later(HOUR);
    await putBack();
    expect(await isOut()).toBe(true);
    expect(await mails()).toEqual([]);
  });
});

describe('the case', () => {
  it('says who complained, why, and how it ended, in the list and in the audit log', async () => {
    await takeDown();
    const [open] = await readCases('?state=open');
    expect(open).toEqual({
      id: expect.any(String) as string,
      ...COMPLAINT,
      at: test.clock.now(),
      by: 'naledi',
      publishAt: track.publish_at,
      end: null,
      track: { id: track.id, title: 'Golden hour', weekNumber: track.week, year: track.year },
    });
    const { takeDown: shown } = (
      await get(admin.client, `/api/admin/tracks/${track.id}`)
    ).json<CatalogueDetail>();
    expect(shown).toMatchObject({ id: open?.id, reason: COMPLAINT.reason });
    expect(await readCases('?state=closed')).toEqual([]);
    await later(DAY);
    await putBack();
    const endedAt = test.clock.now();
    await later(1);
    await takeDown({ email: '', reference: '' });
    const [second, first] = await readCases();
    expect([second?.email, second?.reference, second?.end]).toEqual([null, null, null]);
    expect(first?.end).toEqual({
      at: endedAt,
      by: 'naledi',
      reason: 'They withdrew it.',
      as: 'before',
    });
    const { items } = (await get(admin.client, `/api/admin/audit?subject=${track.id}`)).json<{
      items: AuditEntry[];
    }>();
    expect(items.map(({ action, reason }) => [action, reason])).toEqual([
      ['track.taken-down', COMPLAINT.reason],
      ['track.put-back', 'They withdrew it.'],
      ['track.taken-down', COMPLAINT.reason],
    ]);
    // Entries outlive accounts and complaints: they name nobody.
    expect(JSON.stringify(items)).not.toContain('Relay');
  });

  it('stays when the accounts of those who decided are deleted', async () => {
    const other = await createAdmin(test, 'lerato');
    await takeDown({}, other.client);
    await putBack({}, other.client);
    await test.deps.database.db.deleteFrom('users').where('id', '=', other.user.id).execute();
    const [closed] = await readCases();
    expect([closed?.by, closed?.end?.by, closed?.complainant]).toEqual([
      null,
      null,
      'Relay Records',
    ]);
  });

  it('is opened by a helper too, and closed by administrators', async () => {
    const { client: helper } = await createHelper(test);
    expect(refusal(await takeDown({}, free.client))).toEqual([404, 'not_found']);
    expect((await takeDown({}, helper)).statusCode).toBe(200);
    expect(await readCases('', helper)).toHaveLength(1);
    expect(refusal(await putBack({}, helper))).toEqual([404, 'not_found']);
    expect((await get(admin.client, '/api/admin/tracks?state=takenDown')).body).toContain(track.id);
    expect((await get(admin.client, '/api/admin/tracks?state=draft')).body).not.toContain(track.id);
  });
});

describe('what can’t be done', () => {
  it('is taking down what is taken down, and putting back what isn’t', async () => {
    expect(refusal(await putBack())).toEqual([409, 'not_taken_down']);
    await takeDown();
    expect(refusal(await takeDown())).toEqual([409, 'taken_down']);
    await putBack();
    expect(refusal(await putBack())).toEqual([409, 'not_taken_down']);
    expect(await readCases()).toHaveLength(1);
  });

  it('is taking down a deleted or an unknown mix; a draft can be', async () => {
    expect(refusal(await takeDown({}, admin.client, 'nothing'))).toEqual([404, 'not_found']);
    track = await catalogue.seed({ publish_at: null });
    expect((await takeDown()).statusCode).toBe(200);
    expect((await putBack()).json<CatalogueDetail>().state).toBe('draft');
  });

  it.each([
    [{ reason: ' ' }, 'Enter what the complaint is about.'],
    [{ reason: 'a'.repeat(501) }, 'Use at most 500 characters.'],
    [{ reason: 'one\u0000two' }, 'The text contains an invalid character.'],
    [{ complainant: '' }, 'Enter who complained.'],
    [{ complainant: 'two\nlines' }, 'Use one line of text.'],
    [{ email: 'nobody' }, 'Enter an e-mail address, or leave this empty.'],
  ])('is a complaint with %j', async (change, message) => {
    const answer = await takeDown(change);
    expect(refusal(answer)).toEqual([400, 'validation_failed', message]);
    expect(await isOut()).toBe(true);
    expect(await readCases()).toEqual([]);
  });

  it('is a change by two administrators at the same time: one of them is told', async () => {
    const other = await createAdmin(test, 'ayanda');
    const answers = await Promise.all([takeDown(), takeDown({}, other.client)]);
    expect(sortCodes(answers)).toEqual([200, 409]);
    expect(await readCases()).toHaveLength(1);
    const back = await Promise.all([putBack(), putBack({ as: 'draft' }, other.client)]);
    expect(sortCodes(back)).toEqual([200, 409]);
  });

  it('keeps markup as text', async () => {
    await takeDown({ complainant: '<b>Relay</b>', reason: '<script>alert(1)</script>' });
    const [open] = await readCases();
    expect([open?.complainant, open?.reason]).toEqual([
      '<b>Relay</b>',
      '<script>alert(1)</script>',
    ]);
  });
});
