import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function Top20Page() {
  return (
    <EmptyPage
      title="Top 20"
      lead="The most played mixes of the last seven days. Every Monday the chart is kept for good."
      empty={{
        title: 'The chart is empty',
        children: 'Places are given once mixes have been played. Nothing has been played yet.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
