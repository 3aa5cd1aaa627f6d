import type { Mixpanel } from 'mixpanel-browser';
import mixpanel from 'mixpanel-browser/src/loaders/loader-module-core';
import type { Boot } from '#contract/boot.ts';
import { planInstance } from './mixpanel-settings.ts';
import type { Client } from './outbox.ts';

type Instance = Mixpanel & { stop_batch_senders(): void };

/** The official client, which keeps, batches and sends what it is told. */
export function createMixpanelClient(service: Boot['mixpanel'], isAllowed: () => boolean): Client {
  const { token, name: plan, settings } = planInstance(service, isAllowed);
  const instance = mixpanel.init(token, settings, plan) as Instance;
  return {
    send({ name, fields, at }, { isLeaving } = { isLeaving: false }) {
      const options = { transport: 'sendBeacon', send_immediately: true } as const;
      instance.track(name, { ...fields, time: at / 1000 }, isLeaving ? options : undefined);
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
