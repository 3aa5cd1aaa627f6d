const BARS = [9, 13, 8, 12, 10, 22, 18];

/** Seven days: five quiet bars and a tall weekend. */
function LogoMark({ className = 'h-[22px] w-[27px]' }: { className?: string }) {
  return (
    <svg viewBox="0 0 27 22" aria-hidden className={`fill-current ${className}`}>
      {BARS.map((height, day) => (
        <rect
          key={day}
          x={day * 4}
          y={22 - height}
          width={2.6}
          height={height}
          rx={0.6}
          opacity={day < 5 ? 0.62 : 1}
        />
      ))}
    </svg>
  );
}

type LogoProps = { siteName: string; isLarge?: boolean; className?: string };

export function Logo({ siteName, isLarge = false, className = '' }: LogoProps) {
  return (
    <span className={`inline-flex items-center gap-2.5 ${className}`}>
      <LogoMark />
      <span className={`type-logo ${isLarge ? 'md:text-[1.5rem]' : ''}`}>{siteName}</span>
    </span>
  );
}
