//! What kind of insurance a line is.

use std::fmt;
use std::str::FromStr;

use crate::kentucky::TaxCategory;

/// A class that is not in the list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("class \"{0}\" is not known; the known ones are listed in the sample table")]
pub struct UnknownClass(String);

macro_rules! classes {
    ($($variant:ident = $name:literal, $category:ident, $property:literal;)+) => {
        /// What kind of insurance a line is; rules select lines by it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Class { $($variant,)+ }

        impl Class {
            /// Every class.
            pub const ALL: &'static [Class] = &[$(Class::$variant,)+];

            /// The name as it is written in tables and rule files.
            pub const fn name(self) -> &'static str {
                match self { $(Class::$variant => $name,)+ }
            }

            /// Kentucky's category of the local government premium tax (KRS 91A.080).
            pub const fn kentucky(self) -> TaxCategory {
                match self { $(Class::$variant => TaxCategory::$category,)+ }
            }

            /// Whether it covers property against fire, wholly or in part.
            pub const fn is_property(self) -> bool {
                match self { $(Class::$variant => $property,)+ }
            }
        }
    };
}

classes! {
    CommercialProperty = "commercial_property", FireAlliedPerils, true;
    AlliedLines = "allied_lines", FireAlliedPerils, true;
    CommercialMultiPeril = "commercial_multi_peril", FireAlliedPerils, true;
    ExcessProperty = "excess_property", FireAlliedPerils, true;
    AllRiskProperty = "all_risk_property", FireAlliedPerils, true;
    DifferenceInConditions = "difference_in_conditions", FireAlliedPerils, true;
    BuildersRisk = "builders_risk", FireAlliedPerils, true;
    Homeowners = "homeowners", FireAlliedPerils, true;
    Dwelling = "dwelling", FireAlliedPerils, true;
    Farmowners = "farmowners", FireAlliedPerils, true;
    Earthquake = "earthquake", FireAlliedPerils, true;
    EarthquakeResidential = "earthquake_residential", FireAlliedPerils, true;
    Flood = "flood", FireAlliedPerils, true;
    FloodResidential = "flood_residential", FireAlliedPerils, true;
    TerrorismProperty = "terrorism_property", FireAlliedPerils, true;
    Terrorism = "terrorism", AllOther, true;
    Crop = "crop", AllOther, false;
    CropHail = "crop_hail", AllOther, true;
    BoilerMachinery = "boiler_machinery", AllOther, false;
    InlandMarine = "inland_marine", InlandMarine, true;
    OceanMarine = "ocean_marine", AllOther, false;
    AutoLiability = "auto_liability", Vehicle, false;
    AutoPhysicalDamage = "auto_physical_damage", Vehicle, true;
    Garage = "garage", Vehicle, false;
    AviationLiability = "aviation_liability", CasualtyLiability, false;
    AviationPhysicalDamage = "aviation_physical_damage", AllOther, true;
    GeneralLiability = "general_liability", CasualtyLiability, false;
    ProductsLiability = "products_liability", CasualtyLiability, false;
    LiquorLiability = "liquor_liability", CasualtyLiability, false;
    PersonalLiability = "personal_liability", CasualtyLiability, false;
    ProfessionalLiability = "professional_liability", CasualtyLiability, false;
    MedicalMalpractice = "medical_malpractice", CasualtyLiability, false;
    LegalProfessional = "legal_professional", CasualtyLiability, false;
    DirectorsOfficers = "directors_officers", CasualtyLiability, false;
    EmploymentPractices = "employment_practices", CasualtyLiability, false;
    Cyber = "cyber", CasualtyLiability, false;
    Environmental = "environmental", CasualtyLiability, false;
    Umbrella = "umbrella_excess", CasualtyLiability, false;
    WorkersCompensation = "workers_compensation", WorkersCompensation, false;
    Crime = "crime_fidelity", CasualtyLiability, false;
    Surety = "surety", AllOther, false;
    Health = "accident_health", Health, false;
    Life = "life", Life, false;
    Other = "other", AllOther, false;
}

impl FromStr for Class {
    type Err = UnknownClass;
    fn from_str(text: &str) -> Result<Self, UnknownClass> {
        Class::ALL
            .iter()
            .copied()
            .find(|class| class.name() == text)
            .ok_or_else(|| UnknownClass(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
