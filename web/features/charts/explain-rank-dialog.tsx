import type { Chart, ChartEntry } from '#contract/charts.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { formatDay } from '#web/lib/format.ts';
import { explainRank } from './chart-text.ts';

type WhyDialogProps = { entry: ChartEntry; chart: Chart; onClose: () => void };


/** The same numbers for anybody who asks. */
export function ExplainRankDialog({ entry, chart, onClose }: WhyDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        title={`Why number ${entry.rank}`}
        description={`${entry.track.title}, ${formatDay(chart.from)} to ${formatDay(chart.to)}`}
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
