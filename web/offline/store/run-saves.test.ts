import { beforeEach, describe, expect, it } from 'vitest';
import type { Track } from '#contract/tracks.ts';
import type { Metering } from '#contract/rules/connection.ts';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { saveUser } from './account.ts';
import {
  maySave,
  queueNewMixes,
  ROOM_TO_LEAVE_BYTES,
  runSaves,
  type SaveEnd,
} from './run-saves.ts';
import {
  addSave,
  changeSave,
  changeSaveQueue,
  readSaveQueue,
  removeSave,
  type QueuedSave,
} from './save-queue.ts';
import { CHUNK_BYTES, findSavedFile, listSavedFiles } from './saved-file.ts';

const USER = 'sipho';
const CHUNKS = 4;
const size = CHUNKS * CHUNK_BYTES;

const wanted = (trackId: string, more: Partial<QueuedSave> = {}): QueuedSave => ({
  trackId,
  title: `Mix ${trackId}`,
  isDataSaver: false,
  isPaused: false,
  mayUseMobile: false,
  isAutomatic: false,
  ...more,
});

let storage: CacheStorage;
beforeEach(() => {
  storage = createMemoryCaches();
});

const queue = (...saves: QueuedSave[]) =>
  Promise.all(saves.map((each) => changeSaveQueue(storage, USER, addSave(each))));
const listQueued = async () =>
  (await readSaveQueue(storage, USER)).saves.map(({ trackId }) => trackId);
const listSaved = async () =>
  (await listSavedFiles(storage, USER)).flatMap(({ track, isComplete }) =>
    isComplete ? [track.id] : [],
  );

/** A server with every mix; its power is cut after so many parts. */
type Server = {
  partsUntilCut?: number;
  /** The status, and the code in the body. */
  refusals?: Record<string, [number, string?]>;
  /** The same for the audio alone. */
  audioRefusals?: Record<string, [number, string?]>;
  onPart?: (parts: number) => unknown;
  newest?: Track[];
};

const refuse = ([status, code]: [number, string?]) => Response.json({ code }, { status });

function createServer(server: Server = {}) {
  const { partsUntilCut = Infinity, refusals = {}, audioRefusals = {}, newest = [] } = server;
  const parts: string[] = [];
  const fetchFile = (async (url: string, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(url, 'http://site');
    const [, id = ''] = /^\/(?:api\/tracks|media\/tracks)\/([^/]+)/.exec(pathname) ?? [];
    if (refusals[id]) return refuse(refusals[id]);
    if (pathname === '/api/tracks') return Response.json({ items: newest });
    if (pathname.endsWith('/peaks')) return Response.json({ peaks: [1] });
    if (pathname.startsWith('/api/'))
      return Response.json({
        ...buildTrack(id, { coverUrl: null, fileUrl: `/media/tracks/${id}/stream?v=1` }),
        sizes: { stream: size },
        chapters: [],
        formats: [],
      });
    expect(Object.fromEntries(searchParams)).toEqual({ v: '1', save: '1' });
    if (audioRefusals[id]) return refuse(audioRefusals[id]);
    if (parts.length >= partsUntilCut) throw new TypeError('Failed to fetch');
    const range = new Headers(init?.headers).get('range') ?? '';
    parts.push(`${id} ${range}`);
    await server.onPart?.(parts.length);
    const [, from = 0, to = 0] = (/(\d+)-(\d+)/.exec(range) ?? []).map(Number);
    return new Response(new Uint8Array(to - from + 1), { status: 206 });
  }) as typeof fetch;
  return { parts, fetchFile };
}

type Device = { metering?: Metering | (() => Metering); free?: number | null };

async function save(server = createServer(), { metering = 'unmetered', free = null }: Device = {}) {
  const ends: string[] = [];
  let loaded = 0;
  const stops = new Map<string, AbortController>();
  await runSaves({
    storage,
    userId: USER,
    fetchFile: server.fetchFile,
    now: () => 1,
    readMetering: typeof metering === 'string' ? () => metering : metering,
    estimateFreeBytes: async () => free,
    startSave({ trackId }) {
      const stop = new AbortController();
      stops.set(trackId, stop);
      return stop.signal;
    },
    onProgress: () => {},
    onEnd: ({ trackId }, end: SaveEnd) => ends.push(`${trackId} ${end}`),
    onLoaded: (bytes) => void (loaded += bytes),
  });
  return { ends, loaded, parts: server.parts };
}

