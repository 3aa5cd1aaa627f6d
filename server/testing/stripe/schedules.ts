import type { FakeAnswer } from '../fake-http.ts';
import { schedulePayload, type FakeSchedule } from '../stripe-payloads.ts';
import { missing, ok, refuse, type StripeAccount } from './account.ts';

export const createSchedule = (
  { findSubscription, newId, schedules }: StripeAccount,
  form: URLSearchParams,
): FakeAnswer => {
  const subscription = findSubscription(form.get('from_subscription') ?? '');
  if (!subscription) return missing;
  if (subscription.schedule)
    return refuse(400, 'invalid_request', 'The subscription has a schedule already.');
  const { price, customer, periodStart: startsAt, periodEnd: endsAt } = subscription;
  const current = { price, startsAt, endsAt };
  const schedule: FakeSchedule = {
    id: newId('sub_sched'),
    status: 'active',
    subscription: subscription.id,
    customer: customer.id,
    phases: [current],
    current,
    paymentMethod: subscription.paymentMethod,
  };
  schedules.push(schedule);
  subscription.schedule = schedule;
  return ok(schedulePayload(schedule));
};

export const updateSchedule = (
  { findSubscription, findPrice, periodEnd, queueEvent }: StripeAccount,
  schedule: FakeSchedule,
  form: URLSearchParams,
): FakeAnswer => {
  const subscription = findSubscription(schedule.subscription);
  const read = (name: string) => form.get(name) ?? '';
  const method = subscription?.customer.paymentMethod;
  if (method && method.id === form.get('default_settings[default_payment_method]')) {
    schedule.paymentMethod = method;
    return ok(schedulePayload(schedule));
  }
  const first = findPrice(read('phases[0][items][0][price]'));
  const second = findPrice(read('phases[1][items][0][price]'));
  const startsAt = Number(read('phases[0][end_date]')) * 1000;
  const isRight = read('end_behavior') === 'release' && read('proration_behavior') === 'none';
  if (!subscription || !first || !second || !startsAt || !isRight)
    return refuse(400, 'parameter_invalid', 'The phases make no sense.');
  const { startsAt: begunAt } = schedule.current;
  if (read('phases[0][start_date]') !== String(Math.floor(begunAt / 1000)))
    return refuse(
      400,
      'parameter_invalid',
      'You can not modify the start date of the current phase.',
    );
  if (first !== subscription.price)
    return refuse(400, 'parameter_invalid', 'Another price in the current phase is charged now.');
  // The request may leave out past phases, which stay.
  const over = schedule.phases.filter(({ endsAt }) => endsAt <= begunAt);
  schedule.current = { price: first, startsAt: begunAt, endsAt: startsAt };
  const next = { price: second, startsAt, endsAt: periodEnd(startsAt, second) };
  schedule.phases = [...over, schedule.current, next];
  queueEvent('subscription_schedule.updated', schedulePayload(schedule));
  return ok(schedulePayload(schedule));
};

export const release = (
  { findSubscription }: StripeAccount,
  schedule: FakeSchedule,
): FakeAnswer => {
  const subscription = findSubscription(schedule.subscription);
  if (subscription) subscription.schedule = null;
  schedule.status = 'released';
  return ok(schedulePayload(schedule));
};
