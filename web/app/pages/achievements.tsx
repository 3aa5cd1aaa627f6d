import { Link } from 'wouter';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function AchievementsPage() {
  return (
    <EmptyPage
      title="Achievements"
      lead="Earned by listening, counted by the server."
      empty={{
        glyph: 'waiting',
        title: 'Nothing earned yet',
        children: 'Your first play earns the first one.',
        action: (
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        ),
      }}
    />
  );
}
