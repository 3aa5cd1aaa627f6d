/** What the system reads ahead by itself, at least: a block touched is a block in memory. */
const BLOCK = 128 * 1024;
const REMEMBERED_FILES = 256;
/** Memory answers within a fraction of this; a disk that takes longer must not hold everybody up. */
const SLOW_READ_MS = 20;

/**
 * Remembers which parts of files were read lately. The system still has them in memory, and reading
 * them takes less time than asking another thread to. Once that is found not to be so, all is
 * forgotten.
 */
export function createWarmBlocks(limit = REMEMBERED_FILES) {
  const files = new Map<string, Set<number>>();

  return {
    isWarm(path: string, start: number, length: number): boolean {
      const blocks = files.get(path);
      if (!blocks) return false;
      const last = Math.floor((start + length - 1) / BLOCK);
      for (let block = Math.floor(start / BLOCK); block <= last; block += 1)
        if (!blocks.has(block)) return false;
      return true;
    },
    remember(path: string, start: number, length: number): void {
      const blocks = files.get(path) ?? new Set<number>();
      // The file read last is the last to be forgotten.
      files.delete(path);
      files.set(path, blocks);
      const last = Math.floor((start + length - 1) / BLOCK);
      for (let block = Math.floor(start / BLOCK); block <= last; block += 1) blocks.add(block);
      const [oldest] = files.keys();
      if (files.size > limit && oldest !== undefined) files.delete(oldest);
    },
    /** How long a read took of what was thought to be in memory. */
    judge(ms: number): void {
      if (ms > SLOW_READ_MS) files.clear();
    },
  };
}
