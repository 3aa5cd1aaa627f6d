import { describe, expect, it } from 'vitest';
import { planInstances } from './mixpanel-settings.ts';

const token = '0123456789abcdef';
const host = 'https://api-eu.mixpanel.com';
const list = (service: Parameters<typeof planInstances>[0]) =>
  planInstances(service, () => true).map((plan) => [plan.token, plan.settings.api_host]);

describe('the client', () => {
  it('is set up as the specification says', () => {
    const [plan] = planInstances(null, () => true);
    expect(plan?.settings).toMatchObject({
      track_pageview: true,
      persistence: 'localStorage',
      batch_size: 50,
      batch_flush_interval_ms: 5000,
      batch_request_timeout_ms: 90_000,
      cookie_expiration: 365,
    });
    expect(plan?.settings.property_blacklist).toEqual(
      expect.arrayContaining(['$current_url', '$initial_referrer', '$referrer']),
    );
  });

  it('tells our own server, the service as well, or the service instead', () => {
    expect(list(null)).toEqual([['site', '/api']]);
    expect(list({ token, host, isInstead: false })).toEqual([
      ['site', '/api'],
      [token, host],
    ]);
    expect(list({ token, host, isInstead: true })).toEqual([[token, host]]);
  });

  it('lets nothing out after a no', () => {
    const event = { event: 'Search', properties: {} };
    const sendOf = (isAllowed: boolean) =>
      planInstances(null, () => isAllowed)[0]?.settings.hooks?.before_send_events?.(event);
    expect([sendOf(true), sendOf(false)]).toEqual([event, null]);
  });
});
