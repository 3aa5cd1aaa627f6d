import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import type { S3Settings } from '../config.ts';
import { createS3Storage } from '../ports/storage/s3-storage.ts';

export type TestS3 = { settings: S3Settings; close: () => Promise<void> };

/** The store of `S3_TEST_URL`, with a new bucket that is deleted at the end. */
async function useOutsideStore(text: string): Promise<TestS3> {
  const { origin, username, password } = new URL(text);
  const settings: S3Settings = {
    endpoint: origin,
    region: 'us-east-1',
    bucket: `test-${randomBytes(8).toString('hex')}`,
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
  const { endpoint, region, bucket: Bucket } = settings;
  const client = new S3Client({ endpoint, region, credentials: settings, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket }));
  return {
    settings,
    close: async () => {
      const storage = createS3Storage(settings);
      await storage.deleteUnfinished(Infinity);
      for await (const { key } of storage.list()) await storage.delete(key);
      await client.send(new DeleteBucketCommand({ Bucket }));
      client.destroy();
    },
  };
}

/**
 * A real S3-compatible server on loopback, with one empty bucket; with `S3_TEST_URL`, such as
 * `http://KEY:SECRET@127.0.0.1:7480`, a bucket of that one.
 */
export async function startS3Server(): Promise<TestS3> {
  if (process.env.S3_TEST_URL) return useOutsideStore(process.env.S3_TEST_URL);
  const directory = await mkdtemp(join(tmpdir(), 'test-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'music', configs: [] }],
  });
  const { port } = await server.run();
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'music',
      // The only account that the server knows.
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
