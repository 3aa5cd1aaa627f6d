import { ArrowDown, ArrowUp, Minus } from 'lucide-react';
import type { ChartEntry } from '#contract/charts.ts';
import { describeMovement } from './chart-text.ts';

/** An arrow and how many places, or in words that it is new. */
export function MovementMark({ entry }: { entry: ChartEntry }) {
  const { kind, words } = describeMovement(entry);
  if (kind === 'new' || kind === 'back')
    return <span className="text-13 font-semibold text-text">{words}</span>;
  const Icon = { up: ArrowUp, down: ArrowDown, same: Minus }[kind];
  const colour = { up: 'text-success', down: 'text-danger', same: 'text-text-3' }[kind];
  return (
    <span className={`inline-flex items-center gap-1 text-13 font-semibold tabular ${colour}`}>
      <Icon aria-hidden className="size-4" strokeWidth={2} />
      {kind !== 'same' && <span aria-hidden>{Math.abs(entry.movement ?? 0)}</span>}
      <span className="sr-only">{words}</span>
    </span>
  );
}
