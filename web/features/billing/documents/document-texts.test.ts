import { expect, it } from 'vitest';
import { describeCard } from './document-texts.ts';

it('a card shows only its last four digits', () => {
  expect(describeCard({ brand: 'Visa', last4: '4081', expiryMonth: 8, expiryYear: 2029 })).toBe(
    'Visa ending in 4081, expires 08/29',
  );
});
