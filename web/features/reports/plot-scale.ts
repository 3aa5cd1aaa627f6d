/** The values an axis is marked at: from zero, in even steps of 1, 2, 2.5 or 5 times a power of ten. */
export function chooseTicks(
  highest: number,
  { count = 5, isWhole }: { count?: number; isWhole: boolean },
): number[] {
  const rough = Math.max(highest, isWhole ? 1 : 0.01) / (count - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const step = nice.find((size) => size >= rough && (!isWhole || Number.isInteger(size))) ?? 1;
  const steps = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Every how many-th label is written, so that none touches the next. */
export function chooseLabelStep(labels: number, width: number, labelWidth: number): number {
  const room = Math.max(1, Math.floor(width / labelWidth));
  return Math.max(1, Math.ceil(labels / room));
}
