import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  MAX_TRACKLIST_BYTES,
  MAX_TRACKLIST_KB,
  TRACKLIST_ACCEPT,
} from '#contract/tracklists/tracklist-files.ts';
import { checkSlot, TrackChange } from '#contract/track-fields.ts';
import { MAX_UPLOAD_BYTES } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/route/app-error.ts';
import { registerIsolatedPlugin } from '../../http/route/body-parsers.ts';
import { enforceGuard } from '../../http/route/guards.ts';
import { allowSlowUpload } from '../../http/load/slow-request-timeout.ts';
import { runInThread, ThreadEnded } from '../../background/run-in-thread.ts';
import type { FormTracklists, TracklistFile, TracklistsRead } from './read-tracklists.ts';
import { uploadPath } from './upload-folder.ts';
import {
  assertDiskSpace,
  createUpload,
  markUploadReceived,
  newUploadId,
} from './upload-lifecycle.ts';
import { addPart } from './parts.ts';
import { writeChunks } from './write-chunks.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { sendPlainPage } from '../../http/pages/plain-page.ts';

/** The mix, and its tracklist before it. */
const LIMITS = { files: 2, fields: 20, fieldSize: 64 * 1024, fileSize: MAX_UPLOAD_BYTES };

const DISK_FULL = 'The server’s disk is full. Free up space, then upload the file again.';

const refuse = (field: string, message: string) =>
  new AppError('validation_failed', {
    message: `${field}: ${message}`,
    fields: { [field]: message },
  });

type ReadDraft = { draft: TrackChange; sentences: string[] };

const READER = new URL('read-tracklists.ts', import.meta.url);
/** A DJ's tracklist takes less than a tenth of a second. */
const READING_LIMIT_MS = 10_000;

/** In a thread, so that a file made to be slow can't stop everybody's music. */
async function readTracklists({ typed, file }: FormTracklists) {
  if (!typed.trim() && !file) return { chapters: [], sentences: [] };
  const read = await runInThread<TracklistsRead>(
    READER,
    { typed, file },
    { timeLimitMs: READING_LIMIT_MS },
  ).catch((error: unknown) => {
    if (!(error instanceof ThreadEnded)) throw error;
    throw refuse(file ? 'tracklistFile' : 'tracklist', 'This tracklist takes too long to read.');
  });
  if ('field' in read) throw refuse(read.field, read.message);
  return read;
}

/** The fields of the form; empty ones are left out. */
async function parseFormFields(
  fields: ReadonlyMap<string, string>,
  tracklist: TracklistFile | null,
): Promise<ReadDraft> {
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  const { chapters, sentences } = await readTracklists({
    typed: text('tracklist'),
    file: tracklist,
  });
  const raw = {
    ...(text('title') && { title: text('title') }),
    ...(text('week') && { week: Number(text('week')) }),
    ...(text('year') && { year: Number(text('year')) }),
    ...(text('genre') && { genre: text('genre') }),
    ...(text('description') && { description: text('description') }),
    ...(chapters.length > 0 && { chapters }),
    ...(text('release') === 'now' && { release: { kind: 'now' } }),
  };
  const parsed = TrackChange.check(checkSlot).safeParse(raw);
  if (parsed.success) return { draft: parsed.data, sentences };
  const [issue] = parsed.error.issues;
  throw refuse(issue?.path.join('.') ?? 'form', issue?.message ?? 'Invalid value.');
}

type ReceivedForm = ReadDraft & { id: string; fileName: string; size: number };

async function storeFile(deps: Deps, stream: Readable): Promise<{ id: string; size: number }> {
  const id = newUploadId(deps);
  const path = uploadPath(deps.config, id);
  await writeFile(path, '');
  try {
    const { end: size, streamError } = await writeChunks(path, stream, { offset: 0 });
    if (streamError)
      throw new AppError('malformed_request', {
        message: 'The connection was lost. Upload the file again.',
      });
    if ((stream as Readable & { truncated?: boolean }).truncated)
      throw new AppError('payload_too_large', { message: 'The file is larger than 4 GB.' });
    return { id, size };
  } catch (error) {
    await rm(path, { force: true });
    throw isDiskFull(error) ? new AppError('disk_full', { message: DISK_FULL }) : error;
  }
}

