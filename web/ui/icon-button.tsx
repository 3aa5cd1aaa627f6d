import type { ComponentProps } from 'react';

const SIZES = {
  md: 'size-11 md:size-10 [&_svg]:size-5',
  sm: 'size-11 md:size-9 [&_svg]:size-[18px]',
};

type IconButtonLook = {
  size?: keyof typeof SIZES | undefined;
  className?: string | undefined;
};

/** Round: 44 px for touch, 40 px for a mouse. Filled in the week's colour when pressed. */
export const iconButtonClass = ({ size = 'md', className = '' }: IconButtonLook = {}): string =>
  `inline-grid shrink-0 place-items-center rounded-pill text-text-2 transition-colors hover:bg-raised hover:text-text disabled:cursor-not-allowed disabled:opacity-45 disabled:hover:bg-transparent pressed-week ${SIZES[size]} ${className}`;

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> &
  Pick<IconButtonLook, 'size'> & {
    /** For screen readers: the button only shows an icon. */
    label: string;
  };

export function IconButton({ label, size, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      className={iconButtonClass({ size, className })}
      {...rest}
    />
  );
}
