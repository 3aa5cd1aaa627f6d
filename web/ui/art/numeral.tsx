import type { CSSProperties } from 'react';

type NumeralProps = {
  /** A week number, a rank or a price. */
  value: number | string;
  /** Font size in CSS: `clamp(15rem, 34vw, 31rem)`. */
  size: string;
  /** Where the number is also written in words nearby, it is only a picture. */
  isDecorative?: boolean;
  className?: string;
};

/** The hero of every music screen. Trimmed to its real edges, so it aligns with its neighbours. */
export function Numeral({ value, size, isDecorative, className = '' }: NumeralProps) {
  const style: CSSProperties = { fontSize: size };
  return (
    <span
      className={`type-numeral block ${className}`}
      style={style}
      {...(isDecorative && { 'aria-hidden': true })}
    >
      {value}
    </span>
  );
}
