/** Amounts as people type and read them. Text and whole cents only: no amount ever becomes a float. */

type ParsedAmount = { ok: true; amount: string } | { ok: false; message: string };

const BLANKS = /^[\s\u00a0\u202f]+|[\s\u00a0\u202f]+$/g;
const EXPECTED = 'Enter an amount, e.g. 1,250.50 or $900.';

/** The currency before the digits, behind them, or around them: `USD 900`, `900$`, `$900 USD`. */
const CURRENCIES = [/^usd\s*\$?\s*/i, /^(?:us)?\$\s*|\s*usd$/gi, /\s*\$$/];
/** One sign: at either end, brackets, or the letters that accounting systems put behind a credit and a debit. */
const MINUS = /^(?:[-\u2212]\s*(.*)|(.*?)\s*(?:[-\u2212]|cr)|\((.*)\))$/i;
const PLUS = /^(?:\+\s*(.*)|(.*?)\s*(?:\+|dr))$/i;

/** Removes one sign and the currency, in any order; the core does it in `bordereau_money::strip_sign`. */
function stripSignAndCurrency(text: string): { negative: boolean; rest: string } | undefined {
  let rest = text;
  let isNegative: boolean | undefined;
  let hasCurrency = false;
  for (let turn = 0; turn < 2; turn += 1) {
    const found = hasCurrency ? undefined : CURRENCIES.find((currency) => rest.search(currency) >= 0);
    if (found) {
      hasCurrency = true;
      rest = rest.replace(found, '');
    }
    const minus = MINUS.exec(rest);
    const sign = minus ?? PLUS.exec(rest);
    if (sign) {
      if (isNegative !== undefined) return undefined;
      isNegative = minus !== null;
      rest = (sign[1] ?? sign[2] ?? sign[3] ?? '').trim();
    }
  }
  return { negative: isNegative === true, rest };
}

/** Reads `1,250.50`, `$900`, `(42.10)`, `900 USD`; the same rules as the core's `Usd::parse_typed`. */
export function parseAmount(typed: string): ParsedAmount {
  const shown = typed.replace(BLANKS, '');
  const { negative, rest } = stripSignAndCurrency(shown) ?? { negative: false, rest: shown };
  const parts = /^(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/.exec(rest);
  const whole = parts?.[1] ?? '';
  const decimals = parts?.[2] ?? '';
  if (!parts || whole + decimals === '')
    return { ok: false, message: `“${shown.slice(0, 40)}” is not an amount. ${EXPECTED}` };
  if (decimals.replace(/0+$/, '').length > 2) {
    return {
      ok: false,
      message: `“${shown.slice(0, 40)}” has more than two decimals. Amounts are in dollars and cents.`,
    };
  }
  const digits = whole.replaceAll(',', '').replace(/^0+(?=\d)/, '') || '0';
  if (digits.length > 12) return { ok: false, message: `“${shown.slice(0, 40)}” is too large.` };
  const amount = `${digits}.${decimals.slice(0, 2).padEnd(2, '0')}`;
  return { ok: true, amount: negative && /[1-9]/.test(amount) ? `-${amount}` : amount };
}

/** `1250.5` becomes `1,250.50`, a credit `-42.10` becomes `−42.10` with a true minus. */
export function formatAmount(amount: string): string {
  const negative = amount.startsWith('-');
  const [whole = '0', decimals = ''] = amount.replace(/^-/, '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${negative ? '\u2212' : ''}${grouped}.${decimals.padEnd(2, '0')}`;
}

/** An amount outside of a column, with its currency: `$10,563.91`, a credit `−$42.10`. */
export function formatMoney(amount: string): string {
  return formatAmount(amount).replace(/^(\u2212?)/, '$1$$');
}

/** What a field shows after leaving it: the amount in order, or the text as typed when it cannot be read. */
export function normalizeAmount(typed: string): string {
  const read = parseAmount(typed);
  return read.ok ? formatAmount(read.amount).replace('\u2212', '-') : typed;
}

export function isCredit(amount: string): boolean {
  return amount.startsWith('-') && /[1-9]/.test(amount);
}

export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

function toCents(amount: string): bigint {
  const read = parseAmount(amount);
  return read.ok ? BigInt(read.amount.replace('.', '')) : 0n;
}

/** Sum of canonical amounts. */
export function addAmounts(...amounts: string[]): string {
  const sum = amounts.reduce((total, amount) => total + toCents(amount), 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(3, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** First minus second. */
export function subtractAmounts(first: string, second: string): string {
  const negated = second.startsWith('-') ? second.slice(1) : `-${second}`;
  return addAmounts(first, negated);
}
