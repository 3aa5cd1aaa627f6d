import type { ComponentProps } from 'react';
import { Link } from 'wouter';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-pill text-center font-semibold transition-[background-color,color,box-shadow] select-none off:cursor-not-allowed off:opacity-45 [&_svg]:size-4 [&_svg]:shrink-0';

const VARIANTS = {
  primary: 'bg-action text-on-action hover:bg-action-hover',
  line: 'text-text shadow-[inset_0_0_0_1px_var(--line-strong)] hover:shadow-[inset_0_0_0_1px_var(--text)]',
  quiet: 'text-text-2 hover:text-text',
  week: 'bg-play text-on-play hover:bg-[color-mix(in_oklch,var(--play-bg)_90%,var(--text))]',
  danger: 'text-danger shadow-[inset_0_0_0_1px_var(--danger)] hover:bg-danger hover:text-bg',
};

/** A large button wraps its text where there's no room, with large text on a phone for example. */
const SIZES = {
  sm: 'min-h-11 min-w-11 px-4 text-14 whitespace-nowrap md:min-h-9',
  md: 'min-h-11 min-w-11 px-[18px] text-14 whitespace-nowrap md:min-h-10',
  lg: 'min-h-[52px] px-[26px] py-1 text-16',
};

type ButtonLook = {
  variant?: keyof typeof VARIANTS | undefined;
  size?: keyof typeof SIZES | undefined;
  isBlock?: boolean | undefined;
};

export const buttonClass = ({
  variant = 'primary',
  size = 'md',
  isBlock = false,
  className = '',
}: ButtonLook & { className?: string | undefined } = {}): string =>
  `${BASE} ${VARIANTS[variant]} ${SIZES[size]} ${isBlock ? 'w-full' : ''} ${className}`;

export type ButtonProps = ComponentProps<'button'> & ButtonLook;

export function Button({
  variant,
  size,
  isBlock,
  className,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button type={type} className={buttonClass({ variant, size, isBlock, className })} {...rest} />
  );
}

type LinkButtonProps = ComponentProps<'a'> & ButtonLook & { href: string };

/** A link that looks like a button. */
export function LinkButton({ variant, size, isBlock, className, ...rest }: LinkButtonProps) {
  return <Link className={buttonClass({ variant, size, isBlock, className })} {...rest} />;
}
