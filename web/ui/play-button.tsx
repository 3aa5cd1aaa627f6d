import { Pause, Play } from './icons.ts';
import type { ComponentProps } from 'react';

const SIZES = {
  sm: 'size-11 md:size-9',
  md: 'size-11',
  lg: 'size-[60px]',
  xl: 'size-[60px] md:size-[76px]',
};

type PlayButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  label: string;
  isPlaying?: boolean;
  size?: keyof typeof SIZES;
  /** A ring in the icon's colour, or the disc would vanish on a sleeve of its own week. */
  isOnSleeve?: boolean | undefined;
};

/** Round, in the week's colour. In the light theme it is dark with a coloured icon. */
export function PlayButton({
  label,
  isPlaying,
  size = 'md',
  isOnSleeve = false,
  className = '',
  ...rest
}: PlayButtonProps) {
  const Icon = isPlaying ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={label}
      className={`inline-grid shrink-0 place-items-center rounded-pill bg-play text-on-play transition-transform duration-(--t-2) hover:scale-105 disabled:opacity-45 disabled:hover:scale-100 [&_svg]:size-[44%] [&_svg]:fill-current ${SIZES[size]} ${isOnSleeve ? 'ring-3 ring-on-play' : ''} ${className}`}
      {...rest}
    >
      <Icon strokeWidth={1} />
    </button>
  );
}
