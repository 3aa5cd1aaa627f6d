import { Upload, type PreviousUpload } from 'tus-js-client';
import { UPLOAD_PATH } from '#contract/uploads.ts';
import { createStore } from '#web/lib/store.ts';
import { FIRST_PART_BYTES, growPart } from './part-size.ts';
import { readSpeed, type Sample } from './upload-speed.ts';

/** A phone's line is shared by few: more at once would only make each of them slower. */
const PARALLEL = 2;
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

export type SendingPhase = 'waiting' | 'sending' | 'paused' | 'failed' | 'sent';

/** A file of this tab. What the server knows of it is in its own list, under the same id. */
export type Sending = {
  key: string;
  fileName: string;
  size: number;
  /** Null until the server has given it one. */
  uploadId: string | null;
  sent: number;
  /** Bytes a second. */
  speed: number | null;
  phase: SendingPhase;
  failure: string | null;
};

type Entry = { upload: Upload; file: File; samples: Sample[] };

export const sendings = createStore<readonly Sending[]>([]);
const entries = new Map<string, Entry>();
let lastKey = 0;

function change(key: string, part: Partial<Sending>): void {
  sendings.set(sendings.get().map((item) => (item.key === key ? { ...item, ...part } : item)));
}

const find = (key: string) => sendings.get().find((item) => item.key === key);
const idOf = (url: string | null): string | null => url?.split('/').at(-1) ?? null;

/** Null where the answer is none of ours: the line, or a proxy. */
function readMessage(error: unknown): string | null {
  const body = (error as { originalResponse?: { getBody: () => string } | null }).originalResponse;
  try {
    const { message } = JSON.parse(body?.getBody() ?? '') as { message?: string };
    return message ?? null;
  } catch {
    return null;
  }
}

const describeError = (error: unknown): string =>
  readMessage(error) ?? 'The line dropped. What has arrived is safe: resume when you are back.';

const statusOf = (error: unknown) =>
  (
    error as { originalResponse?: { getStatus: () => number } | null }
  ).originalResponse?.getStatus();

/** A refusal stays one; everything else may be the line. */
const canRetry = (error: unknown): boolean => {
  const status = statusOf(error) ?? 0;
  // Of the parts themselves only a proxy says that they are too large: shorter ones may pass.
  if (status === 413 && !readMessage(error)) return true;
  return status < 400 || status === 409 || status === 423 || (status >= 500 && status !== 507);
};

function startNext(): void {
  const items = sendings.get();
  let free = PARALLEL - items.filter(({ phase }) => phase === 'sending').length;
  for (const { key, phase } of items) {
    if (free <= 0) return;
    if (phase !== 'waiting') continue;
    free -= 1;
    change(key, { phase: 'sending', failure: null });
    void begin(key);
  }
}

/** The browser remembers what it was sending: the same file goes on where it stopped. */
async function begin(key: string): Promise<void> {
  const entry = entries.get(key);
  if (!entry) return;
  const { upload } = entry;
  entry.samples = [];
  upload.options.chunkSize = FIRST_PART_BYTES;
  if (!upload.url) {
    const [previous] = await upload.findPreviousUploads().catch((): PreviousUpload[] => []);
    if (previous) upload.resumeFromPreviousUpload(previous);
  }
  if (find(key)?.phase === 'sending') upload.start();
}

function onProgress(key: string, sent: number): void {
  const entry = entries.get(key);
  if (!entry || find(key)?.phase !== 'sending') return;
  entry.samples = [...entry.samples, { at: performance.now(), sent }].slice(-40);
  change(key, { sent, speed: readSpeed(entry.samples), uploadId: idOf(entry.upload.url) });
}

function createUpload(key: string, file: File, metadata: Record<string, string>): Upload {
  return new Upload(file, {
    endpoint: UPLOAD_PATH,
    chunkSize: FIRST_PART_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    removeFingerprintOnSuccess: true,
    metadata: { filename: file.name, ...metadata },
    onShouldRetry: (error) => {
      // What did not get through in one piece may in a shorter one.
      const options = entries.get(key)?.upload.options;
      if (options) options.chunkSize = FIRST_PART_BYTES;
      return canRetry(error);
    },
    onUploadUrlAvailable: () =>
      change(key, { uploadId: idOf(entries.get(key)?.upload.url ?? null) }),
    onProgress: (sent) => onProgress(key, sent),
    onChunkComplete: () => {
      const options = entries.get(key)?.upload.options;
      if (options) options.chunkSize = growPart(options.chunkSize ?? 0, find(key)?.speed ?? null);
    },
    onSuccess: () => {
      change(key, { phase: 'sent', sent: file.size, speed: null });
      startNext();
    },
    onError: (error) => {
      change(key, { phase: 'failed', speed: null, failure: describeError(error) });
      startNext();
    },
  });
}

/** Adds files to the queue; those of a mix that is there replace its sound. */
export function addFiles(
  files: readonly File[],
  { replaces }: { replaces?: string } = {},
): string[] {
  const keys = files.map((file) => {
    const key = `sending-${++lastKey}`;
    const metadata: Record<string, string> = replaces ? { replaces } : {};
    entries.set(key, { file, samples: [], upload: createUpload(key, file, metadata) });
    const sending: Sending = {
      key,
      fileName: file.name,
      size: file.size,
      uploadId: null,
      sent: 0,
      speed: null,
      phase: 'waiting',
      failure: null,
    };
    sendings.set([...sendings.get(), sending]);
    return key;
  });
  startNext();
  return keys;
}

/** The file itself, where it was chosen in this tab. */
export const findFile = (sendingKey: string): File | null => entries.get(sendingKey)?.file ?? null;

export function pauseSending(key: string): void {
  change(key, { phase: 'paused', speed: null });
  void entries.get(key)?.upload.abort();
  startNext();
}

export function resumeSending(key: string): void {
  change(key, { phase: 'waiting', failure: null });
  startNext();
}

/** Forgets the file; what the server has of it is ended too. */
export async function cancelSending(key: string): Promise<void> {
  const entry = entries.get(key);
  dropSending(key);
  await entry?.upload.abort(true).catch(() => undefined);
  startNext();
}

export function dropSending(key: string): void {
  entries.delete(key);
  sendings.set(sendings.get().filter((item) => item.key !== key));
}

/** Leaving the page would stop them, though nothing that has arrived is lost. */
export const isSending = (): boolean =>
  sendings.get().some(({ phase }) => phase === 'sending' || phase === 'waiting');
