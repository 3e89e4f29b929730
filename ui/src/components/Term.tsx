import { type ReactNode, Suspense } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';

import { lazyNamed } from './lazyNamed';

// Loads the glossary, which is not needed before someone hovers over a word.
const Meaning = lazyNamed(() => import('./TermMeaning'), 'TermMeaning');

interface Props {
  /** The glossary's word, where the text is another form of it. */
  word?: string;
  children: ReactNode;
}

/** A word of the trade: resting on it with the pointer or the keyboard shows what the glossary says. */
export function Term({ word, children }: Props) {
  const key = word ?? (typeof children === 'string' ? children : '');
  return (
    <TooltipTrigger delay={400} closeDelay={100}>
      <Button className="term">{children}</Button>
      <Tooltip className="floating term-meaning" offset={6}>
        <Suspense fallback={null}>
          <Meaning word={key} />
        </Suspense>
      </Tooltip>
    </TooltipTrigger>
  );
}
