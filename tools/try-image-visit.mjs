/**
 * Runs inside a container of the image, where it is on the same machine as the server: looks at the
 * site in demo mode as people do. `upload` also sends a mix and waits until it can be played; `list`
 * fetches what visitors hear of all mixes and prints their ids. Plain JavaScript, so that an image of 1.0.0 runs it too.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

const ORIGIN = `http://127.0.0.1:${process.env.PORT}`;
const TUS = { 'tus-resumable': '1.0.0' };
const SECONDS = 30;
const RATE = 44_100;
const WAV_HEADER = 44;

async function ask(path, init = {}) {
  const response = await fetch(new URL(path, ORIGIN), {
    ...init,
    headers: { origin: ORIGIN, ...init.headers },
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Noise, so that no two of them are the same mix. */
function writeWav() {
  const sound = randomBytes(SECONDS * RATE * 2);
  const header = Buffer.alloc(WAV_HEADER);
  header.write('RIFF', 0);
  header.writeUInt32LE(WAV_HEADER - 8 + sound.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(sound.length, 40);
  return Buffer.concat([header, sound]);
}

async function uploadMix() {
  const login = await ask('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'weekender-demo' }),
  });
  const cookie = login.headers.getSetCookie()[0].split(';')[0];
  const bytes = writeWav();
  const name = Buffer.from('Tried.wav').toString('base64');
  const created = await ask('/api/admin/uploads', {
    method: 'POST',
    headers: {
      ...TUS,
      cookie,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${name}`,
    },
  });
  await ask(created.headers.get('location'), {
    method: 'PATCH',
    headers: {
      ...TUS,
      cookie,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes,
  });
  for (;;) {
    const { items } = await (await ask('/api/admin/uploads', { headers: { cookie } })).json();
    const { state, track } = items[0];
    if (track?.progress === 100) return track.id;
    if (state === 'refused' || state === 'duplicate' || track?.failure)
      throw new Error(`The mix was not processed: ${JSON.stringify(items[0])}`);
    await setTimeout(500);
  }
}

const page = await (await ask('/', { headers: { accept: 'text/html' } })).text();
if (!/<h1/.test(page)) throw new Error('Home has no heading.');
const health = await (await ask('/api/health')).json();
if (health.status !== 'ok') throw new Error(`Not healthy: ${JSON.stringify(health)}`);
if (process.argv.includes('upload')) console.log(await uploadMix());
if (process.argv.includes('list')) {
  const { items } = await (await ask('/api/tracks')).json();
  const ready = items.filter(({ fileUrl }) => fileUrl);
  for (const { fileUrl } of ready) {
    const { byteLength } = await (await ask(fileUrl)).arrayBuffer();
    if (byteLength === 0) throw new Error(`${fileUrl} is empty.`);
  }
  const ids = ready.map(({ id }) => id);
  console.log(ids.toSorted().join('\n'));
}
