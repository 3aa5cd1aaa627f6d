import type { BootLook } from '#contract/boot.ts';
import { findLogoSize, isWordmark } from '#contract/art/logo-size.ts';
import { boot, bootChanges } from '#web/lib/store/boot.ts';
import { useStore } from '#web/lib/store/store.ts';

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

type LogoProps = {
  isLarge?: boolean;
  className?: string;
  /** Those of the site, unless a preview shows others. */
  siteName?: string;
  logo?: BootLook['logo'];
};

/** The operator’s own logo, or the product’s mark, with the name of the site. */
export function Logo(props: LogoProps) {
  useStore(bootChanges);
  const { siteName = boot.siteName, logo = boot.look.logo } = props;
  const { isLarge = false, className = '' } = props;
  const isWord = logo !== null && isWordmark(logo);
  return (
    <span className={`inline-flex min-w-0 items-center gap-2.5 ${className}`}>
      {logo ? <i aria-hidden className="site-logo" style={findLogoSize(logo)} /> : <LogoMark />}
      <span className={isWord ? 'sr-only' : `type-logo ${isLarge ? 'md:text-[1.5rem]' : ''}`}>
        {siteName}
      </span>
    </span>
  );
}
