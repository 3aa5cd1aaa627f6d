/** Loads sharp on first use: it takes 20 MB of memory that most processes never need. */
export const loadSharp = async () => (await import('sharp')).default;
