import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { InvoiceSheet } from './invoice-sheet.tsx';

it('an invoice has the dates of the site, whoever reads it', () => {
  const html = renderToStaticMarkup(
    <InvoiceSheet
      invoice={{
        id: 'i',
        number: 'W-2026-0007',
        at: Date.UTC(2026, 10, 6, 23),
        plan: 'monthly',
        from: Date.UTC(2026, 10, 6, 23),
        to: Date.UTC(2026, 11, 6, 23),
        amount: 79_00,
        refunded: 0,
        currency: 'ZAR',
        card: null,
        status: 'paid',
        seller: 'Weekender',
        buyer: { username: 'Lerato', email: 'lerato@example.com' },
      }}
    />,
  );
  // Unit tests have no page, so the site's time zone is UTC.
  expect(html).toContain('W-2026-0007</b>6 November 2026');
  expect(html).toContain('6 November 2026 to 6 December 2026');
});
