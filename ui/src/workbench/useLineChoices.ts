import { useMemo } from 'react';

import type { PickerChoice } from '../components';
import { useWorkbench } from './Workbench';

/** The lines of business for a picker, by name, code and the trade's words. */
export function useLineChoices(): PickerChoice[] {
  const { lines } = useWorkbench().reference;
  return useMemo(
    () =>
      lines.map(({ code, name, class: kind, trade_words }) => ({
        code,
        name,
        // The class is a name of the rules: `general_liability`.
        extra: kind.replaceAll('_', ' '),
        trade_words,
      })),
    [lines],
  );
}
