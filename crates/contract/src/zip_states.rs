//! The states of a ZIP code, by its first three digits.
//!
//! Source: the ranges of GeoDaCenter/opioid-policy-scan, `meta/zipRange.js`, and for 005 to 009 the "List of ZIP Code prefixes"
//! of Wikipedia, read on 2026-11-24. Prefixes of no state, such as those of the forces, and of Guam are not listed.

use crate::Jurisdiction::{self, *};

/// First and last of consecutive prefixes, and the states that have them.
const PREFIXES: &[(u16, u16, &[Jurisdiction])] = &[
    (5, 5, &[Ny]),
    (6, 7, &[Pr]),
    (8, 8, &[Vi]),
    (9, 9, &[Pr]),
    (10, 27, &[Ma]),
    (28, 29, &[Ri]),
    (30, 38, &[Nh]),
    (39, 49, &[Me]),
    (50, 54, &[Vt]),
    (55, 55, &[Ma]),
    (56, 59, &[Vt]),
    (60, 62, &[Ct]),
    (63, 63, &[Ct, Ny]),
    (64, 69, &[Ct]),
    (70, 89, &[Nj]),
    (100, 149, &[Ny]),
    (150, 196, &[Pa]),
    (197, 199, &[De]),
    (200, 200, &[Dc, Va]),
    (201, 201, &[Va, Dc]),
    (202, 205, &[Dc, Md, Va]),
    (206, 219, &[Md]),
    (220, 246, &[Va]),
    (247, 268, &[Wv]),
    (270, 289, &[Nc]),
    (290, 299, &[Sc]),
    (300, 319, &[Ga]),
    (320, 339, &[Fl]),
    (341, 349, &[Fl]),
    (350, 369, &[Al]),
    (370, 385, &[Tn]),
    (386, 397, &[Ms]),
    (398, 399, &[Ga]),
    (400, 427, &[Ky]),
    (430, 459, &[Oh]),
    (460, 479, &[In]),
    (480, 499, &[Mi]),
    (500, 528, &[Ia]),
    (530, 549, &[Wi]),
    (550, 567, &[Mn]),
    (570, 577, &[Sd]),
    (580, 588, &[Nd]),
    (590, 599, &[Mt]),
    (600, 629, &[Il]),
    (630, 658, &[Mo]),
    (660, 679, &[Ks]),
    (680, 680, &[Ne]),
    (681, 681, &[Ne, Ia]),
    (682, 693, &[Ne]),
    (700, 711, &[La]),
    (712, 712, &[La, Ms]),
    (713, 714, &[La]),
    (716, 729, &[Ar]),
    (730, 732, &[Ok]),
    (733, 733, &[Tx]),
    (734, 749, &[Ok]),
    (750, 754, &[Tx]),
    (755, 755, &[Tx, Ar]),
    (756, 799, &[Tx]),
    (800, 816, &[Co]),
    (820, 831, &[Wy]),
    (832, 833, &[Id]),
    (834, 834, &[Id, Wy]),
    (835, 838, &[Id]),
    (840, 847, &[Ut]),
    (850, 865, &[Az]),
    (870, 884, &[Nm]),
    (885, 885, &[Tx]),
    (889, 898, &[Nv]),
    (900, 961, &[Ca]),
    (967, 968, &[Hi]),
    (970, 979, &[Or]),
    (980, 994, &[Wa]),
    (995, 999, &[Ak]),
];

/// The states in which a ZIP code can be; none where its prefix is not known.
pub fn states_of_zip(zip: &str) -> &'static [Jurisdiction] {
    let prefix = zip.get(..3).and_then(|prefix| prefix.parse::<u16>().ok());
    let row =
        prefix.and_then(|prefix| PREFIXES.iter().find(|(first, last, _)| (*first..=*last).contains(&prefix)));
    row.map_or(&[], |(.., states)| states)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_in_order_and_each_jurisdiction_has_one() {
        assert!(PREFIXES.iter().all(|(first, last, _)| first <= last));
        assert!(PREFIXES.windows(2).all(|pair| pair[0].1 < pair[1].0));
        for state in Jurisdiction::ALL {
            assert!(PREFIXES.iter().any(|(.., states)| states.contains(state)), "{state:?}");
        }
    }

    #[test]
    fn a_zip_code_is_in_the_state_that_it_is_delivered_in() {
        let cases: [(&str, &[Jurisdiction]); 8] = [
            ("78701", &[Tx]),
            ("00501", &[Ny]),
            ("02139-1234", &[Ma]),
            ("40202", &[Ky]),
            ("75502", &[Tx, Ar]),
            ("96910", &[]),
            ("7870A", &[Tx]),
            ("K1A", &[]),
        ];
        for (zip, states) in cases {
            assert_eq!(states_of_zip(zip), states, "{zip}");
        }
    }
}
