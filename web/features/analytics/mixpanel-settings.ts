import type { Config } from 'mixpanel-browser';
import type { Boot } from '#contract/boot.ts';

/** The name of the browser's storage; our own server needs no token. */
const OWN_NAME = 'site';

/** A page's address can contain a secret token, and the referrer is private. */
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

/** The client's types lack one setting. */
type Settings = Partial<Config> & { track_marketing: boolean };

export type MixpanelSettings = { token: string; name: string; settings: Settings };

const buildCommonSettings = (isAllowed: () => boolean): Settings => ({
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

/** Events go to our own server, which may forward them, or to Mixpanel directly. */
export function buildMixpanelSettings(
  service: Boot['mixpanel'],
  isAllowed: () => boolean,
): MixpanelSettings {
  const settings = buildCommonSettings(isAllowed);
  const toOwnServer = { ...settings, api_host: '/api', api_routes: { track: 'events' } };
  if (!service) return { token: OWN_NAME, name: OWN_NAME, settings: toOwnServer };
  const toMixpanel = { ...settings, api_host: service.host };
  return { token: service.token, name: 'service', settings: toMixpanel };
}

/** Where the client stores its user ID and unsent events. */
const STORAGE_KEYS = /^(?:mp_|__mp)/;

/** For a user who has opted out. */
export function deleteStoredEvents(storage: Storage): void {
  for (const key of Object.keys(storage)) if (STORAGE_KEYS.test(key)) storage.removeItem(key);
}
