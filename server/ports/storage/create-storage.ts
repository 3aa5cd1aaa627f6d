import { join } from 'node:path';
import type { Config, S3Settings } from '../../config.ts';
import { createLocalStorage } from './local-storage.ts';
import type { RemoteStorage, Storage } from './storage.ts';

/** Loads the large S3 client on first use, so that sites with files on disk never load it. */
function createLazyS3Storage(settings: S3Settings): RemoteStorage {
  let loading: Promise<RemoteStorage> | undefined;
  const load = () => {
    loading ??= import('./s3-storage.ts').then((module) => module.createS3Storage(settings));
    return loading;
  };
  return {
    put: async (key, content) => (await load()).put(key, content),
    adopt: async (key, path) => (await load()).adopt(key, path),
    list: async function* list(folder) {
      yield* (await load()).list(folder);
    },
    deleteUnfinished: async (before) => (await load()).deleteUnfinished(before),
    open: async (key, range) => (await load()).open(key, range),
    stat: async (key) => (await load()).stat(key),
    delete: async (key) => (await load()).delete(key),
    presignRead: async (key, options) => (await load()).presignRead(key, options),
    localPath: null,
    probe: async () => (await load()).probe(),
  };
}

export const createStorage = ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Storage =>
  s3 ? createLazyS3Storage(s3) : createLocalStorage(join(dataDir, 'files'));
