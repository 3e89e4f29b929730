//! Words that are not used here, in names and in sentences: the list behind `docs/glossary.md`.

/// Participles and verbs of speech or of the hand that end neither in -ed nor in -ing.
const IRREGULAR: &[&str] = &[
    "begun",
    "bought",
    "broken",
    "brought",
    "built",
    "chosen",
    "cut",
    "done",
    "drawn",
    "driven",
    "forgotten",
    "found",
    "given",
    "heard",
    "held",
    "kept",
    "known",
    "laid",
    "left",
    "lent",
    "lost",
    "made",
    "meant",
    "paid",
    "put",
    "read",
    "said",
    "seen",
    "sent",
    "set",
    "shown",
    "sold",
    "split",
    "taken",
    "told",
    "unread",
    "written",
];

/// Nouns of the field or of engineering that look like participles.
const NOUNS: &[&str] = &[
    "binding", "billing", "embed", "encoding", "feed", "filing", "finding", "grouping", "heading", "listing",
    "mapping", "need", "nothing", "padding", "pricing", "rounding", "seed", "set", "setting", "speed",
    "spacing", "string", "testing", "thing", "timing", "warning", "wording",
];

/// Whether a name is one word that says what was done and not to what: `Kept`, `Asked`, `Arriving`.
pub fn is_bare_participle(name: &str) -> bool {
    let word = name.to_ascii_lowercase();
    let is_one_word = words_of(name).len() == 1 && !name.contains('_');
    let looks_so = word.ends_with("ed") || word.ends_with("ing") || IRREGULAR.contains(&word.as_str());
    is_one_word && looks_so && !NOUNS.contains(&word.as_str())
}

/// Humps of a name: `HttpClient2` has two, `TaxURL` two.
pub fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let after_small = at > 0 && !letters[at - 1].is_ascii_uppercase();
        let before_small = letters.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let begins = letter.is_ascii_uppercase() && (after_small || before_small);
        match words.last_mut() {
            Some(word) if !begins => word.push(*letter),
            _ => words.push(letter.to_string()),
        }
    }
    words
}

/// British spellings: the whole word, or its beginning where a hyphen stands at the end.
const BRITISH: &[&str] = &[
    "ageing",
    "amongst",
    "artefact",
    "artefacts",
    "behaviour-",
    "cancelled",
    "cancelling",
    "catalogue",
    "catalogues",
    "centre",
    "centred",
    "centres",
    "cheque",
    "cheques",
    "colour-",
    "defence",
    "endeavour-",
    "enrol",
    "favour-",
    "flavour-",
    "fulfil",
    "fulfils",
    "grey",
    "harbour-",
    "honour-",
    "instalment-",
    "judgement-",
    "labelled",
    "labelling",
    "labour-",
    "learnt",
    "levelled",
    "licence-",
    "modelled",
    "modelling",
    "neighbour-",
    "offence",
    "practise-",
    "programme",
    "programmes",
    "signalled",
    "signalling",
    "spelt",
    "telephone-",
    "totalled",
    "totalling",
    "travelled",
    "travelling",
    "whilst",
];

/// Stems of British -ise and -yse.
const BRITISH_ISE: &[&str] = &[
    "anonymis",
    "apologis",
    "authoris",
    "capitalis",
    "categoris",
    "centralis",
    "customis",
    "emphasis",
    "finalis",
    "formalis",
    "generalis",
    "initialis",
    "itemis",
    "localis",
    "maximis",
    "memoris",
    "minimis",
    "neutralis",
    "normalis",
    "optimis",
    "organis",
    "prioritis",
    "randomis",
    "realis",
    "recognis",
    "sanitis",
    "serialis",
    "specialis",
    "standardis",
    "summaris",
    "synchronis",
    "tokenis",
    "utilis",
    "visualis",
    "analys",
];

const ISE_ENDINGS: &[&str] = &["e", "ed", "er", "ers", "ing", "ation", "ations"];

/// Phrases of no American office and no American engineer: in sentences on screen, in comments and in documents.
const PHRASES: &[&str] = &[
    "anew",
    "a defect of ours",
    "by itself alone",
    "did not take it",
    "diligent form",
    "diligent forms",
    "for ever",
    "hear of",
    "heard of",
    "in our words",
    "is at it",
    "is being begun",
    "is no day of",
    "it is under way",
    "leads nowhere else",
    "left out",
    "make trouble",
    "no longer follow",
    "nothing can be said",
    "of ours",
    "on its way",
    "reckon",
    "reckoned",
    "reckoning",
    "shelf",
    "stands",
    "take back",
    "take it back",
    "taken in",
    "takes back",
    "takes it back",
    "taken back",
    "the trouble is",
    "told of",
    "took in",
    "turn around",
    "twins",
    "under way",
    "was not taken",
    "the desk's own",
    "wants changed",
];

/// The British spellings in a line, names in code included.
pub fn british_spellings(line: &str) -> Vec<String> {
    line.split(|c: char| !c.is_ascii_alphabetic())
        .filter(|run| run.len() > 3)
        .flat_map(words_of)
        .map(|word| word.to_ascii_lowercase())
        .filter(|word| is_british(word))
        .collect()
}

fn is_british(word: &str) -> bool {
    let listed = BRITISH.iter().any(|entry| match entry.strip_suffix('-') {
        Some(stem) => word.starts_with(stem),
        None => word == *entry,
    });
    let ends_so = |stem: &str| word.strip_prefix(stem).is_some_and(|end| ISE_ENDINGS.contains(&end));
    listed || BRITISH_ISE.iter().any(|stem| ends_so(stem))
}

/// The banned phrases in a line.
pub fn banned_phrases(line: &str) -> Vec<&'static str> {
    let line = line.to_ascii_lowercase();
    PHRASES
        .iter()
        .flat_map(|phrase| line.match_indices(phrase).map(move |(at, _)| (at, *phrase)))
        .filter(|(at, phrase)| {
            let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let (before, after) = (&line[..*at], &line[at + phrase.len()..]);
            !before.ends_with(is_letter) && !after.starts_with(is_letter)
        })
        .map(|(_, phrase)| phrase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_participles_are_told_from_nouns() {
        for name in ["Kept", "Asked", "Arriving", "heard", "Said", "Found"] {
            assert!(is_bare_participle(name), "{name}");
        }
        for name in ["Quote", "Filing", "KeptRow", "Feed", "ParsedEvent", "mapping", "string", "due_dates"] {
            assert!(!is_bare_participle(name), "{name}");
        }
    }

    #[test]
    fn british_spellings_are_found_in_words_and_names() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("The licence was cancelled.", &["licence", "cancelled"]),
            ("fn without_colour(line: &str)", &["colour"]),
            ("error.notAuthorised('x')", &["authorised"]),
            ("not_authorised, sanitising, neutralised, analyse", &["authorised", "sanitising", "neutralised", "analyse"]),
            ("emphasis, an optimistic guess, analyses, license, canceled, aria-labelledby", &[]),
            ("organizes, realistic, cancellation, exercise, promise", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(british_spellings(line), *expected, "{line}");
        }
    }

    #[test]
    fn banned_phrases_are_whole_words() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("Subscribe anew", &["anew"]),
            ("A defect of ours stands beside it.", &["a defect of ours", "of ours", "stands"]),
            ("of course, understands, standstill, renewal", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(banned_phrases(line), *expected, "{line}");
        }
    }
}
