//! How long a service asks to wait (contract section 7).

use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The longest pause that is taken for one: a service may name years.
const PAUSE_MAX: Duration = Duration::from_secs(24 * 3600);

/// Headers of gateways: seconds, or seconds since 1970.
const RESETS: [&str; 2] = ["ratelimit-reset", "x-ratelimit-reset"];
/// A number of seconds from here on is one since 1970: the year 2001.
const EPOCH_SECONDS_MIN: f64 = 1e9;

/// `Retry-After`, at most a day: seconds, or a date. A point in time is compared with the service's own `Date`, so that
/// a wrong clock on this machine does not matter.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = header_text(headers, RETRY_AFTER.as_str())?;
    text.parse().ok().and_then(pause_of).or_else(|| http_date(text).map(|at| pause_until(at, headers)))
}

/// When the limit of requests starts over, as gateways say it. Many say it in every answer: it counts where the limit
/// was reached.
pub(crate) fn limit_reset(headers: &HeaderMap) -> Option<Duration> {
    let reset = RESETS.iter().find_map(|name| header_text(headers, name))?.parse::<f64>().ok()?;
    if reset.is_nan() || reset < EPOCH_SECONDS_MIN {
        return pause_of(reset);
    }
    DateTime::from_timestamp(reset.ceil() as i64, 0).map(|at| pause_until(at, headers))
}

fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    Some(headers.get(name)?.to_str().ok()?.trim())
}

fn pause_until(at: DateTime<Utc>, headers: &HeaderMap) -> Duration {
    let now = header_text(headers, DATE.as_str()).and_then(http_date).unwrap_or_else(Utc::now);
    at.signed_duration_since(now).to_std().unwrap_or_default().min(PAUSE_MAX)
}

fn pause_of(seconds: f64) -> Option<Duration> {
    let pause = || Duration::try_from_secs_f64(seconds.ceil()).unwrap_or(PAUSE_MAX).min(PAUSE_MAX);
    (seconds >= 0.0).then(pause)
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

    #[test]
    fn gateways_name_when_their_limit_starts_over() {
        // 2026-11-20 10:00:00 UTC.
        for (name, value, expected) in [
            ("x-ratelimit-reset", "1795168830", Some(30)),
            ("x-ratelimit-reset", "1795168799", Some(0)),
            ("ratelimit-reset", "12", Some(12)),
            ("x-ratelimit-reset", "12.2", Some(13)),
            ("x-ratelimit-reset", "9e99", None),
            ("x-ratelimit-reset", "-1", None),
            ("x-ratelimit-reset", "nan", None),
            ("x-ratelimit-remaining", "12", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(DATE, "Fri, 20 Nov 2026 10:00:00 GMT".parse().expect("a header"));
            headers.insert(name, value.parse().expect("a header"));
            assert_eq!(limit_reset(&headers).map(|wait| wait.as_secs()), expected, "{name}: {value}");
        }
    }
}
