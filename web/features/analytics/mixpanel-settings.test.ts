import { describe, expect, it } from 'vitest';
import { buildMixpanelSettings } from './mixpanel-settings.ts';

const token = '0123456789abcdef';
const host = 'https://api-eu.mixpanel.com';
const addressee = (service: Parameters<typeof buildMixpanelSettings>[0]) => {
  const plan = buildMixpanelSettings(service, () => true);
  return [plan.token, plan.settings.api_host];
};

describe('the Mixpanel client', () => {
  it('is set up as specified', () => {
    for (const service of [null, { token, host }]) {
      const { settings } = buildMixpanelSettings(service, () => true);
      expect(settings).toMatchObject({
        track_pageview: true,
        persistence: 'localStorage',
        batch_size: 50,
        batch_flush_interval_ms: 5000,
        batch_request_timeout_ms: 90_000,
        cookie_expiration: 365,
      });
      expect(settings.property_blacklist).toEqual(
        expect.arrayContaining([
          '$current_url',
          '$initial_referrer',
          '$initial_referring_domain',
          '$referrer',
          '$referring_domain',
        ]),
      );
    }
  });

  it('sends to our own server, or directly to Mixpanel', () => {
    expect(addressee(null)).toEqual(['site', '/api']);
    expect(addressee({ token, host })).toEqual([token, host]);
  });

  it('sends nothing after opting out', () => {
    const event = { event: 'Search', properties: {} };
    const sendOf = (isAllowed: boolean) =>
      buildMixpanelSettings(null, () => isAllowed).settings.hooks?.before_send_events?.(event);
    expect([sendOf(true), sendOf(false)]).toEqual([event, null]);
  });
});
