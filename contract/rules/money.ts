/** `R79`, `R1 234,50`: cents to words, without zeros that say nothing. */
export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-ZA', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  })
    .formatToParts(cents / 100)
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => value)
    .join('');
}
