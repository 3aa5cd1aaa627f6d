import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import {
  isAnalyticsOff,
  keepAnalyticsChoice,
  onAnalyticsChoice,
} from '#web/lib/analytics-choice.ts';
import { call } from '#web/lib/api.ts';
import { boot } from '#web/lib/boot.ts';
import { receiveMoments, type Told } from '#web/lib/moments.ts';
import { PREVIEW_ENDED_EVENT } from '#web/player/browser-player.ts';
import type { Player } from '#web/player/create-player.ts';
import { attempt } from '#web/player/persistence.ts';
import { commonFields } from './common-fields.ts';
import { eventOfCall, userOfCall } from './event-of-call.ts';
import { followPlayer } from './follow-player.ts';
import { followSearches, followUser } from './follow-queries.ts';
import { forgetKept } from './forget-kept.ts';
import { createOutbox } from './outbox.ts';

type Options = { queries: QueryClient; player: Player; appVersion: string };

const sessionStart: Told = { name: 'Session Start', fields: {} };
const sessionEnd: Told = { name: 'Session End', fields: {} };

/** Reads the product's own seams from now on, and what they still hold of the time before. */
export function startAnalytics({ queries, player, appVersion }: Options): void {
  if (isAnalyticsOff()) attempt(() => forgetKept(localStorage));
  let user: User | null = null;
  let isChoiceUnknown = false;
  const isAllowed = () => !isChoiceUnknown && !isAnalyticsOff();
  const outbox = createOutbox({
    isAllowed,
    loadClient: async () =>
      (await import('./mixpanel-client.ts')).createMixpanelClient(boot.mixpanel, isAllowed),
    log: (message, cause) => console.warn(message, cause),
  });

  /** A no that the member said on another device holds here too. */
  async function askMember(): Promise<void> {
    try {
      keepAnalyticsChoice((await call('GET /api/me/preferences')).analytics);
      isChoiceUnknown = false;
    } catch {
      isChoiceUnknown = true;
    }
  }

  function setUser(next: User | null): void {
    const isNew = next !== null && next.id !== user?.id;
    user = next;
    if (next === null) isChoiceUnknown = false;
    if (isNew && !isAnalyticsOff()) outbox.holdUntil(askMember());
    outbox.setUser(next?.id ?? null);
  }

  function tell({ name, fields }: Told, at = Date.now(), isLeaving = false): void {
    const common = commonFields({ at, user, appVersion, sizes: window });
    outbox.send({ name, fields: { ...common, ...fields }, at }, { isLeaving });
  }

  const tellNow = (event: Told) => tell(event);
  followUser(queries, setUser);
  tell(sessionStart, performance.timeOrigin);
  followSearches(queries, tellNow);
  followPlayer(player, tellNow);
  receiveMoments((moment) => {
    if ('name' in moment) return tell(moment, moment.at);
    const entered = userOfCall(moment);
    if (entered) setUser(entered);
    const event = eventOfCall(moment);
    if (event) tell(event, moment.at);
  });

  window.addEventListener(PREVIEW_ENDED_EVENT, (event) => {
    // Anybody on the page can send this event; only ours says which track it was.
    const trackId = (event as CustomEvent<{ trackId: string } | null>).detail?.trackId;
    if (!trackId) return;
    tell({
      name: 'Feature Usage',
      fields: { feature: 'preview', action: 'ended', content_id: trackId, content_type: 'track' },
    });
  });
  window.addEventListener('pagehide', () => tell(sessionEnd, Date.now(), true));
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) tell(sessionStart);
  });
  onAnalyticsChoice(outbox.obeyChoice);
}
