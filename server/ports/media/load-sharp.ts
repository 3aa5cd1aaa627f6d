/** Twenty megabytes of memory: a process that draws no picture goes without. */
export const loadSharp = async () => (await import('sharp')).default;
