import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverArt } from '#contract/art/cover-art.ts';
import { DEFAULT_SLEEVE_STYLE as style } from '#contract/art/sleeve-style.ts';
import { MAX_ON_SHEET, sleeveName, sleevePath } from '#contract/art/sleeve-names.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

let test: TestApp;
beforeAll(async () => void (test = await createTestApp()));
afterAll(() => test.close());

const load = (url: string, headers = {}) => test.app.inject({ url, headers });

describe('the file of a drawn sleeve', () => {
  it('is the drawing of its track, and may be kept for good', async () => {
    const trackId = '01m7fh87g0d39fgqzr2m7z';
    const answer = await load(sleevePath(sleeveName(style, 46, trackId)));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      vary: 'accept-encoding',
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.body).toBe(coverArt({ style, week: 46, trackId }));
  });

  it('is compressed, and the same from memory', async () => {
    for (const _ of ['first', 'again']) {
      const answer = await load(sleevePath('13'), { 'accept-encoding': 'gzip, br' });
      expect(answer.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(answer.rawPayload).toString()).toBe(coverArt({ style, week: 13 }));
    }
    expect((await load(sleevePath('13'))).body).toBe(coverArt({ style, week: 13 }));
  });

  it('is not sent again to a browser that has it', async () => {
    const { etag = '' } = (await load(sleevePath('46'))).headers;
    const again = await load(sleevePath('46'), { 'if-none-match': etag });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await load(sleevePath('45'), { 'if-none-match': etag })).statusCode).toBe(200);
  });

  it('can be a sheet of sleeves', async () => {
    const names = Array.from({ length: MAX_ON_SHEET }, (_, i) =>
      sleeveName(style, 53, `track ${i}`),
    );
    expect((await load(sleevePath(...names))).statusCode).toBe(200);
    expect((await load(sleevePath(...names, '1'))).statusCode).toBe(404);
  });

  it.each([
    '0.svg',
    '54.svg',
    '46-4294967296.svg',
    '46-0001.svg',
    '46-%3Cscript%3E.svg',
    '%00.svg',
    '..%2F..%2Fpackage.svg',
    `${'4'.repeat(5000)}.svg`,
    '%E0%A4%A.svg',
  ])('does not exist for %s', async (name) => {
    const answer = await load(`/media/sleeves/${name}`);
    expect([400, 404, 414]).toContain(answer.statusCode);
    expect(answer.headers['cache-control'] ?? '').not.toContain('immutable');
  });

  it('is never limited: a page with many sleeves loads them all', async () => {
    const names = Array.from({ length: 400 }, (_, i) =>
      sleevePath(sleeveName(style, (i % 53) + 1, `track ${i}`)),
    );
    const answers = await Promise.all(names.map((name) => load(name)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });
});
