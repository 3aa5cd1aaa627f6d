/**
 * Previews may be kept by anyone. Full audio may be kept by its listener's own browser, which asks
 * again each time: a subscription that has ended ends access at the next request.
 */
export const mediaRules = {
  preview: { cacheControl: 'public, max-age=86400' },
  full: { cacheControl: 'private, no-cache' },
  cover: { cacheControl: 'public, max-age=31536000, immutable', isAlwaysOurs: true },
};
