/**
 * What everybody may hear may be kept by anyone. The rest may be kept by its listener's own browser,
 * which asks again each time: a subscription that has ended ends access at the next request.
 */
export const mediaRules = {
  anyone: { cacheControl: 'public, max-age=86400' },
  listener: { cacheControl: 'private, no-cache' },
  cover: { cacheControl: 'public, max-age=31536000, immutable', isAlwaysOurs: true },
};
