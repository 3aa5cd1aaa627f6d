import { boot } from './boot.ts';

const moments = new Intl.DateTimeFormat('en-ZA', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: boot.timeZone,
});
const days = new Intl.DateTimeFormat('en-ZA', { dateStyle: 'medium', timeZone: boot.timeZone });

/** In the site's time zone, wherever whoever runs it is. */
export const formatMoment = (time: number): string => moments.format(time);
export const formatDay = (time: number): string => days.format(time);
