import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { isAnalyticsOff, watchAnalyticsChoice } from '#web/lib/analytics/analytics-choice.ts';
import { boot } from '#web/lib/store/boot.ts';
import {
  receiveAnalyticsInputs,
  type AnalyticsEvent,
} from '#web/lib/analytics/analytics-events.ts';
import { nextTask } from '#web/lib/schedule/schedule.ts';
import { tryOrUndefined } from '#web/player/session/persistence.ts';
import { buildCommonFields } from './common-fields.ts';
import { buildCallEvent, findUserOfCall, watchUser } from './event-sources.ts';
import { deleteStoredEvents } from './mixpanel-settings.ts';
import { createEventQueue } from './event-queue.ts';
import { loadChoice, sendBeacon, takeFirstChoice } from './short-visit.ts';

type Options = { queries: QueryClient; appVersion: string };

const sessionStart: AnalyticsEvent = { name: 'Session Start', fields: {} };
const sessionEnd: AnalyticsEvent = { name: 'Session End', fields: {} };

/** Sends what the page has recorded since it opened, and from now on records. */
export function startAnalytics({ queries, appVersion }: Options): void {
  if (isAnalyticsOff()) tryOrUndefined(() => deleteStoredEvents(localStorage));
  let user: User | null = null;
  let isChoiceUnknown = false;
  const isAllowed = () => !isChoiceUnknown && !isAnalyticsOff();
  const queue = createEventQueue({
    isAllowed,
    loadClient: async () => {
      const { createMixpanelClient } = await import('./mixpanel-client.ts');
      await nextTask();
      const client = createMixpanelClient(boot.mixpanel, isAllowed);
      await nextTask();
      return client;
    },
    sendBeacon,
    log: (message, cause) => console.warn(message, cause),
  });

  const awaitChoice = async (userId: string) => {
    isChoiceUnknown = !(await (takeFirstChoice(userId) ?? loadChoice()));
  };

  function setUser(next: User | null): void {
    const isNew = next !== null && next.id !== user?.id;
    user = next;
    if (next === null) isChoiceUnknown = false;
    if (isNew && !isAnalyticsOff()) queue.pauseUntil(awaitChoice(next.id));
    queue.setUser(next?.id ?? null);
  }

  function send({ name, fields }: AnalyticsEvent, at = Date.now(), isLeaving = false): void {
    const common = buildCommonFields({ at, user, appVersion, sizes: window });
    queue.send({ name, fields: { ...common, ...fields }, at }, { isLeaving });
  }

  watchUser(queries, setUser);
  receiveAnalyticsInputs((input) => {
    if ('name' in input) return send(input, input.at);
    const newUser = findUserOfCall(input);
    if (newUser) setUser(newUser);
    const event = buildCallEvent(input);
    if (event) send(event, input.at);
  });
  window.addEventListener('pagehide', () => send(sessionEnd, Date.now(), true));
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) send(sessionStart);
  });
  watchAnalyticsChoice(queue.applyChoice);
}
