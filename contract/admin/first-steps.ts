/** What is left to do before the first listener. */
export const FIRST_STEPS = [
  'look',
  'release',
  'mail',
  'seller',
  'payments',
  'purchase',
  'people',
] as const;
export type FirstStepName = (typeof FIRST_STEPS)[number];

/** Nothing breaks without these. */
export const SKIPPABLE_STEPS = ['look', 'purchase', 'people'] as const;
export type SkippableStep = (typeof SKIPPABLE_STEPS)[number];
