import type { Mixpanel } from 'mixpanel-browser';
import mixpanel from 'mixpanel-browser/src/loaders/loader-module-core';
import type { Boot } from '#contract/boot.ts';
import { buildMixpanelSettings } from './mixpanel-settings.ts';
import type { AnalyticsClient } from './event-queue.ts';

type Instance = Mixpanel & { stop_batch_senders(): void };

/** The official client, which stores, batches and sends events. */
export function createMixpanelClient(
  service: Boot['mixpanel'],
  isAllowed: () => boolean,
): AnalyticsClient {
  const { token, name, settings } = buildMixpanelSettings(service, isAllowed);
  const instance = mixpanel.init(token, settings, name) as Instance;
  return {
    send({ name: event, fields, at }, { isLeaving } = { isLeaving: false }) {
      const options = { transport: 'sendBeacon', send_immediately: true } as const;
      instance.track(event, { ...fields, time: at / 1000 }, isLeaving ? options : undefined);
    },
    setUser(userId) {
      if (userId !== null) instance.identify(userId);
      else if (instance.get_property('$user_id')) instance.reset();
    },
    stop() {
      instance.stop_batch_senders();
      instance.reset();
    },
    resume: () => instance.start_batch_senders(),
  };
}
