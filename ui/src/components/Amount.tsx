import { isCredit, showAmount } from '../values/amount';

/** An amount for reading: a credit has a minus, the colour and the word. */
export function Amount({ of, plain = false }: { of: string; plain?: boolean }) {
  if (plain || !isCredit(of)) return <>{showAmount(of)}</>;
  return (
    <span className="credit">
      <span className="credit-word">credit</span> {showAmount(of)}
    </span>
  );
}
