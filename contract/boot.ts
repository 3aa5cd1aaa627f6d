/** What the page knows before its first request; the server writes it into the HTML. */
export type Boot = {
  siteName: string;
  timeZone: string;
  /** Where the reset-password calls go; empty means the same origin. */
  authOrigin: string;
  demo: boolean;
  /** The analytics service, beside our own server or instead of it; null when there is none. */
  mixpanel: { token: string; host: string; isInstead: boolean } | null;
};
