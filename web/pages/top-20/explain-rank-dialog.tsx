import type { Chart, ChartEntry } from '#contract/charts.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { formatDay } from '#web/lib/format/format.ts';
import { explainRank } from '#web/features/charts/chart-text.ts';

type ExplainRankDialogProps = { entry: ChartEntry; chart: Chart; onClose: () => void };

/** Shows everyone the same calculation. */
export function ExplainRankDialog({ entry, chart, onClose }: ExplainRankDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        title={`Why is it number ${entry.rank}?`}
        description={`${entry.track.title}, ${formatDay(chart.from)} – ${formatDay(chart.to)}`}
      >
        <div className="flex flex-col gap-3 text-text-2">
          {explainRank(entry).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
