import { buttonClass } from '#web/ui/button.tsx';
import { Download } from '#web/ui/icons.ts';

/** Downloads what the page shows as a table. */
export const CsvLink = ({ href }: { href: string }) => (
  <a href={href} download className={buttonClass({ variant: 'line' })}>
    <Download />
    CSV
  </a>
);
