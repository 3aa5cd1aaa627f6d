import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** Beside the store, on the same disk: a finished file is then moved, not copied. */
export const uploadFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'uploads');

const ID = /^[0-9a-z]{26}$/;

/** Ids are ours; whatever else stands in an address names no upload. */
export const isUploadId = (text: string): boolean => ID.test(text);

export function uploadPath(config: Pick<Config, 'dataDir'>, id: string): string {
  if (!isUploadId(id)) throw new Error(`Not an upload: ${JSON.stringify(id.slice(0, 64))}`);
  return join(uploadFolder(config), id);
}
