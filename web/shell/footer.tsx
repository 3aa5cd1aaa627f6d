import { useState } from 'react';
import { formatTime } from '#web/lib/format/format.ts';
import { boot } from '#web/lib/store/boot.ts';
import { LegalLinks } from './legal-links.tsx';

/** The end of every page. It loads after the heading, because it starts below the screen. */
export const Footer = () => (
  <footer className="border-t border-line px-gutter pt-2 pb-[calc(var(--dock)+var(--note,0px)+0.5rem)]">
    <LegalLinks />
    <ZoneNote />
  </footer>
);

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Tells readers in another time zone that pages use the site's. */
function ZoneNote() {
  const [isElsewhere] = useState(() => {
    const now = new Date();
    return (
      formatTime(now.getTime()) !== [now.getHours(), now.getMinutes()].map(twoDigits).join(':')
    );
  });
  if (!isElsewhere) return null;
  const place = boot.timeZone.split('/').at(-1)?.replaceAll('_', ' ');
  return (
    <p className="pb-3 text-13 text-text-3">
      All times are {place === 'UTC' ? place : `${place} time`}.
    </p>
  );
}
