import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { databaseSettings } from '#server/deps.ts';
import type { SiteLocation } from '#server/features/backup/save-backup.ts';
import { createStorage } from '#server/ports/storage/create-storage.ts';

/** What backups are made of, and restored to. */
export const locateSite = (config: Config): SiteLocation => ({
  database: databaseSettings(config),
  files: config.s3 ? null : join(config.dataDir, 'files'),
  ...(config.s3 && { store: createStorage(config) }),
});
