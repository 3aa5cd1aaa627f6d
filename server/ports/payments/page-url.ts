import { z } from 'zod';

/** Where a member is sent: a page of the provider's, and never a script or a file. */
export const PageUrl = z.url({ protocol: /^https$/ });
