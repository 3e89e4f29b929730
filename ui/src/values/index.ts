/** One function for each way a value is written for people. */
export { addAmounts, formatAmount, formatMoney, isCredit, isZero, parseAmount, subtractAmounts } from './amount';
export { formatBytes, formatCount, pluralize } from './count';
export {
  addDays,
  explainInvalidDate,
  formatDate,
  formatLongDate,
  formatServiceText,
  formatTime,
  formatTimestamp,
  formatWhen,
  isDate,
  formatWeekdayDate,
  weekdayName,
} from './date';
export { fuzzyMatchScore, matchScore, rankMatches } from './matchScore';
export { ariaShortcut, formatShortcut } from './shortcuts';
