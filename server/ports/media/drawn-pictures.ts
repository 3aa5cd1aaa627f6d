import { LRUCache } from 'lru-cache';
import { createQueue } from '../../background/limited-queue.ts';

/**
 * Everything that draws, converts or shrinks a picture goes through this queue: each takes a core for
 * some milliseconds, and one of the threads that also read audio (see thread-count.ts).
 */
export const drawInTurn = createQueue({
  maxRunning: 2,
  maxWaiting: 60,
  // More than an app or a browser asks for at a time.
  maxPerSubject: 24,
  refusal: 'Too many pictures are being drawn right now. Try again in a moment.',
});

/** The sides in which square pictures are drawn. Apps ask for any number of pixels. */
const SIDES = [128, 256, 512, 1000];

/** The next larger side that we draw; what is larger than all of them gets the largest. */
export const roundUpSide = (side: number): number =>
  SIDES.find((each) => each >= side) ?? SIDES.at(-1) ?? side;

/** Pictures that were drawn or converted. The most recently used ones stay in memory. */
export function keepPictures(maxBytes: number, inTurn = drawInTurn) {
  const kept = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  const drawing = new Map<string, Promise<Buffer | null>>();

  async function render(
    key: string,
    draw: () => Promise<Buffer | null>,
    subjects: readonly string[],
  ): Promise<Buffer | null> {
    try {
      const picture = await inTurn(draw, { subjects });
      if (picture) kept.set(key, picture);
      return picture;
    } finally {
      drawing.delete(key);
    }
  }

  return {
    /** Undefined if the picture has to be drawn. */
    find: (key: string) => kept.get(key),
    isKnown: (key: string): boolean => kept.has(key) || drawing.has(key),
    /** Once for all who ask for it at the same time. */
    get: <T extends Buffer | null>(
      key: string,
      draw: () => Promise<T>,
      subjects: readonly string[],
    ): Promise<T> => {
      const known = kept.get(key);
      if (known) return Promise.resolve(known as T);
      const drawn = drawing.get(key) ?? render(key, draw, subjects);
      drawing.set(key, drawn);
      return drawn as Promise<T>;
    },
  };
}

export type KeptPictures = ReturnType<typeof keepPictures>;
