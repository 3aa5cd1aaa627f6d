const count = new Intl.NumberFormat('en-ZA');

export const countMixes = (mixes: number): string =>
  `${count.format(mixes)} ${mixes === 1 ? 'mix' : 'mixes'}`;
