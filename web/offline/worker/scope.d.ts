/** The built files to cache at installation; the build fills them in. */
declare const PRECACHED: { url: string; revision: null }[];
