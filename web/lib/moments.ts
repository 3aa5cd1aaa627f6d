import type { EventFields, EventName } from '#contract/analytics.ts';

/** Something of the contract that happened. */
export type Told = { [N in EventName]: { name: N; fields: EventFields[N] } }[EventName];
/** A call that changed something. Only the names of what was sent: a value can be a password. */
export type Call = {
  route: string;
  params: Record<string, string>;
  changed: string[];
  answer: unknown;
};
export type Moment = (Told | Call) & { at: number };

const MOST_WAITING = 100;
const waiting: Moment[] = [];

let receive = (moment: Moment): void => {
  if (waiting.length < MOST_WAITING) waiting.push(moment);
};

/** Tells the analytics of an event, now or once they have loaded. */
export const noteEvent = <N extends EventName>(name: N, fields: EventFields[N]): void =>
  receive({ name, fields, at: Date.now() } as Moment);

export const noteCall = (call: Call): void => receive({ ...call, at: Date.now() });

/** From now on everything goes there, beginning with what has waited. */
export function receiveMoments(receiver: (moment: Moment) => void): void {
  receive = receiver;
  waiting.splice(0).forEach(receiver);
}
