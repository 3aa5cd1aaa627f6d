type Size = { width: number; height: number };

/**
 * The size of a logo where the product's mark is 22 high. It has about the same area whatever its
 * shape: a long one is lower, a square one narrower.
 */
export function findLogoSize({ width, height }: Size) {
  const ratio = width / height;
  const size = Math.min(32, Math.sqrt(2700 / ratio));
  return { width: Math.round(size * ratio), height: Math.round(size) };
}

/** A wide logo is a word and stands instead of the name; others stand next to it. */
export const isWordmark = ({ width, height }: Size): boolean => width > height * 1.8;
