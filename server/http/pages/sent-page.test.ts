import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type LightMyRequestResponse } from 'fastify';
import { expect, it } from 'vitest';
import { encodePage, sendPage, type SentPage } from './sent-page.ts';

const html = `<p>${'Friday’s mix is out. '.repeat(500)}</p>`;
const encodeAt = (at: number): SentPage =>
  encodePage({
    status: 200,
    policy: '',
    html: `<script data-rendered-at="${at}"></script>${html}`,
  });

function openPage(page: SentPage, accepted?: string): Promise<LightMyRequestResponse> {
  const app = Fastify();
  app.get('/', (request, reply) => sendPage(page, request, reply));
  return app.inject({ url: '/', headers: accepted ? { 'accept-encoding': accepted } : {} });
}

function decode({ headers, rawPayload }: LightMyRequestResponse): string {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(rawPayload).toString();
  return (headers['content-encoding'] ? gunzipSync(rawPayload) : rawPayload).toString();
}

it.each([
  ['br', 'gzip', undefined],
  ['gzip', undefined, 'br'],
  [undefined, 'gzip', 'br'],
])('a page that was sent as %s is the same as %s and as %s', async (...accepted) => {
  const page = encodeAt(1);
  for (const encoding of accepted) {
    const response = await openPage(page, encoding);
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(decode(response)).toContain(html);
  }
});

it('only what is compressed is kept of a page once a browser has wanted it so', async () => {
  const page = encodeAt(1);
  await openPage(page);
  expect(page.bytes?.length).toBeGreaterThan(10_000);
  await Promise.all(['br', 'gzip', 'br'].map((encoding) => openPage(page, encoding)));
  expect(page.bytes).toBeUndefined();
  const kept = await Promise.all(page.compressed.values());
  expect(kept).toHaveLength(2);
  // Not as a part of something larger that would be kept with it.
  for (const { buffer } of kept) expect(buffer.byteLength).toBeLessThan(1000);
});

it('a compression that fails is tried again, and its error isn’t labelled as compressed', async () => {
  const page = encodeAt(1);
  const { bytes = Buffer.alloc(0) } = page;
  delete page.bytes;
  const failed = await openPage(page, 'br');
  expect(failed.statusCode).toBe(500);
  expect(failed.headers['content-encoding']).toBeUndefined();
  page.bytes = bytes;
  expect(decode(await openPage(page, 'br'))).toContain(html);
});

it('a page that shows the same keeps its tag, whenever it was rendered', () => {
  expect(encodeAt(2).etag).toBe(encodeAt(1).etag);
  expect(encodePage({ status: 200, policy: '', html }).etag).not.toBe(encodeAt(1).etag);
});