const readTracklistUpload = (stream: Readable, name: string): Promise<TracklistFile | null> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_TRACKLIST_BYTES) chunks.push(chunk);
      else
        reject(
          new AppError('payload_too_large', {
            message: `${name} is too large for a tracklist: use at most ${MAX_TRACKLIST_KB} KB.`,
          }),
        );
    });
    stream.on('error', reject);
    // An empty field of the form is an empty file.
    stream.on('end', () => resolve(size === 0 ? null : { name, bytes: Buffer.concat(chunks) }));
  });

/** Its parser is loaded for the first form: most uploads come by tus. */
async function loadParser() {
  const { Busboy } = await import('@fastify/busboy');
  return ({ headers }: IncomingMessage) => {
    try {
      return new Busboy({ headers: headers as { 'content-type': string }, limits: LIMITS });
    } catch {
      throw new AppError('malformed_request', { message: 'Send a form that contains a file.' });
    }
  };
}

async function parseForm(deps: Deps, request: IncomingMessage): Promise<ReceivedForm> {
  const createParser = await loadParser();
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let tracklist: Promise<TracklistFile | null> = Promise.resolve(null);
    let receiving: Promise<ReceivedForm> | null = null;
    let cutField: string | null = null;
    const busboy = createParser(request);
    busboy.on('field', (name, value, _isNameCut, isCut) => {
      fields.set(name, value);
      if (isCut) cutField ??= name;
    });
    busboy.on('file', (field, stream, fileName) => {
      if (receiving) return void stream.resume();
      // A form cannot be resumed, so nothing of it is stored.
      request.once('error', (error) => stream.destroy(error));
      const refuseForm = (error: unknown) => {
        // Reads the rest of the request, so that the browser sees the response.
        stream.resume();
        reject(error);
      };
      if (field === 'tracklistFile') {
        tracklist = readTracklistUpload(stream, fileName);
        return void tracklist.catch(refuseForm);
      }
      receiving = (async () => {
        if (cutField !== null)
          throw new AppError('payload_too_large', {
            message: `${cutField}: This text is too long.`,
          });
        const read = await parseFormFields(fields, await tracklist);
        if (!fileName) throw refuse('file', 'Choose an audio file.');
        return { ...(await storeFile(deps, stream)), fileName, ...read };
      })();
      receiving.catch(refuseForm);
    });
    busboy.on('error', () => reject(new AppError('malformed_request')));
    request.on('error', () => reject(new AppError('malformed_request')));
    busboy.on('finish', () => {
      if (receiving) receiving.then(resolve, reject);
      else reject(refuse('file', 'Choose an audio file.'));
    });
    request.pipe(busboy);
  });
}

/** Receives a whole file in one form; from there on it is like any other upload. */
async function receiveForm(deps: Deps, userId: string, request: IncomingMessage) {
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  const otherBytes = MAX_TRACKLIST_BYTES + LIMITS.fields * LIMITS.fieldSize;
  if (declaredBytes > MAX_UPLOAD_BYTES + otherBytes)
    throw new AppError('payload_too_large', { message: 'The file is larger than 4 GB.' });
  await assertDiskSpace(deps, declaredBytes);
  const { id, fileName, size, draft, sentences } = await parseForm(deps, request);
  try {
    await createUpload(deps, { id, userId, fileName, size, draft: JSON.stringify(draft) });
    await addPart(deps, { id, firstByte: 0, size, path: uploadPath(deps.config, id) });
  } catch (error) {
    await rm(uploadPath(deps.config, id), { force: true });
    throw error;
  }
  await markUploadReceived(deps, id);
  return { fileName, sentences };
}

