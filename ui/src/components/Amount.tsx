import { formatAmount, formatMoney, isCredit } from '../values';

interface Props {
  value: string;
  plain?: boolean;
  /** Outside of a column of amounts: with the dollar sign. */
  standalone?: boolean;
}

/** An amount for reading: a credit has a minus, the color, and the word. */
export function Amount({ value, plain = false, standalone = false }: Props) {
  const text = standalone ? formatMoney(value) : formatAmount(value);
  if (plain || !isCredit(value)) return <>{text}</>;
  return (
    <span className="credit">
      <span className="credit-word">credit</span> {text}
    </span>
  );
}
