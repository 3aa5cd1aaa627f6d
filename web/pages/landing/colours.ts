import type { SleeveStyle } from '#contract/art/sleeve-style.ts';

/** How the colours of a year go, by the half of the world that the DJ lives in. */
export const colours: Record<SleeveStyle['hemisphere'], { lead: string; year: string }> = {
  south: {
    lead: 'from summer orange through winter blue and back',
    year: 'Week 1 starts in summer orange. By July the covers have gone winter blue. Spring is green again.',
  },
  north: {
    lead: 'from winter blue through summer orange and back',
    year: 'Week 1 starts in winter blue. Spring turns green, and by July the covers are summer orange.',
  },
};
