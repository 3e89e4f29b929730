//! Number formats that say what a number is of: percent, or another currency than the US dollar. A file of text has
//! `4.85%` and `€1,000` where a workbook has 0.0485 and 1000 and a format.

/// Formats of percent that older workbooks name by their numbers alone.
pub(crate) const BUILT_IN_PERCENT: [(u16, &str); 2] = [(9, "0%"), (10, "0.00%")];

/// What a format says the number is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnitFormat {
    Percent,
    /// The symbol or code that is shown.
    Currency(Box<str>),
}

impl UnitFormat {
    /// The unit of a format's code, where it has one. An XML spreadsheet names some formats by words.
    pub(crate) fn parse(code: &str) -> Option<UnitFormat> {
        match code {
            "Percent" => return Some(UnitFormat::Percent),
            "Euro Currency" => return Some(UnitFormat::Currency("€".into())),
            _ => {}
        }
        let section = code.split(';').next()?;
        let (mut rest, mut is_quoted) = (section, false);
        while let Some(char) = rest.chars().next() {
            let behind = &rest[char.len_utf8()..];
            rest = match char {
                '"' => {
                    is_quoted = !is_quoted;
                    behind
                }
                '€' | '£' | '¥' => return Some(UnitFormat::Currency(char.to_string().into())),
                _ if is_quoted => behind,
                '%' => return Some(UnitFormat::Percent),
                // What follows is shown as it is, or is as wide as it.
                '\\' | '_' | '*' => behind.get(behind.chars().next().map_or(0, char::len_utf8)..)?,
                '[' => {
                    let (bracket, behind) = behind.split_once(']')?;
                    let symbol = bracket.strip_prefix('$').and_then(|money| money.split('-').next());
                    if let Some(currency) = symbol.and_then(UnitFormat::of_currency) {
                        return Some(currency);
                    }
                    behind
                }
                _ => behind,
            };
        }
        None
    }

    /// That of a currency's symbol or code: none for US dollars, or for nothing, as in `[$-409]`, a language alone.
    pub(crate) fn of_currency(symbol: impl AsRef<str>) -> Option<UnitFormat> {
        let symbol = symbol.as_ref().trim();
        (!matches!(symbol, "" | "$" | "US$" | "USD")).then(|| UnitFormat::Currency(symbol.into()))
    }

    /// What is shown of a number.
    pub(crate) fn shown(&self, stored: &str) -> Option<String> {
        match self {
            UnitFormat::Percent => Some(format!("{}%", times_hundred(stored)?)),
            UnitFormat::Currency(symbol) => Some(format!("{symbol} {stored}")),
        }
    }
}

/// A hundred times a decimal number, with no more digits than it has.
fn times_hundred(stored: &str) -> Option<String> {
    let (sign, digits) = stored.strip_prefix('-').map_or(("", stored), |digits| ("-", digits));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let is_decimal = whole.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit());
    if !is_decimal || whole.is_empty() {
        return None;
    }
    let decimals = format!("{decimals:0<2}");
    let (moved, left) = decimals.split_at(2);
    let whole = format!("{whole}{moved}");
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let left = left.trim_end_matches('0');
    let point = if left.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{left}"))
}

#[cfg(test)]
mod tests {
    use super::UnitFormat;

    #[test]
    fn percent_and_other_currencies_are_shown() {
        // Format, number, what is shown.
        let cases = [
            ("0.00%", "0.0485", Some("4.85%")),
            ("0%", "1", Some("100%")),
            ("Percent", "0.5", Some("50%")),
            ("Euro Currency", "7", Some("€ 7")),
            ("Currency", "7", None),
            ("0.0%;[Red]-0.0%", "-0.5", Some("-50%")),
            ("0.000%", "0.00075", Some("0.075%")),
            ("0%", "0", Some("0%")),
            ("0%", "1.5", Some("150%")),
            ("0%", "1e3", None),
            ("[$€-407] #,##0.00", "1000.5", Some("€ 1000.5")),
            ("_-* #,##0.00 [$€-1]_-;-* #,##0.00 [$€-1]_-", "7", Some("€ 7")),
            ("[$CAD] #,##0.00", "7", Some("CAD 7")),
            ("[$£-809]#,##0.00", "7", Some("£ 7")),
            ("\"£\"#,##0", "7", Some("£ 7")),
            ("[$$-409]#,##0.00", "7", None),
            ("[$USD] #,##0.00", "7", None),
            ("[$-409]mmm d", "7", None),
            ("_($* #,##0.00_);_($* (#,##0.00);_($* \"-\"??_)", "7", None),
            ("0\" % of it\"", "7", None),
            ("0\\%", "7", None),
            ("#,##0.00", "7", None),
            ("[Red]0.00", "7", None),
            ("[$€", "7", None),
            ("General", "7", None),
            ("\\", "7", None),
        ];
        for (code, stored, shown) in cases {
            let found = UnitFormat::parse(code).and_then(|format| format.shown(stored));
            assert_eq!(found.as_deref(), shown, "{code} {stored}");
        }
    }
}
