/** What the page knows before its first request; the server writes it into the HTML. */
export type Boot = {
  siteName: string;
  timeZone: string;
  /** Where the reset-password calls go; empty means the same origin. */
  authOrigin: string;
  demo: boolean;
  /** The analytics service that browsers tell instead of our own server; null when they tell us. */
  mixpanel: { token: string; host: string } | null;
};
