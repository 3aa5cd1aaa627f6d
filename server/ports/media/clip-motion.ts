/** How the waveform of a clip moves: a whole number of pixels for each frame, so that it never jerks. */
export const CLIP_MOTION = { framesPerSecond: 25, pixelsPerFrame: 8, barPitch: 16 } as const;

/** Bars that pass in a second. */
export const CLIP_BARS_PER_SECOND =
  (CLIP_MOTION.framesPerSecond * CLIP_MOTION.pixelsPerFrame) / CLIP_MOTION.barPitch;
