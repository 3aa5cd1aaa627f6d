/**
 * Addresses that a browser opens and the app does not answer: files, everything below the server's
 * own folders, and links from a mail or a console, which the server answers with headers of its own.
 */
export const SERVER_PAGES = [
  /^\/(?:api|media|assets|healthz|sandbox)(?:\/|$)/,
  /^\/+(?:reset-password|setup)\//,
  /\.\w+$/,
];