describe('what is queued', () => {
  it('is saved in order, and then isn’t queued any more', async () => {
    await queue(wanted('a'), wanted('b'));
    const { ends, loaded } = await save();
    expect(ends).toEqual(['a saved', 'b saved']);
    expect(loaded).toBe(2 * size);
    expect(await listSaved()).toEqual(expect.arrayContaining(['a', 'b']));
    expect(await listQueued()).toEqual([]);
  });

  it('goes on after a power cut, from the part where it was', async () => {
    await queue(wanted('a'), wanted('b'));
    const cut = await save(createServer({ partsUntilCut: 2 }));
    expect(cut.ends).toEqual(['a interrupted']);
    expect(await listQueued()).toEqual(['a', 'b']);
    expect(await listSaved()).toEqual([]);
    const next = await save();
    expect(next.ends).toEqual(['a saved', 'b saved']);
    expect(next.parts[0]).toBe(`a bytes=${2 * CHUNK_BYTES}-${3 * CHUNK_BYTES - 1}`);
    expect(next.loaded).toBe(2 * size - 2 * CHUNK_BYTES);
  });

  it('goes on too if the power went before its first part came', async () => {
    await queue(wanted('a'));
    await save(createServer({ partsUntilCut: 0 }));
    expect((await save()).ends).toEqual(['a saved']);
  });

  it('waits for Wi-Fi on mobile data and where nobody knows, unless somebody wants it there', async () => {
    await queue(wanted('a'), wanted('b', { mayUseMobile: true }), wanted('c', { isPaused: true }));
    expect((await save(createServer(), { metering: 'metered' })).ends).toEqual(['b saved']);
    expect((await save(createServer(), { metering: 'unknown' })).ends).toEqual([]);
    expect((await save()).ends).toEqual(['a saved']);
    expect(await listQueued()).toEqual(['c']);
    expect(maySave(wanted('c', { isPaused: true, mayUseMobile: true }), 'unmetered')).toBe(false);
  });

  it('needs room; what nobody asked for also leaves room for others', async () => {
    await queue(wanted('a', { isAutomatic: true }), wanted('b'), wanted('c'));
    const { ends } = await save(createServer(), { free: size - 1 });
    expect(ends).toEqual(['a no-room', 'b no-room', 'c no-room']);
    const { saves } = await readSaveQueue(storage, USER);
    expect(saves.map(({ isPaused }) => isPaused)).toEqual([false, true, true]);
    await changeSaveQueue(storage, USER, changeSave('b', { isPaused: false }));
    expect((await save(createServer(), { free: size })).ends).toEqual(['a no-room', 'b saved']);
    const { ends: later } = await save(createServer(), { free: size + ROOM_TO_LEAVE_BYTES });
    expect(later).toEqual(['a saved']);
  });

  it('is left out where the mix was taken down or the access has ended', async () => {
    await queue(wanted('a'), wanted('b'), wanted('c'));
    const { ends } = await save(
      createServer({ refusals: { a: [404] }, audioRefusals: { b: [403, 'subscribers_only'] } }),
    );
    expect(ends).toEqual(['a gone', 'b refused', 'c saved']);
    expect(await listQueued()).toEqual([]);
  });

  it.each<[string, string, [number, string?]]>([
    ['the server is away', 'interrupted', [503]],
    ['something else refuses', 'interrupted', [403]],
    ['the session is renewed', 'interrupted', [401, 'unauthenticated']],
    ['another device plays', 'elsewhere', [403, 'stream_elsewhere']],
  ])('waits while %s', async (_why, end, refusal) => {
    await queue(wanted('a'), wanted('b'));
    for (const server of [{ refusals: { a: refusal } }, { audioRefusals: { a: refusal } }])
      expect((await save(createServer(server))).ends).toEqual([`a ${end}`]);
    expect(await listQueued()).toEqual(['a', 'b']);
    expect((await save()).ends).toEqual(['a saved', 'b saved']);
  });

  it('stops in the middle of a mix when Wi-Fi is gone, and goes on from there', async () => {
    await queue(wanted('a'), wanted('b', { mayUseMobile: true }));
    let metering: Metering = 'unmetered';
    const server = createServer({
      onPart: (parts) => (metering = parts < 2 ? metering : 'metered'),
    });
    const { ends, parts } = await save(server, { metering: () => metering });
    expect(ends).toEqual(['a stopped', 'b saved']);
    expect(parts.filter((part) => part.startsWith('a '))).toHaveLength(2);
    expect(await listQueued()).toEqual(['a']);
    expect((await save()).parts).toHaveLength(CHUNKS - 2);
  });

  it.each([
    ['paused', changeSave('a', { isPaused: true }), ['a', 'b']],
    ['removed', removeSave('a'), ['b']],
  ])('stops in the middle of a mix that is %s in another tab', async (_how, change, left) => {
    await queue(wanted('a'), wanted('b', { isPaused: true }));
    const server = createServer({ onPart: () => changeSaveQueue(storage, USER, change) });
    const { ends, parts } = await save(server);
    expect([ends, parts.length]).toEqual([['a stopped'], 1]);
    expect(await listQueued()).toEqual(left);
  });

  it('belongs to one account, and ends with a logout', async () => {
    await queue(wanted('a'));
    expect((await readSaveQueue(storage, 'thandi')).saves).toEqual([]);
    await saveUser(storage, null, 0);
    expect(await listQueued()).toEqual([]);
  });

  it.each(['no json', 'null', '{"userId":"sipho","saves":[null,7,{"trackId":7}],"newMixes":1}'])(
    'is empty where the store has %s',
    async (text) => {
      const state = await storage.open('offline-state');
      await state.put('/offline/queue', new Response(text));
      const empty = { userId: USER, saves: [], newMixes: null };
      expect(await readSaveQueue(storage, USER)).toEqual(empty);
    },
  );
});

