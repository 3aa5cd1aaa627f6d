/** Chords by scale degree, shared by several genres. */
export const JAZZY = {
  minor: [
    [1, 4, 7, 3],
    [6, 7, 1, 1],
    [4, 5, 1, 6],
    [1, 6, 4, 5],
  ],
  major: [
    [2, 5, 1, 6],
    [4, 3, 2, 1],
    [1, 6, 2, 5],
  ],
} as const;

export const DARK = {
  minor: [
    [1, 1, 6, 1],
    [1, 1, 1, 7],
    [1, 6, 1, 3],
  ],
  major: [[1, 1, 6, 4]],
} as const;

export const SUNLIT = {
  minor: [
    [1, 3, 7, 4],
    [6, 3, 7, 1],
    [1, 7, 6, 7],
  ],
  major: [
    [1, 4, 6, 5],
    [4, 1, 5, 6],
  ],
} as const;

/** The chords of township dance halls: tonic, subdominant, tonic, dominant. */
export const MARABI = {
  minor: [
    [1, 4, 1, 5],
    [6, 4, 1, 5],
  ],
  major: [
    [1, 4, 1, 5],
    [1, 4, 5, 4],
  ],
} as const;
