import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { UPLOAD_PATH } from '#contract/admin/upload-path.ts';
import type { TestClient } from './test-app.ts';

const TUS = { 'tus-resumable': '1.0.0' };

const encode = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** A client of the tus protocol, like a browser's. */
export const createUploader = (client: TestClient) => {
  const send = (options: InjectOptions): Promise<LightMyRequestResponse> =>
    client.request({ ...options, headers: { ...TUS, ...options.headers } });
  return {
    create: (size: number, metadata: Record<string, string> = {}) =>
      send({
        method: 'POST',
        url: UPLOAD_PATH,
        headers: { 'upload-length': String(size), 'upload-metadata': encode(metadata) },
      }),
    head: (url: string) => send({ method: 'HEAD', url }),
    patch: (url: string, offset: number, bytes: Buffer, headers: Record<string, string> = {}) =>
      send({
        method: 'PATCH',
        url,
        headers: {
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
          ...headers,
        },
        payload: bytes,
      }),
    cancel: (url: string) => send({ method: 'DELETE', url }),
    /** Uploads the whole file at once; returns its URL. */
    async upload(bytes: Buffer, metadata: Record<string, string> = {}): Promise<string> {
      const created = await this.create(bytes.length, metadata);
      const url = String(created.headers.location);
      await this.patch(url, 0, bytes);
      return url;
    },
  };
};
