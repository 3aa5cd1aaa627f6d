/**
 * Pages that the app must leave to the server: files, everything in the server's own folders, and
 * links from e-mails or the console, which need the server's own headers.
 */
export const SERVER_PAGES = [
  /^\/(?:api|media|assets|embed|feed|healthz|oembed|rest|sandbox)(?:\/|$)/,
  /^\/+(?:reset-password|confirm-email|undo-email-change|setup)\//,
  /\.\w+$/,
];
