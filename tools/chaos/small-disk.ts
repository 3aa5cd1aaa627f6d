import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Above the reserve that the site leaves free, or it would accept no upload. */
const SIZE_MB = 768;

export type SmallDisk = {
  /** Writes until nothing fits any more. */
  fill: () => void;
  free: () => void;
  unmount: () => void;
};

/** Mounts a disk in memory that is small enough to fill up; null where that is not allowed. */
export function mountSmallDisk(folder: string, sizeMb = SIZE_MB): SmallDisk | null {
  if (process.platform !== 'linux') return null;
  mkdirSync(folder, { recursive: true });
  const options = ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0700`, 'tmpfs', folder];
  if (spawnSync('mount', options).status !== 0) return null;
  const ballast = join(folder, 'ballast');
  return {
    fill: () => {
      const file = openSync(ballast, 'a');
      try {
        for (const size of [1024 * 1024, 4096, 1]) writeUntilFull(file, Buffer.alloc(size));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => void spawnSync('umount', ['-l', folder]),
  };
}

function writeUntilFull(file: number, bytes: Buffer) {
  try {
    for (;;) if (writeSync(file, bytes) < bytes.length) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
