import { createElement, type ComponentType, type SVGProps } from 'react';

type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'>;
export type IconComponent = ComponentType<IconProps>;

/** A path drawn with the text colour on a grid of 24 by 24. Hidden from screen readers: buttons have labels. */
export const createIcon = (path: string): IconComponent => {
  const shape = createElement('path', { d: path });
  return function LineIcon(props) {
    return createElement(
      'svg',
      {
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 1.75,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': true,
        ...props,
      },
      shape,
    );
  };
};
