import { Link } from 'wouter';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { boot } from '#web/lib/store/boot.ts';

export function LegalLinks({ className = '' }: { className?: string }) {
  const { user } = useCurrentUser();
  const { about } = boot.look;
  const hasAbout = about === 'everyone' || (about === 'members' && user !== null);
  return (
    <nav aria-label="Legal" className={`flex flex-wrap gap-x-6 text-13 text-text-3 ${className}`}>
      {[...(hasAbout ? ['About'] : []), 'Terms', 'Privacy', 'Refunds', 'Contact', 'Copyright'].map(
        (name) => (
          <Link
            key={name}
            href={`/${name.toLowerCase()}`}
            className="inline-flex min-h-11 min-w-11 items-center hover:text-text"
          >
            {name}
          </Link>
        ),
      )}
    </nav>
  );
}
