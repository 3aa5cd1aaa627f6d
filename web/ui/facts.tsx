import { Children, type ReactNode } from 'react';

/** Between two facts, with some room around it. */
export const Dot = () => <span className="px-[0.2em]"> · </span>;

/** `Amapiano · 113 BPM · 59:27`: one child for each fact. */
export const Facts = ({ children }: { children: ReactNode }) =>
  Children.toArray(children).map((fact, index) => (
    <span key={index}>
      {index > 0 && <Dot />}
      {fact}
    </span>
  ));
