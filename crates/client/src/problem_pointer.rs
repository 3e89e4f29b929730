//! Where in a request a problem is, from whatever a service calls the place.

use bordereau_contract::FieldProblem;
use serde_json::{Map, Value};

/// Between the name of a list and how many rows it has, in the pointers of places in a list.
pub(crate) const COUNTED: &str = "/transactions of ";

/// A JSON pointer out of whatever names a field: `#/premium`, `premium`, `lines.0.premium`, `$.lines[0].premium`.
pub(crate) fn json_pointer(place: &str) -> String {
    let place = place.trim().trim_start_matches('#').trim_start_matches("$.").trim_start_matches('$');
    // A place in a list without a name is one among the transactions.
    let list = if place.starts_with('[') { "transactions" } else { "" };
    let place = format!("{list}{place}").replace('[', ".").replace(']', "");
    let place = place.as_str();
    let pointer = match place {
        "" => String::new(),
        pointer if pointer.starts_with('/') => pointer.to_owned(),
        name => format!("/{}", name.replace('.', "/")),
    };
    row_pointer(&pointer).unwrap_or(pointer)
}

/// The pointer to a row among the transactions, whatever the service calls what they are in: `/request/Transactions/1/PolicyNumber`.
fn row_pointer(pointer: &str) -> Option<String> {
    let steps: Vec<&str> = pointer.split('/').collect();
    let is_row = |pair: &[&str]| {
        pair[0].eq_ignore_ascii_case("transactions")
            && !pair[1].is_empty()
            && pair[1].bytes().all(|b| b.is_ascii_digit())
    };
    let at = steps.windows(2).position(is_row)?;
    Some(format!("/transactions/{}", steps[at + 1..].join("/")))
}

pub(crate) fn place_below(pointer: &str, problems: &mut [FieldProblem]) {
    for problem in problems {
        problem.pointer.insert_str(0, pointer);
    }
}

/// The id of a row as a pointer; empty where there is none.
pub(crate) fn id_of(row: &Map<String, Value>) -> String {
    match row.get("id") {
        Some(Value::String(id)) if !id.is_empty() => format!("/{id}"),
        Some(Value::Number(id)) => format!("/{id}"),
        _ => String::new(),
    }
}

/// Turns places of a list into pointers to the rows of a batch of `sent` rows; where the list has more or fewer, the
/// place is dropped. Places that end behind the last row and have no 0 were counted from 1.
pub(crate) fn resolve_places(problems: &mut [FieldProblem], sent: usize) {
    let places: Vec<Option<usize>> = problems.iter().map(|problem| place_of(&problem.pointer)).collect();
    let is_from_one = places.contains(&Some(sent)) && !places.contains(&Some(0));
    for (problem, place) in problems.iter_mut().zip(places) {
        if let Some(place) = place.filter(|_| is_from_one) {
            let field = problem.pointer.splitn(4, '/').nth(3).map(|field| format!("/{field}"));
            problem.pointer = format!("/transactions/{}{}", place - 1, field.unwrap_or_default());
        }
    }
    for problem in problems {
        let Some((count, place)) =
            problem.pointer.strip_prefix(COUNTED).and_then(|rest| rest.split_once('/'))
        else {
            continue;
        };
        let field = || place.split_once('/').map(|(_, field)| format!("/{field}")).unwrap_or_default();
        problem.pointer = if count == sent.to_string() { format!("/transactions/{place}") } else { field() };
    }
}

/// Which of the transactions a pointer leads to.
fn place_of(pointer: &str) -> Option<usize> {
    pointer.strip_prefix("/transactions/")?.split('/').next()?.parse().ok()
}

/// Turns numbers of rows, where no row has that number as its id, into places among the transactions.
pub(crate) fn place_by_number(problems: &mut [FieldProblem], is_id: impl Fn(&str) -> bool, sent: usize) {
    for problem in problems {
        let Some(rest) = problem.pointer.strip_prefix('/') else { continue };
        let number = rest.split('/').next().unwrap_or_default();
        let is_place = number.parse::<usize>().is_ok_and(|place| place <= sent);
        if is_place && !is_id(number) {
            problem.pointer.insert_str(0, "/transactions");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_numbers_lead_to_the_rows_that_were_sent() {
        let cases: &[(&[&str], &[&str])] = &[
            (&["/3/premium", "/0"], &["/transactions/3/premium", "/transactions/0"]),
            // An id of a row is one, whatever it looks like.
            (&["/7/premium"], &["/7/premium"]),
            (&["/99", "/premium", ""], &["/99", "/premium", ""]),
            // Counted from 1: the last of ten rows is 10.
            (
                &["/transactions/10/premium", "/transactions/2"],
                &["/transactions/9/premium", "/transactions/1"],
            ),
            (&["/transactions/10", "/transactions/0"], &["/transactions/10", "/transactions/0"]),
            (&["/transactions/2"], &["/transactions/2"]),
        ];
        for (pointers, expected) in cases {
            let problem = |pointer: &&str| FieldProblem { pointer: (*pointer).into(), detail: String::new() };
            let mut problems: Vec<_> = pointers.iter().map(problem).collect();
            place_by_number(&mut problems, |number| number == "7", 10);
            resolve_places(&mut problems, 10);
            let found: Vec<&str> = problems.iter().map(|problem| problem.pointer.as_str()).collect();
            assert_eq!(found, *expected, "{pointers:?}");
        }
    }
}
