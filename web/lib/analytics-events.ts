import type { EventFields, EventName } from '#contract/analytics.ts';

/** Something of the contract that happened. */
export type AnalyticsEvent = { [N in EventName]: { name: N; fields: EventFields[N] } }[EventName];
/** A call that changed something. Only the names of what was sent: a value can be a password. */
export type ApiCall = {
  route: string;
  params: Record<string, string>;
  changedFields: string[];
  response: unknown;
};
export type AnalyticsInput = (AnalyticsEvent | ApiCall) & { at: number };

const MAX_WAITING = 100;
const waiting: AnalyticsInput[] = [];

let receive = (moment: AnalyticsInput): void => {
  if (waiting.length < MAX_WAITING) waiting.push(moment);
};

/** Tells the analytics of an event, now or once they have loaded. */
export const sendAnalyticsEvent = <N extends EventName>(name: N, fields: EventFields[N]): void =>
  receive({ name, fields, at: Date.now() } as AnalyticsInput);

export const recordApiCall = (call: ApiCall): void => receive({ ...call, at: Date.now() });

/** From now on everything goes there, beginning with what has waited. */
export function receiveAnalyticsInputs(receiver: (moment: AnalyticsInput) => void): void {
  receive = receiver;
  waiting.splice(0).forEach(receiver);
}
