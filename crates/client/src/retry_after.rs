//! How long a service asks to wait (contract section 7).

use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The longest pause that is taken for one: a service may name years.
const PAUSE_MAX: Duration = Duration::from_secs(24 * 3600);

/// `Retry-After`, at most a day: seconds, or a date. A date is compared with the service's own `Date`, so that a wrong
/// clock on this machine does not matter.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Some(seconds) = text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0) {
        return Some(Duration::try_from_secs_f64(seconds.ceil()).unwrap_or(PAUSE_MAX).min(PAUSE_MAX));
    }
    let at = http_date(text)?;
    let now = headers.get(DATE).and_then(|date| http_date(date.to_str().ok()?)).unwrap_or_else(Utc::now);
    Some(at.signed_duration_since(now).to_std().unwrap_or_default().min(PAUSE_MAX))
}

fn http_date(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc2822(text).ok().map(|at| at.to_utc())
}

/// Without `Retry-After`: until the next minute begins [spec, section 7], by this machine's clock.
pub(crate) fn next_minute() -> Duration {
    let into_minute = Utc::now().timestamp().rem_euclid(60);
    Duration::from_secs(60 - into_minute.unsigned_abs().min(59))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_as_seconds_or_date() {
        for (value, date, expected) in [
            ("7", None, Some(7)),
            (" 0 ", None, Some(0)),
            ("2.5", None, Some(3)),
            ("Fri, 20 Nov 2026 10:00:30 GMT", Some("Fri, 20 Nov 2026 10:00:00 GMT"), Some(30)),
            ("Fri, 20 Nov 2026 09:59:00 GMT", Some("Fri, 20 Nov 2026 10:00:00 GMT"), Some(0)),
            ("99999999999", None, Some(86_400)),
            ("Fri, 20 Nov 2099 10:00:00 GMT", Some("Fri, 20 Nov 2026 10:00:00 GMT"), Some(86_400)),
            ("soon", None, None),
            ("-5", None, None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, value.parse().expect("a header"));
            if let Some(date) = date {
                headers.insert(DATE, date.parse().expect("a header"));
            }
            assert_eq!(retry_after(&headers).map(|wait| wait.as_secs()), expected, "{value}");
        }
        assert!((1..=60).contains(&next_minute().as_secs()));
    }
}
