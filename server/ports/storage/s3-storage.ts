import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type GetObjectCommandOutput,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '../../config.ts';
import { assertStorageKey, probeStorage, type ByteRange, type RemoteStorage } from './storage.ts';

const MB = 1024 * 1024;
/** S3 allows 10,000 parts: enough for 80 GB, with two parts in memory at a time. */
const PART_SIZE = 8 * MB;
const PARTS_AT_ONCE = 2;

const CONNECT_TIMEOUT_MS = 5_000;
/** With the second attempt a silent store takes a job half a minute, and then its lane is free again. */
const SILENCE_TIMEOUT_MS = 15_000;
const ATTEMPTS = 2;

/** What an operator can do about it. Ceph sends nothing but these names. */
const EXPLANATIONS: Record<string, string> = {
  NoSuchBucket: 'It has no bucket with this name. Check S3_BUCKET.',
  InvalidBucketName: 'No bucket can have this name. Check S3_BUCKET.',
  PermanentRedirect: 'The bucket is elsewhere. Check S3_ENDPOINT and S3_REGION.',
  AuthorizationHeaderMalformed: 'The region is wrong. Check S3_REGION.',
  InvalidAccessKeyId: 'It doesn’t know the access key. Check S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'The signature is wrong. Check S3_SECRET_ACCESS_KEY.',
  AccessDenied: 'The access key may not do this. Check its rights.',
  RequestTimeTooSkewed: 'Its clock differs from that of this machine.',
  QuotaExceeded: 'The quota of the bucket or of its owner is used up.',
};

/** Says what happened and what to check, also if the store only sent a name, or nothing, as to every HEAD. */
function explain(error: unknown): unknown {
  if (!(error instanceof S3ServiceException)) return error;
  const { httpStatusCode: status = '' } = error.$metadata;
  const name = error.name === 'Unknown' ? '' : ` ${error.name}`;
  const isSilent = ['', 'UnknownError'].includes(error.message);
  const more = EXPLANATIONS[error.name];
  const what = isSilent ? `The S3 store answered ${status}${name}.` : error.message;
  error.message = more ? `${what} ${more}` : what;
  return error;
}

function createClient(
  { endpoint, region, accessKeyId, secretAccessKey }: S3Settings,
  silenceMs: number,
): S3Client {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Every compatible store supports paths; few support a host name per bucket.
    forcePathStyle: true,
    // Many compatible stores do not know the newer checksums and store them as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: silenceMs },
  });
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        throw explain(error);
      }),
    { step: 'initialize' },
  );
  return client;
}

/** The full size of the file. Throws if the store returned a different range. */
function parseSize(answer: GetObjectCommandOutput, range: ByteRange | undefined): number {
  if (!range) return Number(answer.ContentLength);
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.ContentRange ?? '') ?? [];
  // More or fewer bytes than announced would corrupt the response to the viewer.
  if (Number(first) !== range.start || Number(last) !== range.end)
    throw new Error(`The store returned ${answer.ContentRange} instead of the requested range.`);
  return Number(size);
}

/** Files in a bucket of any S3-compatible store. */
export function createS3Storage(
  settings: S3Settings,
  { silenceMs = SILENCE_TIMEOUT_MS } = {},
): RemoteStorage {
  const client = createClient(settings, silenceMs);
  const locate = (key: string) => {
    assertStorageKey(key);
    return { Bucket: settings.bucket, Key: key };
  };

  async function requireBucket() {
    try {
      await client.send(new HeadBucketCommand({ Bucket: settings.bucket }));
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      const message = `The S3 store has no bucket "${settings.bucket}". Check S3_BUCKET.`;
      throw Object.assign(error, { name: 'NoSuchBucket', message });
    }
  }

  /** The parts become a file once all are there; the parts of a failed upload are deleted. */
  async function putStream(key: string, stream: Readable) {
    const upload = new Upload({
      client,
      params: { ...locate(key), Body: stream },
      partSize: PART_SIZE,
      queueSize: PARTS_AT_ONCE,
      leavePartsOnError: true,
    });
    try {
      await upload.done();
    } catch (error) {
      const command = new AbortMultipartUploadCommand({
        ...locate(key),
        UploadId: upload.uploadId,
      });
      // If this fails too, the caller still needs the first error.
      if (upload.uploadId) await client.send(command).catch(() => undefined);
      throw error;
    }
  }

  const storage: Omit<RemoteStorage, 'probe'> = {
    async put(key, content) {
      if (content instanceof Uint8Array)
        await client.send(new PutObjectCommand({ ...locate(key), Body: content }));
      else await putStream(key, content);
    },

    async adopt(key, path) {
      await putStream(key, createReadStream(path, { highWaterMark: MB }));
      await rm(path, { force: true });
    },

    async *list(folder) {
      let token: string | undefined;
      do {
        const answer = await client.send(
          new ListObjectsV2Command({
            Bucket: settings.bucket,
            Prefix: folder && `${folder}/`,
            ContinuationToken: token,
          }),
        );
        for (const { Key, Size, LastModified } of answer.Contents ?? [])
          if (Key && LastModified)
            yield { key: Key, size: Size ?? 0, modifiedAt: LastModified.getTime() };
        token = answer.IsTruncated ? answer.NextContinuationToken : undefined;
      } while (token);
    },

    async deleteUnfinished(before) {
      const command = new ListMultipartUploadsCommand({ Bucket: settings.bucket });
      const { Uploads = [] } = await client.send(command);
      for (const { Key, UploadId, Initiated } of Uploads)
        if (Key && UploadId && Initiated && Initiated.getTime() < before)
          await client.send(
            new AbortMultipartUploadCommand({ Bucket: settings.bucket, Key, UploadId }),
          );
    },

    async open(key, range) {
      const part = range && { Range: `bytes=${range.start}-${range.end}` };
      try {
        const answer = await client.send(new GetObjectCommand({ ...locate(key), ...part }));
        const stream = answer.Body as Readable;
        try {
          return { size: parseSize(answer, range), stream };
        } catch (error) {
          stream.destroy();
          throw error;
        }
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },

    async stat(key) {
      try {
        const answer = await client.send(new HeadObjectCommand(locate(key)));
        return { size: answer.ContentLength ?? 0 };
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        // An answer to a HEAD doesn't say what was not found.
        await requireBucket();
        return null;
      }
    },

    async presignRead(key, { expiresInSeconds, mediaType, disposition }) {
      const command = new GetObjectCommand({
        ...locate(key),
        ResponseContentType: mediaType,
        ...(disposition && { ResponseContentDisposition: disposition }),
        // A request for a signed URL has no cookie, so caches would treat the file as public.
        ResponseCacheControl: 'private',
      });
      return getSignedUrl(client, command, { expiresIn: expiresInSeconds });
    },
    localPath: null,

    async delete(key) {
      await client.send(new DeleteObjectCommand(locate(key)));
    },
  };
  return { ...storage, probe: () => probeStorage(storage) };
}