/** For browsers without JavaScript: the response is a page. */
export function registerBasicUpload(app: FastifyInstance, deps: Deps) {
  const { siteName } = deps.config;
  const send = (reply: FastifyReply, title: string, sentences: readonly string[]) =>
    sendPlainPage(reply, {
      siteName,
      title,
      body: [
        ...sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
        '<p><a href="/admin/upload-old">Upload another file</a></p>',
      ].join('\n'),
    });
  registerIsolatedPlugin(app, (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, ready) => ready(null));
    scope.post(BASIC_UPLOAD_PATH, {
      onRequest: async (request, reply) => {
        request.viewer = await enforceGuard('helper', deps, request, reply);
        allowSlowUpload(request.raw);
      },
      handler: async (request, reply) => {
        try {
          const userId = request.viewer?.user.id ?? '';
          const { fileName, sentences } = await receiveForm(deps, userId, request.raw);
          const text = `${fileName} uploaded. It’s being processed now.`;
          return await send(reply, 'Upload complete', [text, ...sentences]);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return send(reply.code(error.status), 'Upload failed', [error.message]);
        }
      },
    });
  });
}

export const BASIC_UPLOAD_PATH = '/api/admin/basic-upload';

const style = `
:root { color-scheme: dark light; --bg: oklch(0.158 0.008 62); --text: oklch(0.955 0.014 85); --quiet: oklch(0.815 0.014 80); --line: oklch(0.5 0.01 70); }
@media (prefers-color-scheme: light) { :root { --bg: oklch(0.962 0.012 85); --text: oklch(0.205 0.012 62); --quiet: oklch(0.37 0.014 65); } }
body { margin: 0; padding: 32px 24px; background: var(--bg); color: var(--text); font: 16px/1.5 var(--font-text, system-ui, sans-serif); }
.basic { max-width: 34rem; margin: 0 auto; }
.basic h1 { font: 680 40px/1 var(--font-display, sans-serif); font-stretch: 60%; margin: 0 0 12px; }
.basic p { margin: 0 0 20px; color: var(--quiet); }
.basic a { color: inherit; text-underline-offset: 4px; }
.basic label { display: block; margin: 0 0 16px; font-weight: 600; }
.basic input, .basic textarea, .basic select { display: block; width: 100%; box-sizing: border-box; margin-top: 6px; padding: 10px 12px; font: inherit; font-weight: 400; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; }
.basic option { color: #111; background: #fff; }
.basic button { font: inherit; font-weight: 600; min-height: 44px; padding: 0 22px; border: 0; border-radius: 999px; background: var(--text); color: var(--bg); cursor: pointer; }
`;

/** The file is the last field, so that invalid fields are refused before it is uploaded. */
const form = `<div class="basic"><h1>Basic upload</h1>
<p>A simple form for one file, for browsers without JavaScript. If the connection is lost, you have to start again. For large files use <a href="/admin/upload">Upload</a>, which can resume.</p>
<form method="post" action="${BASIC_UPLOAD_PATH}" enctype="multipart/form-data">
<label>Title <input name="title" maxlength="120"></label>
<label>Week <input name="week" inputmode="numeric"></label>
<label>Year <input name="year" inputmode="numeric"></label>
<label>Genre <input name="genre" maxlength="60"></label>
<label>Description <textarea name="description" rows="4"></textarea></label>
<label>Tracklist, one track with its time per line <textarea name="tracklist" rows="6"></textarea></label>
<label>Or a tracklist file from your DJ software <input type="file" name="tracklistFile" accept="${TRACKLIST_ACCEPT}"></label>
<label>Release <select name="release"><option value="draft">Keep as a draft</option><option value="now">Publish when ready</option></select></label>
<label>Audio file <input type="file" name="file" required></label>
<button>Upload</button>
</form></div>`;

/** For the page of the web app in browsers without JavaScript. It contains nothing secret. */
export const basicUploadForm = { style, html: form };
