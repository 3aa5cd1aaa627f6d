import { z } from 'zod';
import { LOOK_IMAGES } from '../look.ts';
import { defineRoutes } from '../route.ts';

/** Logos, photographs of a phone and icons are far smaller. */
export const LOOK_IMAGE_MAX_BYTES = 12 * 1024 * 1024;

export const LookUpload = z.object({
  /** For the setting of the same kind. Until it is saved there, nobody sees the picture. */
  name: z.string(),
  width: z.int(),
  height: z.int(),
  /** The picture itself, as a data URL. */
  preview: z.string(),
  /** What an SVG contained and a logo can’t have, in words: `a script`, `text`. */
  leftOut: z.array(z.string()),
});
export type LookUpload = z.infer<typeof LookUpload>;

export const lookAdminRoutes = defineRoutes({
  'POST /api/admin/look/:kind': {
    summary: 'Prepare a logo, a picture or an icon: raw image bytes, up to 12 MB.',
    params: z.object({ kind: z.enum(LOOK_IMAGES) }),
    body: 'image',
    response: LookUpload,
    errors: ['unauthenticated', 'not_found', 'invalid_image', 'disk_full', 'unavailable'],
  },
});
