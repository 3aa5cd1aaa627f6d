import { describe, expect, it } from 'vitest';
import { planInstance } from './mixpanel-settings.ts';

const token = '0123456789abcdef';
const host = 'https://api-eu.mixpanel.com';
const addressee = (service: Parameters<typeof planInstance>[0]) => {
  const plan = planInstance(service, () => true);
  return [plan.token, plan.settings.api_host];
};

describe('the client', () => {
  it('is set up as the specification says', () => {
    const plan = planInstance(null, () => true);
    expect(plan.settings).toMatchObject({
      track_pageview: true,
      persistence: 'localStorage',
      batch_size: 50,
      batch_flush_interval_ms: 5000,
      batch_request_timeout_ms: 90_000,
      cookie_expiration: 365,
    });
    expect(plan.settings.property_blacklist).toEqual(
      expect.arrayContaining(['$current_url', '$initial_referrer', '$referrer']),
    );
  });

  it('tells our own server, or the service instead', () => {
    expect(addressee(null)).toEqual(['site', '/api']);
    expect(addressee({ token, host })).toEqual([token, host]);
  });

  it('lets nothing out after a no', () => {
    const event = { event: 'Search', properties: {} };
    const sendOf = (isAllowed: boolean) =>
      planInstance(null, () => isAllowed).settings.hooks?.before_send_events?.(event);
    expect([sendOf(true), sendOf(false)]).toEqual([event, null]);
  });
});
