import type { Chart, ChartEntry } from '#contract/charts.ts';
import { Dialog, DialogContent } from '#web/ui/dialog.tsx';
import { explainPlace } from './chart-words.ts';

type WhyDialogProps = { entry: ChartEntry; chart: Chart; onClose: () => void };

const day = new Intl.DateTimeFormat('en-ZA', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const formatDay = (text: string) => day.format(Date.parse(`${text}T00:00:00Z`));

/** The same numbers for anybody who asks. */
export function WhyDialog({ entry, chart, onClose }: WhyDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        title={`Why number ${entry.rank}`}
        description={`${entry.track.title}, ${formatDay(chart.from)} to ${formatDay(chart.to)}`}
      >
        <div className="flex flex-col gap-3 text-text-2">
          {explainPlace(entry).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
