import { isCredit, formatAmount } from '../values/amount';

/** An amount for reading: a credit has a minus, the colour and the word. */
export function Amount({ value, plain = false }: { value: string; plain?: boolean }) {
  if (plain || !isCredit(value)) return <>{formatAmount(value)}</>;
  return (
    <span className="credit">
      <span className="credit-word">credit</span> {formatAmount(value)}
    </span>
  );
}
