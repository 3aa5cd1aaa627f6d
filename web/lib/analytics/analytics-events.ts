import type { EventFields, EventName } from '#contract/analytics.ts';

export type AnalyticsEvent = { [N in EventName]: { name: N; fields: EventFields[N] } }[EventName];
/** An API call that changed something. Only field names: a value can be a password. */
export type ApiCall = {
  route: string;
  params: Record<string, string>;
  changedFields: string[];
  response: unknown;
};
export type AnalyticsInput = (AnalyticsEvent | ApiCall) & { at: number };

const MAX_WAITING = 100;
const waiting: AnalyticsInput[] = [
  { name: 'Session Start', fields: {}, at: performance.timeOrigin },
];

let receive = (input: AnalyticsInput): void => {
  if (waiting.length < MAX_WAITING) waiting.push(input);
};

/** Sends an event, or queues it until the analytics code has loaded. */
export const sendAnalyticsEvent = <N extends EventName>(name: N, fields: EventFields[N]): void =>
  recordEvent({ name, fields } as AnalyticsEvent);

export const recordEvent = (event: AnalyticsEvent): void => receive({ ...event, at: Date.now() });

export const recordApiCall = (call: ApiCall): void => receive({ ...call, at: Date.now() });

/** Everything goes to this receiver from now on, starting with the queued inputs. */
export function receiveAnalyticsInputs(receiver: (input: AnalyticsInput) => void): void {
  receive = receiver;
  takeWaitingInputs().forEach(receiver);
}

/** For a page that is left before there is a receiver. */
export const takeWaitingInputs = (): AnalyticsInput[] => waiting.splice(0);
