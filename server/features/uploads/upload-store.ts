import { open, rm, stat } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import { Upload } from '@tus/server';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/app-error.ts';
import { sniffAudio, measureId3 } from '../../ports/media/sniff-audio.ts';
import { describeRefusal } from '../../ports/media/refusals.ts';
import { findUpload, type UploadRow } from './queries.ts';
import { cancelUpload, receiveUpload, refuseUpload } from './receive.ts';
import { followProgress } from './follow-progress.ts';
import { uploadFolder, uploadPath } from './upload-folder.ts';
import { syncFile, writeChunks } from './write-chunks.ts';

const HEAD_BYTES = 64 * 1024;

const refuseDisk = (error: unknown): unknown =>
  isDiskFull(error) ? new AppError('disk_full') : error;

/** The first bytes tell what a file is: nobody sends a gigabyte to be told at its end that it is a video. */
async function findEarlyRefusal(path: string): Promise<string | null> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  // Behind a long tag the sound begins later; the whole file is looked at in the end anyway.
  if (bytesRead < HEAD_BYTES || measureId3(buffer) > 0) return null;
  const sniffed = sniffAudio(buffer);
  return 'refusal' in sniffed ? describeRefusal(sniffed.refusal).sentence : null;
}

/** What is known of uploads is in the database; of the files themselves, only their length. */
export class UploadStore extends FileStore {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    const nothing = async () => undefined;
    super({
      directory: uploadFolder(deps.config),
      configstore: { get: nothing, set: nothing, delete: nothing },
    });
    this.deps = deps;
    // A file whose length nobody knows could be made of anything.
    this.extensions = ['creation', 'creation-with-upload', 'termination'];
  }

  private async requireUpload(id: string): Promise<UploadRow> {
    const upload = await findUpload(this.deps.database.db, id);
    if (!upload) throw new AppError('not_found');
    if (upload.state === 'refused') throw new AppError('upload_gone');
    return upload;
  }

  override async create(file: Upload): Promise<Upload> {
    try {
      return await super.create(file);
    } catch (error) {
      throw refuseDisk(error);
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.requireUpload(id);
    const metadata = { filename: row.file_name };
    if (row.state !== 'uploading')
      return new Upload({ id, size: row.size, offset: row.size, metadata });
    const path = uploadPath(this.deps.config, id);
    const { size: offset } = await stat(path).catch(() => {
      throw new AppError('upload_gone');
    });
    // What is told is not sent again, so it is on disk before it is told.
    if (offset > 0) await syncFile(path);
    // Stopped after the last byte and before it was said: whoever asks finds it whole.
    if (offset === row.size) await receiveUpload(this.deps, id);
    return new Upload({ id, size: row.size, offset, metadata });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    return this.receive(stream, id, { offset });
  }

  /** A part of a file, or as much of it as came. */
  async receive(
    stream: Readable,
    id: string,
    { offset, length = Infinity }: { offset: number; length?: number },
  ): Promise<number> {
    const path = uploadPath(this.deps.config, id);
    const row = await this.requireUpload(id);
    if (row.state !== 'uploading') throw new AppError('upload_over');
    const progress = followProgress(this.deps, row, offset);
    const limit = Math.min(row.size, offset + length);
    const { end } = await writeChunks(path, stream, {
      offset,
      limit,
      // What a socket hands out is nobody else's.
      ownsChunks: stream instanceof IncomingMessage,
      onBytes: progress.note,
    }).catch((error: unknown) => {
      throw refuseDisk(error);
    });
    const refusal = offset < HEAD_BYTES && end > offset ? await findEarlyRefusal(path) : null;
    if (refusal) {
      await refuseUpload(this.deps, id, refusal);
      await rm(path, { force: true });
      throw new AppError('audio_refused', { message: refusal });
    }
    await progress.end(end);
    return end;
  }

  override async remove(id: string): Promise<void> {
    await cancelUpload(this.deps, id);
    await rm(uploadPath(this.deps.config, id), { force: true });
  }
}
