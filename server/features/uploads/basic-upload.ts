import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { describeProblems, parseTracklist } from '#contract/rules/tracklist.ts';
import { checkSlot, TrackChange } from '#contract/track-fields.ts';
import { MAX_UPLOAD_BYTES } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/app-error.ts';
import { registerIsolatedPlugin } from '../../http/body-parsers.ts';
import { enforceGuard } from '../../http/guards.ts';
import { allowSlowUpload } from '../../http/slow-request-timeout.ts';
import { BASIC_UPLOAD_PATH, basicUploadPolicy, renderUploadResult } from './basic-upload-page.ts';
import { uploadPath } from './upload-folder.ts';
import {
  assertDiskSpace,
  createUpload,
  markUploadReceived,
  newUploadId,
} from './upload-lifecycle.ts';
import { writeChunks } from './write-chunks.ts';

const LIMITS = { files: 1, fields: 20, fieldSize: 64 * 1024, fileSize: MAX_UPLOAD_BYTES };

const DISK_FULL = 'The server’s disk is full. Free up space, then upload the file again.';

const refuse = (field: string, message: string) =>
  new AppError('validation_failed', {
    message: `${field}: ${message}`,
    fields: { [field]: message },
  });

/** The fields of the form; empty ones are left out. */
export function parseFormFields(fields: ReadonlyMap<string, string>): TrackChange {
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  const { chapters, problems } = parseTracklist(text('tracklist'));
  const problem = describeProblems(problems);
  if (problem) throw refuse('tracklist', problem);
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
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refuse(issue?.path.join('.') ?? 'form', issue?.message ?? 'Invalid value.');
}

type ReceivedForm = { id: string; fileName: string; size: number; draft: TrackChange };

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

function createParser({ headers }: IncomingMessage) {
  try {
    return new Busboy({ headers: headers as { 'content-type': string }, limits: LIMITS });
  } catch {
    throw new AppError('malformed_request', { message: 'Send a form that contains a file.' });
  }
}

function parseForm(deps: Deps, request: IncomingMessage): Promise<ReceivedForm> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let receiving: Promise<ReceivedForm> | null = null;
    const busboy = createParser(request);
    busboy.on('field', (name, value) => fields.set(name, value));
    busboy.on('file', (_name, stream, fileName) => {
      // A form cannot be resumed, so nothing of it is stored.
      request.once('error', (error) => stream.destroy(error));
      receiving = (async () => {
        const draft = parseFormFields(fields);
        if (!fileName) throw refuse('file', 'Choose an audio file.');
        return { ...(await storeFile(deps, stream)), fileName, draft };
      })();
      receiving.catch((error: unknown) => {
        // Reads the rest of the request, so that the browser sees the response.
        stream.resume();
        reject(error);
      });
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
  if (declaredBytes > MAX_UPLOAD_BYTES + LIMITS.fields * LIMITS.fieldSize)
    throw new AppError('payload_too_large', { message: 'The file is larger than 4 GB.' });
  await assertDiskSpace(deps, declaredBytes);
  const { id, fileName, size, draft } = await parseForm(deps, request);
  try {
    await createUpload(deps, { id, userId, fileName, size, draft: JSON.stringify(draft) });
  } catch (error) {
    await rm(uploadPath(deps.config, id), { force: true });
    throw error;
  }
  await markUploadReceived(deps, id);
  return { fileName };
}

/** For browsers without JavaScript: the response is a page. */
export function registerBasicUpload(app: FastifyInstance, deps: Deps) {
  const { siteName } = deps.config;
  const send = (reply: FastifyReply, title: string, sentences: readonly string[]) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': basicUploadPolicy,
      })
      .send(renderUploadResult({ siteName, title, sentences }));
  registerIsolatedPlugin(app, (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, ready) => ready(null));
    scope.post(BASIC_UPLOAD_PATH, {
      onRequest: async (request, reply) => {
        request.viewer = await enforceGuard('admin', deps, request, reply);
        allowSlowUpload(request.raw);
      },
      handler: async (request, reply) => {
        try {
          const { fileName } = await receiveForm(deps, request.viewer?.user.id ?? '', request.raw);
          const text = `${fileName} uploaded. It’s being processed now.`;
          return await send(reply, 'Upload complete', [text]);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return send(reply.code(error.status), 'Upload failed', [error.message]);
        }
      },
    });
  });
}