describe('new mixes', () => {
  const since = 1000;
  const turnOn = () =>
    changeSaveQueue(storage, USER, () => ({
      newMixes: { since, isDataSaver: true, seen: [], timeZone: 'UTC' },
    }));
  const newest = [
    buildTrack('new', { publishedAt: since + 1 }),
    buildTrack('old', { publishedAt: since }),
    buildTrack('draft', { publishedAt: since + 1, unreleased: 'draft' }),
    buildPreview('locked', { publishedAt: since + 1 }),
  ];
  const look = async () => {
    const { fetchFile } = createServer({ newest });
    await queueNewMixes({ storage, userId: USER, fetchFile });
  };

  it('are queued once somebody asks for that, for Wi-Fi and in the quality they chose', async () => {
    await look();
    expect(await listQueued()).toEqual([]);
    await turnOn();
    await look();
    await look();
    expect((await readSaveQueue(storage, USER)).saves).toEqual([
      wanted('new', { title: 'Mix new', isDataSaver: true, isAutomatic: true }),
    ]);
  });

  it('don’t come back once they are saved or removed', async () => {
    await turnOn();
    await look();
    await changeSaveQueue(storage, USER, removeSave('new'));
    await look();
    expect(await listQueued()).toEqual([]);
  });

  it('that somebody saves or has saved stay as they are', async () => {
    await turnOn();
    await queue(wanted('new', { mayUseMobile: true }));
    await look();
    expect((await readSaveQueue(storage, USER)).saves).toEqual([
      wanted('new', { mayUseMobile: true }),
    ]);
    await save();
    await changeSaveQueue(storage, USER, ({ newMixes }) => ({
      newMixes: newMixes && { ...newMixes, seen: [] },
    }));
    await look();
    expect(await listQueued()).toEqual([]);
    expect((await findSavedFile(storage, USER, 'new'))?.record.isComplete).toBe(true);
  });
});
