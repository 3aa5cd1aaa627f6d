import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function Top20Page() {
  return (
    <EmptyPage
      title="Top 20"
      lead="The most played mixes of the last seven days. Every Monday the chart is kept for good."
      empty={{
        title: 'No chart yet',
        children: 'Plays are being counted. Places are given once the chart is drawn up from them.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
