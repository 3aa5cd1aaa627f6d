import { parseBuffer, type IAudioMetadata } from 'music-metadata';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ingestTone } from '../../testing/ingest-tone.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, type TestUser } from '../../testing/test-user.ts';

let test: TestApp;
let sipho: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  sipho = await createSubscriber(test);
});
afterEach(() => test.close());

const CHAPTERS = [
  { at: 0, artist: 'Relay Room', title: 'Substation Intro' },
  { at: 1.25, artist: 'Thandi M', title: 'Ndlela; #2 = “süß”' },
  { at: null, artist: null, title: 'Log Drum' },
];
const NAMES = ['Relay Room - Substation Intro', 'Thandi M - Ndlela; #2 = “süß”'];

/** Downloads the file as a listener does, and reads the bytes that arrive. */
async function download(id: string, format: 'mp3' | 'flac'): Promise<IAudioMetadata> {
  const url = `/api/tracks/${id}/download`;
  const asked = await sipho.client.request({ method: 'POST', url, payload: { format } });
  const { rawPayload, headers } = await test.app.inject({ url: asked.json<{ url: string }>().url });
  return parseBuffer(rawPayload, { mimeType: String(headers['content-type']) });
}

/** A FLAC file has its chapters as pairs of comments: a time and a name. */
const readComments = ({ native }: IAudioMetadata) =>
  (native.vorbis ?? [])
    .filter(({ id }) => id.startsWith('CHAPTER'))
    .map(({ id, value }) => `${id}=${String(value)}`);

describe('music-metadata reads from a download', () => {
  it.each(['mp3', 'flac'] as const)(
    'title, week, DJ, year, cover and loudness: %s',
    async (format) => {
      const id = await ingestTone(test, { chapters: JSON.stringify(CHAPTERS) });
      const { common, format: audio } = await download(id, format);
      expect(audio).toMatchObject({
        codec: format === 'mp3' ? 'MPEG 1 Layer 3' : 'FLAC',
        lossless: format === 'flac',
      });
      expect(audio.duration).toBeCloseTo(3, 1);
      expect(common).toMatchObject({
        title: 'Golden Hour Pressure',
        album: 'Week 46, 2026',
        artist: 'Weekender',
        year: 2026,
        genre: ['Amapiano'],
        bpm: 113,
      });
      expect(common.picture).toHaveLength(1);
      expect(common.replaygain_track_gain?.dB).toEqual(expect.any(Number));
      expect(common.replaygain_track_peak?.ratio).toBeGreaterThan(0);
    },
  );

  it('the chapters with a time, of an MP3 as frames and of a FLAC file as comments', async () => {
    const id = await ingestTone(test, { chapters: JSON.stringify(CHAPTERS) });
    const mp3 = await download(id, 'mp3');
    expect(mp3.format.chapters?.map(({ title, start }) => [title, start])).toEqual([
      [NAMES[0], 0],
      [NAMES[1], 1.25],
    ]);
    expect(readComments(await download(id, 'flac'))).toEqual([
      'CHAPTER001=00:00:00.000',
      `CHAPTER001NAME=${NAMES[0]}`,
      'CHAPTER002=00:00:01.250',
      `CHAPTER002NAME=${NAMES[1]}`,
    ]);
  });
});
