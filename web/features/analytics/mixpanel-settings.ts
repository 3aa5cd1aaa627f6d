import type { Config } from 'mixpanel-browser';
import type { Boot } from '#contract/boot.ts';

/** The browser's storage is named after it; our own server asks for no token. */
const OWN_NAME = 'site';

/** The address of a page can hold a token that opens an account, and where somebody came from is theirs. */
const OMITTED = [
  '$current_url',
  '$initial_referrer',
  '$initial_referring_domain',
  '$referrer',
  '$referring_domain',
  'current_domain',
  'current_url_path',
  'current_url_protocol',
  'current_url_search',
];

/** The client's own declaration leaves one setting out. */
export type Settings = Partial<Config> & { track_marketing: boolean };
export type Plan = { token: string; name: string; settings: Settings };

const settingsFor = (isAllowed: () => boolean): Settings => ({
  track_pageview: true,
  persistence: 'localStorage',
  property_blacklist: OMITTED,
  save_referrer: false,
  skip_first_touch_marketing: true,
  stop_utm_persistence: true,
  track_marketing: false,
  ip: false,
  batch_size: 50,
  batch_flush_interval_ms: 5000,
  batch_request_timeout_ms: 90_000,
  cookie_expiration: 365,
  hooks: { before_send_events: (event) => (isAllowed() ? event : null) },
});

/** To whom the client tells what: our own server, which may pass it on, or the service itself. */
export function planInstance(service: Boot['mixpanel'], isAllowed: () => boolean): Plan {
  const settings = settingsFor(isAllowed);
  const toOwn = { ...settings, api_host: '/api', api_routes: { track: 'events' } };
  if (!service) return { token: OWN_NAME, name: OWN_NAME, settings: toOwn };
  const toService = { ...settings, api_host: service.host };
  return { token: service.token, name: 'service', settings: toService };
}
