//! The rule files, built into the program.

use bordereau_contract::Jurisdiction as J;

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../rules/", $name, ".toml"))
    };
}

/// One file per jurisdiction, in the order of the codes.
pub(super) const FILES: [(J, &str); 53] = [
    (J::Al, file!("al")),
    (J::Ak, file!("ak")),
    (J::Az, file!("az")),
    (J::Ar, file!("ar")),
    (J::Ca, file!("ca")),
    (J::Co, file!("co")),
    (J::Ct, file!("ct")),
    (J::De, file!("de")),
    (J::Dc, file!("dc")),
    (J::Fl, file!("fl")),
    (J::Ga, file!("ga")),
    (J::Hi, file!("hi")),
    (J::Id, file!("id")),
    (J::Il, file!("il")),
    (J::In, file!("in")),
    (J::Ia, file!("ia")),
    (J::Ks, file!("ks")),
    (J::Ky, file!("ky")),
    (J::La, file!("la")),
    (J::Me, file!("me")),
    (J::Md, file!("md")),
    (J::Ma, file!("ma")),
    (J::Mi, file!("mi")),
    (J::Mn, file!("mn")),
    (J::Ms, file!("ms")),
    (J::Mo, file!("mo")),
    (J::Mt, file!("mt")),
    (J::Ne, file!("ne")),
    (J::Nv, file!("nv")),
    (J::Nh, file!("nh")),
    (J::Nj, file!("nj")),
    (J::Nm, file!("nm")),
    (J::Ny, file!("ny")),
    (J::Nc, file!("nc")),
    (J::Nd, file!("nd")),
    (J::Oh, file!("oh")),
    (J::Ok, file!("ok")),
    (J::Or, file!("or")),
    (J::Pa, file!("pa")),
    (J::Pr, file!("pr")),
    (J::Ri, file!("ri")),
    (J::Sc, file!("sc")),
    (J::Sd, file!("sd")),
    (J::Tn, file!("tn")),
    (J::Tx, file!("tx")),
    (J::Ut, file!("ut")),
    (J::Vt, file!("vt")),
    (J::Va, file!("va")),
    (J::Vi, file!("vi")),
    (J::Wa, file!("wa")),
    (J::Wv, file!("wv")),
    (J::Wi, file!("wi")),
    (J::Wy, file!("wy")),
];
