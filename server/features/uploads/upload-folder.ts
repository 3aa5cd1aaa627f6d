import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** On the same disk as the store, so that a finished file is moved, not copied. */
export const uploadFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'uploads');

const ID = /^[0-9a-z]{26}$/;

/** Whether a text can be the id of an upload. */
export const isUploadId = (text: string): boolean => ID.test(text);

export function uploadPath(config: Pick<Config, 'dataDir'>, id: string): string {
  if (!isUploadId(id)) throw new Error(`Invalid upload id: ${JSON.stringify(id.slice(0, 64))}`);
  return join(uploadFolder(config), id);
}

/** Null if there is no such file. */
export const sizeOfFile = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );
