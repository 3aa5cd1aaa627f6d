/** The built files that are kept from the start; the build writes them in. */
declare const PRECACHED: { url: string; revision: null }[];
