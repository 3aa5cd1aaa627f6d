import type { PreviousUpload, Upload } from 'tus-js-client';
import { UPLOAD_PATH } from '#contract/admin/upload-path.ts';
import { pairChosenFiles } from '#contract/tracklists/tracklist-files.ts';
import { createStore } from '#web/lib/store/store.ts';
import { FIRST_PART_BYTES, nextPartSize, measureSpeed, type Sample } from './upload-speed.ts';

/** More at once would only make each of them slower. */
const PARALLEL = 2;
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

type SendingPhase = 'waiting' | 'sending' | 'paused' | 'failed' | 'sent';

/** A file that this tab uploads. The server's list has it under the same id. */
export type Sending = {
  key: string;
  fileName: string;
  size: number;
  /** Null until the server has assigned one. */
  uploadId: string | null;
  sent: number;
  /** Bytes per second. */
  speed: number | null;
  phase: SendingPhase;
  failure: string | null;
  /** The track that it is the new audio of. */
  replaces: string | null;
  /** It was chosen together with the mix, and no one has saved it yet. */
  tracklist: File | null;
};

type Entry = {
  file: File;
  metadata: Record<string, string>;
  /** Once its turn has come: the library loads with the first upload. */
  upload: Upload | null;
  samples: Sample[];
};

export const sendings = createStore<readonly Sending[]>([]);
const entries = new Map<string, Entry>();
let lastKey = 0;

function change(key: string, part: Partial<Sending>): void {
  sendings.set(sendings.get().map((item) => (item.key === key ? { ...item, ...part } : item)));
}

const find = (key: string) => sendings.get().find((item) => item.key === key);
const idOf = (url: string | null): string | null => url?.split('/').at(-1) ?? null;

/** Null if the error is not ours but the connection's or a proxy's. */
function parseMessage(error: unknown): string | null {
  const body = (error as { originalResponse?: { getBody: () => string } | null }).originalResponse;
  try {
    const { message } = JSON.parse(body?.getBody() ?? '') as { message?: string };
    return message ?? null;
  } catch {
    return null;
  }
}

const describeError = (error: unknown): string =>
  parseMessage(error) ?? 'Connection lost. Your progress is saved; resume when you’re back online.';

const statusOf = (error: unknown) =>
  (
    error as { originalResponse?: { getStatus: () => number } | null }
  ).originalResponse?.getStatus();

/** A refusal is final; everything else may be the connection. */
const canRetry = (error: unknown): boolean => {
  const status = statusOf(error) ?? 0;
  // Only a proxy refuses a part as too large: smaller ones may pass.
  if (status === 413 && !parseMessage(error)) return true;
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
    void start(key);
  }
}

/** The browser remembers unfinished uploads, so the same file resumes where it stopped. */
async function start(key: string): Promise<void> {
  const entry = entries.get(key);
  if (!entry) return;
  entry.samples = [];
  try {
    entry.upload ??= await createUpload(key, entry);
  } catch (error) {
    return fail(key, error);
  }
  const { upload } = entry;
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
  change(key, {
    sent,
    speed: measureSpeed(entry.samples),
    uploadId: idOf(entry.upload?.url ?? null),
  });
}

function fail(key: string, error: unknown): void {
  change(key, { phase: 'failed', speed: null, failure: describeError(error) });
  startNext();
}

async function createUpload(key: string, { file, metadata }: Entry): Promise<Upload> {
  const tus = await import('tus-js-client');
  return new tus.Upload(file, {
    endpoint: UPLOAD_PATH,
    chunkSize: FIRST_PART_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    removeFingerprintOnSuccess: true,
    metadata: { filename: file.name, ...metadata },
    onShouldRetry: (error) => {
      // A smaller part may get through.
      const options = entries.get(key)?.upload?.options;
      if (options) options.chunkSize = FIRST_PART_BYTES;
      return canRetry(error);
    },
    onUploadUrlAvailable: () =>
      change(key, { uploadId: idOf(entries.get(key)?.upload?.url ?? null) }),
    onProgress: (sent) => onProgress(key, sent),
    onChunkComplete: () => {
      const options = entries.get(key)?.upload?.options;
      if (options)
        options.chunkSize = nextPartSize(options.chunkSize ?? 0, find(key)?.speed ?? null);
    },
    onSuccess: () => {
      change(key, { phase: 'sent', sent: file.size, speed: null });
      startNext();
    },
    onError: (error) => fail(key, error),
  });
}

type AddedFiles = { keys: string[]; /** Tracklists without a mix. */ unused: File[] };

/** Adds files to the queue, each mix with its tracklist; with `replaces`, as the new audio of that track. */
export function addFiles(
  files: readonly File[],
  { replaces }: { replaces?: string } = {},
): AddedFiles {
  const { audioFiles, unpaired } = pairChosenFiles(files);
  const keys = audioFiles.map(({ audio: file, tracklists: [tracklist = null] }) => {
    const key = `sending-${++lastKey}`;
    const metadata: Record<string, string> = replaces ? { replaces } : {};
    entries.set(key, { file, metadata, upload: null, samples: [] });
    const sending: Sending = {
      key,
      fileName: file.name,
      size: file.size,
      uploadId: null,
      sent: 0,
      speed: null,
      phase: 'waiting',
      failure: null,
      replaces: replaces ?? null,
      // The track that gets new audio has its own form for it.
      tracklist: replaces ? null : tracklist,
    };
    sendings.set([...sendings.get(), sending]);
    return key;
  });
  startNext();
  const left = audioFiles.flatMap(({ tracklists }) => tracklists.slice(replaces ? 0 : 1));
  return { keys, unused: [...unpaired, ...left] };
}

/** Its tracklist was saved, or isn't wanted. */
export const dismissTracklist = (key: string): void => change(key, { tracklist: null });

export const hasUnsavedTracklist = (): boolean =>
  sendings.get().some(({ tracklist }) => tracklist !== null);

/** The file itself, if it was chosen in this tab. */
export const findFile = (sendingKey: string): File | null => entries.get(sendingKey)?.file ?? null;

export function pauseSending(key: string): void {
  change(key, { phase: 'paused', speed: null });
  void entries.get(key)?.upload?.abort();
  startNext();
}

export function resumeSending(key: string): void {
  change(key, { phase: 'waiting', failure: null });
  startNext();
}

/** Also deletes what the server has received. */
export async function cancelSending(key: string): Promise<void> {
  const entry = entries.get(key);
  removeSending(key);
  await entry?.upload?.abort(true).catch(() => undefined);
  startNext();
}

export function removeSending(key: string): void {
  entries.delete(key);
  sendings.set(sendings.get().filter((item) => item.key !== key));
}

/** Leaving the page would interrupt uploads. */
export const isSending = (): boolean =>
  sendings.get().some(({ phase }) => phase === 'sending' || phase === 'waiting');
