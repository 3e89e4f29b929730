//! Amounts as whole numbers, for sums and order inside of the index: hundredths of a cent.

use bordereau_money::Usd;

/// Decimals kept.
const DECIMALS: u32 = 4;

/// The amount in hundredths of a cent; what has more decimals is rounded half up. The record itself keeps the
/// amount as it came.
pub(super) fn to_units(amount: Usd) -> i64 {
    let exact = amount.as_decimal();
    let (mantissa, scale) = (exact.mantissa(), exact.scale());
    let whole = if scale <= DECIMALS {
        mantissa.saturating_mul(10_i128.pow(DECIMALS - scale))
    } else {
        let part = 10_i128.saturating_pow(scale - DECIMALS);
        (mantissa + part / 2 * mantissa.signum()) / part
    };
    i64::try_from(whole).unwrap_or(if whole < 0 { i64::MIN } else { i64::MAX })
}

/// As text in USD: `1250.50`; cents at least, hundredths of them only where there are some.
pub(super) fn format_units(units: i128) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let size = units.unsigned_abs();
    let (dollars, rest) = (size / 10_000, size % 10_000);
    match rest % 100 {
        0 => format!("{sign}{dollars}.{:02}", rest / 100),
        _ => format!("{sign}{dollars}.{rest:04}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_come_back_as_they_went() {
        let cases = [
            ("0", 0, "0.00"),
            ("1250.5", 12_505_000, "1250.50"),
            ("-0.07", -700, "-0.07"),
            ("0.0001", 1, "0.0001"),
            ("2.00005", 20_001, "2.0001"),
            ("-2.00005", -20_001, "-2.0001"),
        ];
        for (amount, expected, shown) in cases {
            let found = to_units(Usd::parse(amount).unwrap());
            assert_eq!((found, format_units(found.into()).as_str()), (expected, shown), "{amount}");
        }
    }
}
