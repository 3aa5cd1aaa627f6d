import { Link } from 'wouter';

export const LegalLinks = ({ className = '' }: { className?: string }) => (
  <nav aria-label="Legal" className={`flex flex-wrap gap-x-6 text-13 text-text-3 ${className}`}>
    {['Terms', 'Privacy', 'Refunds', 'Contact'].map((name) => (
      <Link
        key={name}
        href={`/${name.toLowerCase()}`}
        className="inline-flex min-h-11 min-w-11 items-center hover:text-text"
      >
        {name}
      </Link>
    ))}
  </nav>
);
