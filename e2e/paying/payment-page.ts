import type { Page } from '@playwright/test';
import { expect } from '../support/fixtures.ts';

/** What people do on the test provider's payment page. */

/** Chooses a card by its name. Pages that save no card offer banks too, and have another button. */
export const payWith = async (page: Page, card: string): Promise<void> => {
  await page.getByLabel(card).check();
  await page.getByRole('button', { name: /^Pay (with this card|now)$/ }).click();
};

type Bank =
  | 'Instant EFT'
  | 'Capitec Pay'
  | 'EFT that takes an hour'
  | 'EFT that doesn’t arrive'
  | 'EFT that waits for you';

/** Returns the page's address, where a payment that is on its way can be decided. */
export async function payByBank(page: Page, bank: Bank): Promise<string> {
  await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  const address = page.url();
  await payWith(page, bank);
  return address;
}

/** Pays with a card whose bank asks for a confirmation, and answers. */
export async function payWith3dSecure(
  page: Page,
  answer: 'Approve payment' | 'Decline',
  card: '3‑D Secure card' | '3‑D Secure every time' = '3‑D Secure card',
): Promise<void> {
  await payWith(page, card);
  await expect(page.getByRole('heading', { name: 'Confirm with your bank' })).toBeVisible();
  await page.getByRole('button', { name: answer }).click();
}
