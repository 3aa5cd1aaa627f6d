import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { checkSlot, TrackChange } from '#contract/track-fields.ts';
import { describeProblems, parseTracklist } from '#contract/rules/tracklist.ts';
import { MAX_UPLOAD_BYTES } from '#contract/uploads.ts';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/app-error.ts';
import { assertRoom, beginUpload, newUploadId, receiveUpload } from './receive.ts';
import { uploadPath } from './upload-folder.ts';
import { writeChunks } from './write-chunks.ts';

const LIMITS = { files: 1, fields: 20, fieldSize: 64 * 1024, fileSize: MAX_UPLOAD_BYTES };

const NO_ROOM = 'The disk of the server is full. Make room, then upload the file again.';

const refuse = (field: string, message: string) =>
  new AppError('validation_failed', {
    message: `${field}: ${message}`,
    fields: { [field]: message },
  });

/** What a form without scripting says of a mix: what was left empty was not said. */
export function readPlainFields(fields: ReadonlyMap<string, string>): TrackChange {
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
  throw refuse(issue?.path.join('.') ?? 'form', issue?.message ?? 'Not accepted.');
}

type Arrived = { id: string; fileName: string; size: number; draft: TrackChange };

async function keepFile(deps: Deps, stream: Readable): Promise<{ id: string; size: number }> {
  const id = newUploadId(deps);
  const path = uploadPath(deps.config, id);
  await writeFile(path, '');
  try {
    const { end: size, broke } = await writeChunks(path, stream, { offset: 0 });
    if (broke) throw new AppError('malformed_request', { message: 'The line dropped.' });
    if ((stream as Readable & { truncated?: boolean }).truncated)
      throw new AppError('payload_too_large', { message: 'The file is larger than 4 GB.' });
    return { id, size };
  } catch (error) {
    await rm(path, { force: true });
    throw isDiskFull(error) ? new AppError('disk_full', { message: NO_ROOM }) : error;
  }
}

function readForm({ headers }: IncomingMessage) {
  try {
    return new Busboy({ headers: headers as { 'content-type': string }, limits: LIMITS });
  } catch {
    throw new AppError('malformed_request', { message: 'Send a form with a file in it.' });
  }
}

function parse(deps: Deps, request: IncomingMessage): Promise<Arrived> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let arriving: Promise<Arrived> | null = null;
    const busboy = readForm(request);
    busboy.on('field', (name, value) => fields.set(name, value));
    busboy.on('file', (_name, stream, fileName) => {
      // Half a form cannot go on later: nothing of it is kept.
      request.once('error', (error) => stream.destroy(error));
      arriving = (async () => {
        const draft = readPlainFields(fields);
        if (!fileName) throw refuse('file', 'Choose an audio file.');
        return { ...(await keepFile(deps, stream)), fileName, draft };
      })();
      arriving.catch((error: unknown) => {
        // What is still on its way is let through, so that the answer can be read.
        stream.resume();
        reject(error);
      });
    });
    busboy.on('error', () => reject(new AppError('malformed_request')));
    request.on('error', () => reject(new AppError('malformed_request')));
    busboy.on('finish', () => {
      if (arriving) arriving.then(resolve, reject);
      else reject(refuse('file', 'Choose an audio file.'));
    });
    request.pipe(busboy);
  });
}

/** A whole file in one plain form. It ends in the same work as one that came in parts. */
export async function receiveForm(deps: Deps, userId: string, request: IncomingMessage) {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MAX_UPLOAD_BYTES + LIMITS.fields * LIMITS.fieldSize)
    throw new AppError('payload_too_large', { message: 'The file is larger than 4 GB.' });
  await assertRoom(deps, announced);
  const { id, fileName, size, draft } = await parse(deps, request);
  try {
    await beginUpload(deps, { id, userId, fileName, size, draft: JSON.stringify(draft) });
  } catch (error) {
    await rm(uploadPath(deps.config, id), { force: true });
    throw error;
  }
  await receiveUpload(deps, id);
  return { fileName };
}
