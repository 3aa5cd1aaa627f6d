import { cva, type VariantProps } from 'class-variance-authority';
import { Pause, Play } from './icons.ts';
import type { ComponentProps } from 'react';

const playButtonClass = cva(
  'inline-grid shrink-0 place-items-center rounded-pill bg-play text-on-play transition-transform duration-(--t-2) hover:scale-105 disabled:opacity-45 disabled:hover:scale-100 [&_svg]:size-[44%] [&_svg]:fill-current',
  {
    variants: {
      size: {
        sm: 'size-11 md:size-9',
        md: 'size-11',
        lg: 'size-[60px]',
        xl: 'size-[60px] md:size-[76px]',
      },
      /** A ring in the icon's colour, or the disc would vanish on a sleeve of its own week. */
      isOnSleeve: { true: 'ring-3 ring-on-play' },
    },
    defaultVariants: { size: 'md' },
  },
);

type PlayButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> &
  VariantProps<typeof playButtonClass> & { label: string; isPlaying?: boolean };

/** Round, in the week's colour. In the light theme it is dark with a coloured icon. */
export function PlayButton({
  label,
  isPlaying,
  size,
  isOnSleeve,
  className,
  ...rest
}: PlayButtonProps) {
  const Icon = isPlaying ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={label}
      className={playButtonClass({ size, isOnSleeve, className })}
      {...rest}
    >
      <Icon strokeWidth={1} />
    </button>
  );
}
