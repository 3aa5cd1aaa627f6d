import type { QueryClient } from '@tanstack/react-query';
import { isAnalyticsOff, storeAnalyticsChoice } from '#web/lib/analytics/analytics-choice.ts';
import {
  recordEvent,
  sendAnalyticsEvent,
  takeWaitingInputs,
  type AnalyticsEvent,
  type AnalyticsInput,
} from '#web/lib/analytics/analytics-events.ts';
import { call } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { PREVIEW_ENDED_EVENT } from '#web/player/browser-player.ts';
import type { Player } from '#web/player/create-player.ts';
import { buildCommonFields } from './common-fields.ts';
import type { QueuedEvent } from './event-queue.ts';
import { buildCallEvent, watchPlayer, watchSearches } from './event-sources.ts';
import { buildMixpanelSettings } from './mixpanel-settings.ts';

/** Sends events in the client's format but without the client, while the user leaves the page. */
export function sendBeacon(events: readonly QueuedEvent[]): void {
  const { token, settings } = buildMixpanelSettings(boot.mixpanel, () => true);
  const device = crypto.randomUUID();
  const sender = { token, $device_id: device, distinct_id: `$device:${device}` };
  const batch = events.map(({ name, at, fields }) => ({
    event: name,
    properties: { ...sender, time: at / 1000, ...fields },
  }));
  const url = `${settings.api_host}/${settings.api_routes?.track ?? 'track/'}`;
  navigator.sendBeacon(url, new URLSearchParams({ data: JSON.stringify(batch) }));
}

/** Stores the user's choice on this device: opting out on another one applies here too. */
export async function loadChoice(): Promise<boolean> {
  try {
    storeAnalyticsChoice((await call('GET /api/me/preferences')).analytics);
    return true;
  } catch {
    return false;
  }
}

let firstChoice: { userId: string; isKnown: Promise<boolean> } | null = null;

/** The choice that this page has already requested; null if it hasn't. */
export function takeFirstChoice(userId: string): Promise<boolean> | null {
  const isKnown = firstChoice?.userId === userId ? firstChoice.isKnown : null;
  firstChoice = null;
  return isKnown;
}

/** Not only once the client has loaded: many visits end before that. */
export function recordVisit(queries: QueryClient, player: Player): void {
  watchSearches(queries, recordEvent);
  watchPlayer(player, recordEvent);
  window.addEventListener(PREVIEW_ENDED_EVENT, (event) => {
    // Any script can dispatch this event; only ours says which track it was.
    const trackId = (event as CustomEvent<{ trackId: string } | null>).detail?.trackId;
    if (!trackId) return;
    sendAnalyticsEvent('Feature Usage', {
      feature: 'preview',
      action: 'ended',
      content_id: trackId,
      content_type: 'track',
    });
  });
}

type Options = { queries: QueryClient; appVersion: string };

/** The client loads seconds after the page. This counts visits that end before that. */
export function watchShortVisit({ queries, appVersion }: Options): void {
  const { queryKey } = currentUserQuery;
  const findUser = () => queries.getQueryData(queryKey);
  const user = findUser();
  let allowedUserId: string | null = null;
  if (user && !isAnalyticsOff()) {
    firstChoice = { userId: user.id, isKnown: loadChoice() };
    void firstChoice.isKnown.then((isKnown) => (allowedUserId = isKnown ? user.id : null));
  }

  /** A user whose login is still being checked may have opted out. */
  function isAllowed(): boolean {
    if (isAnalyticsOff()) return false;
    const current = findUser();
    if (current) return current.id === allowedUserId;
    return current === null || queries.getQueryState(queryKey) === undefined;
  }

  function toEvent(input: AnalyticsInput): QueuedEvent[] {
    const event: AnalyticsEvent | null = 'name' in input ? input : buildCallEvent(input);
    if (!event) return [];
    const { at } = input;
    const common = buildCommonFields({ at, user: findUser() ?? null, appVersion, sizes: window });
    return [{ name: event.name, at, fields: { ...common, ...event.fields } }];
  }

  window.addEventListener('pagehide', () => {
    const inputs = takeWaitingInputs();
    if (inputs.length === 0) return;
    const end: AnalyticsInput = { name: 'Session End', fields: {}, at: Date.now() };
    if (isAllowed()) sendBeacon([...inputs, end].flatMap(toEvent));
    // The browser may show the page again as it was.
    window.addEventListener('pageshow', () => sendAnalyticsEvent('Session Start', {}), {
      once: true,
    });
  });
}
