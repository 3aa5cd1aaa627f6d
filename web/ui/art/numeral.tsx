import type { CSSProperties } from 'react';

type NumeralProps = {
  /** A week number, a rank or a price. */
  value: number | string;
  /** Font size in CSS: `clamp(15rem, 34vw, 31rem)`. */
  size: string;
  /** Hides it from screen readers where the number is also in the text nearby. */
  isDecorative?: boolean;
  className?: string;
};

/** The large number of a screen. Trimmed to its visible edges, so that it aligns. */
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
