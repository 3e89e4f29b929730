//! Columns to fields: the template, memory, names, content; the mapping file.

use bordereau_spreadsheets::{
    ColumnChoice, DateOrder, Field, Mapping, MappingError, MappingReason, ReadOptions, Review, RowAmounts,
    RowGrouping, propose_mapping, read,
};

use crate::reviews::with_checks;

fn proposed(text: &str, remembered: &[Mapping]) -> bordereau_spreadsheets::MappingProposal {
    propose_mapping(&read("x.csv", text.into(), &ReadOptions::default()).unwrap(), remembered)
}

#[test]
fn the_template_needs_no_questions() {
    let proposal = proposed(include_str!("../../../../samples/batches/template.csv"), &[]);
    assert!(proposal.is_template);
    assert_eq!(proposal.columns.len(), Field::ALL.len());
    for (column, field) in proposal.columns.iter().zip(Field::ALL) {
        assert_eq!((column.field, column.reason), (Some(*field), MappingReason::Template));
    }
}

/// Column lists that vendors of agency systems publish; a column without a place in a filing stays out.
#[test]
fn published_exports_of_agency_systems_are_mapped_by_their_headers() {
    use Field as F;
    // https://ezlynxsupport.freshdesk.com/support/solutions/articles/8000062237
    let transactions: [(&str, Option<Field>); 12] = [
        ("Producer Subcode", None),
        ("Policy Number", Some(F::PolicyNumber)),
        ("Transaction Date", Some(F::TransactionEffectiveDate)),
        ("Transaction Type Code", Some(F::TransactionType)),
        ("Premium", Some(F::Premium)),
        ("Comm Percent", None),
        ("Comm Amount", None),
        ("LOB Code", Some(F::LineOfBusiness)),
        ("Policy Holder Name", Some(F::InsuredName)),
        ("LOB Subcode", None),
        ("Policy Eff Date", Some(F::PolicyEffectiveDate)),
        ("Policy Exp Date", Some(F::PolicyExpirationDate)),
    ];
    // https://login.nexsure.com/help/Content/Utility_menu/Home_menu/Interface/Importing%20Excel%20Files.htm
    let policies: [(&str, Option<Field>); 20] = [
        ("LOB", Some(F::LineOfBusiness)),
        ("Policy Number", Some(F::PolicyNumber)),
        ("Effective Date", Some(F::PolicyEffectiveDate)),
        ("Expiration Date", Some(F::PolicyExpirationDate)),
        ("Named Insured", Some(F::InsuredName)),
        ("SIC Code", None),
        ("Premium", Some(F::Premium)),
        ("Primary Contact", None),
        ("Primary Contact Email", Some(F::InsuredEmail)),
        ("Location Address", Some(F::PhysicalAddress)),
        ("Location City", Some(F::PhysicalCity)),
        ("Location State", Some(F::PhysicalState)),
        ("Location Zip", Some(F::PhysicalZip)),
        ("Business Phone", Some(F::InsuredPhone)),
        ("Business Fax", None),
        ("Agency", Some(F::RetailProducer)),
        ("Branch", None),
        ("Department", None),
        ("Producer Last Name", None),
        ("NAIC", Some(F::InsuranceCompany)),
    ];
    for export in [&transactions[..], &policies[..]] {
        let header: Vec<&str> = export.iter().map(|(header, _)| *header).collect();
        let proposal = proposed(&format!("{}\n{}\n", header.join(","), "x,".repeat(export.len() - 1)), &[]);
        let found: Vec<(&str, Option<Field>)> =
            proposal.columns.iter().map(|column| (column.header.as_str(), column.field)).collect();
        assert_eq!(found, export);
    }
}

/// Invented exports in the manner of agency systems, with every trap of their headers at once.
#[test]
fn exports_with_words_run_together_or_cut_are_mapped_by_their_headers() {
    use Field as F;
    let joined = [
        ("CustNo", "1001", None),
        ("FirmName", "Harbor LLC", Some(F::InsuredName)),
        ("PolNo", "HM-22", Some(F::PolicyNumber)),
        ("PolEffDate", "2026-09-15", Some(F::PolicyEffectiveDate)),
        ("PolExpDate", "2027-09-15", Some(F::PolicyExpirationDate)),
        ("LOB", "D&O", Some(F::LineOfBusiness)),
        ("LOBDescription", "Directors", None),
        ("WritingCo", "Lexington", None),
        ("CompanyName", "Lexington", None),
        ("NAICCode", "19437", Some(F::InsuranceCompany)),
        ("TranType", "NBS", Some(F::TransactionType)),
        ("TranEffDate", "2026-09-15", Some(F::TransactionEffectiveDate)),
        ("AnnPremium", "10000", None),
        ("BilledPremium", "10000", Some(F::Premium)),
        ("CoFee", "1", Some(F::InspectionFee)),
        ("BrokerFee", "500", Some(F::AgencyFee)),
        ("SLTaxAmt", "494.00", Some(F::SlTax)),
        ("StampingFee", "18.90", Some(F::StampingFee)),
        ("RiskSt", "CA", Some(F::PhysicalState)),
        ("InsdSt", "CA", Some(F::MailingState)),
        ("County", "Los Angeles", None),
        ("ZIPCODE", "90012", Some(F::MailingZip)),
    ];
    let cut = [
        ("CLIENTNAME", "Acme Inc.", Some(F::InsuredName)),
        ("POLICYNUMBER", "CSX-1", Some(F::PolicyNumber)),
        // A policy's type is its line where its words are those of lines.
        ("POLICYTYPE", "CGL", None),
        ("EFF", "10/01/2026", Some(F::PolicyEffectiveDate)),
        ("EXP", "10/01/2027", Some(F::PolicyExpirationDate)),
        ("Bound", "09/28/2026", None),
        ("ICO", "Scottsdale", None),
        ("ICO NAIC", "41297", Some(F::InsuranceCompany)),
        ("Dept", "BOP", None),
        ("GROSSPREM", "12,500.00", None),
    ];
    for export in [&joined[..], &cut[..]] {
        let header: Vec<&str> = export.iter().map(|(header, _, _)| *header).collect();
        let row: Vec<String> = export.iter().map(|(_, cell, _)| format!("\"{cell}\"")).collect();
        let proposal =
            proposed(&format!("{}\n{}\n{}\n", header.join(","), row.join(","), row.join(",")), &[]);
        for (column, (header, _, field)) in proposal.columns.iter().zip(export) {
            assert_eq!(column.field, *field, "{header}: {:?}", column.suggestion);
        }
    }
}

#[test]
fn cells_say_what_may_be_a_line_and_how_dates_are_written() {
    let text = "Policy type,Dept,Bound,Eff,id\nCGL,Property,09/28/26,10/01/26,1\nSpaceships,Umbrella,10/01/26,10/03/26,2\n";
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    let proposal = propose_mapping(&source, &[]);
    let suggested = |column: usize| {
        let found = proposal.columns[column].suggestion.clone().expect("a suggestion");
        (found.field, found.reason)
    };
    let not_its_codes = "Not matched to Policy type: its cells are none of its codes, such as \"CGL\". They may be Lines of business.";
    assert_eq!(suggested(0), (Some(Field::LineOfBusiness), not_its_codes.to_owned()));
    assert_eq!(proposal.columns[1].suggestion, None, "there is a better one for it");
    let order = |text: &str| {
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        let mapping = propose_mapping(&source, &[]).mapping;
        with_checks(|checks| Review::new(source, mapping, checks)).values().date_order.value
    };
    assert_eq!(order(text), Some(DateOrder::MonthFirst), "a date that isn't imported decides it");
    assert_eq!(
        order(&text.replace("Umbrella,10/01/26", "Umbrella,28/10/26")),
        None,
        "two that contradict each other don't"
    );
}

#[test]
fn a_heading_over_several_columns_names_them_too() {
    let text = "Monthly report,,,,\nPolicy,,,Insured,\nNumber,Effective,Term,Name,City\nP-1,10/02/2026,12,Diner LLC,Waco\n";
    let fields: Vec<_> = proposed(text, &[]).columns.iter().map(|column| column.field).collect();
    let known = [Field::PolicyNumber, Field::PolicyEffectiveDate, Field::InsuredName, Field::MailingCity];
    assert_eq!(fields.iter().flatten().copied().collect::<Vec<_>>(), known);
    assert_eq!(fields[2], None);
}

/// A tax of the state is no state, and a state beside that of the risk is none of the risk.
#[test]
fn columns_called_state_are_what_is_in_them_and_beside_them() {
    let text = "Policy,,Premium,,Tax,\nNumber,Effective,Written,Fees,State,Stamping\n\
        P-1,10/02/2026,1000,100,$53.35,$0.44\nP-2,10/03/2026,2000,,97.00,0.80\n";
    let fields: Vec<_> = proposed(text, &[]).columns.iter().filter_map(|column| column.field).collect();
    let known = [
        Field::PolicyNumber,
        Field::PolicyEffectiveDate,
        Field::Premium,
        Field::AgencyFee,
        Field::SlTax,
        Field::StampingFee,
    ];
    assert_eq!(fields, known);
    let text = "Policy,Mailing Address,City,ST,Zip,Risk City,Risk ST,Risk Zip\nP-1,1 Main,Tulsa,OK,74103,Dallas,TX,75201\n";
    let proposal = proposed(text, &[]);
    let [mailing, physical] = [3, 6].map(|column: usize| proposal.columns[column].field);
    assert_eq!((mailing, physical), (Some(Field::MailingState), Some(Field::PhysicalState)));
}

#[test]
fn usual_names_are_known() {
    use Field as F;
    let cases: [(&str, Option<Field>); 86] = [
        ("Policy No.", Some(F::PolicyNumber)),
        ("POLICY #", Some(F::PolicyNumber)),
        ("Pol. Number", Some(F::PolicyNumber)),
        ("Eff Date", Some(F::PolicyEffectiveDate)),
        ("Effective_Date", Some(F::PolicyEffectiveDate)),
        ("Expiration Date", Some(F::PolicyExpirationDate)),
        ("Endorsement Date", Some(F::TransactionEffectiveDate)),
        ("Trans Type", Some(F::TransactionType)),
        ("Transaction Type", Some(F::TransactionType)),
        ("Prior Policy", Some(F::ExpiringPolicyNumber)),
        ("Invoice #", Some(F::InvoiceNumber)),
        ("Inv. Date", Some(F::InvoiceDate)),
        ("Gross Premium ($)", Some(F::Premium)),
        ("Premium USD", Some(F::Premium)),
        ("Policy Fee", Some(F::AgencyFee)),
        ("Carrier Fee", Some(F::InspectionFee)),
        ("S.L. Tax", Some(F::SlTax)),
        ("Surplus Lines Tax", Some(F::SlTax)),
        ("Stamping Fee", Some(F::StampingFee)),
        ("Total Due", Some(F::Total)),
        ("Named Insured", Some(F::InsuredName)),
        ("Insured's Name", Some(F::InsuredName)),
        ("Zip", Some(F::MailingZip)),
        ("Home State", Some(F::PhysicalState)),
        ("State", Some(F::PhysicalState)),
        ("LOB", Some(F::LineOfBusiness)),
        ("Line of Business", Some(F::LineOfBusiness)),
        ("Carrier", Some(F::InsuranceCompany)),
        ("Carrier 2", Some(F::InsuranceCompany)),
        ("NAIC #", Some(F::InsuranceCompany)),
        ("Carrier %", Some(F::InsurerShare)),
        ("Carrier 1 %", Some(F::InsurerShare)),
        ("Inception\n(mm/dd/yy)", Some(F::PolicyEffectiveDate)),
        ("Premium (md)", None),
        ("SL Tax 4.94%", Some(F::SlTax)),
        ("EL Tax 3.6%", Some(F::SlTax)),
        ("Stamp Fee .15%", Some(F::StampingFee)),
        ("Stamping Fee (0.04%)", Some(F::StampingFee)),
        ("SL Tax Rate 4.85%", None),
        ("Insurer 60%", Some(F::InsurerShare)),
        ("FSLSO Service Fee", Some(F::StampingFee)),
        ("FL SL Tax", None),
        ("Insurer 2 Share", Some(F::InsurerShare)),
        ("Carrier 2 NAIC", Some(F::InsuranceCompany)),
        ("Retail Agent", Some(F::RetailProducer)),
        ("Eff Dt", Some(F::PolicyEffectiveDate)),
        ("Pol Exp Dt", Some(F::PolicyExpirationDate)),
        ("Trx Typ", None),
        ("Tran", Some(F::TransactionType)),
        ("Cov", Some(F::LineOfBusiness)),
        ("Gross Prem", Some(F::Premium)),
        ("SL Tx", Some(F::SlTax)),
        ("TX", None),
        ("Pol Nbr", Some(F::PolicyNumber)),
        ("Inv Dt", Some(F::InvoiceDate)),
        ("Insd Nm", Some(F::InsuredName)),
        ("Assured", Some(F::InsuredName)),
        // Other orders of the words, and the words of other markets.
        ("Effective Date of Transaction", Some(F::TransactionEffectiveDate)),
        ("Fees - Policy", Some(F::AgencyFee)),
        ("Date of Invoice", Some(F::InvoiceDate)),
        ("Tax, Surplus Lines", Some(F::SlTax)),
        ("Tax of State", None),
        ("Certificate Ref", Some(F::PolicyNumber)),
        ("Risk Inception Date", Some(F::PolicyEffectiveDate)),
        ("Risk Expiry Date", Some(F::PolicyExpirationDate)),
        ("Term From", Some(F::PolicyEffectiveDate)),
        ("Location of Risk - Postcode", Some(F::PhysicalZip)),
        ("Insured Postcode", Some(F::MailingZip)),
        ("NAIC/Alien ID", Some(F::InsuranceCompany)),
        ("Tax Exempt Y/N", Some(F::Exempt)),
        ("Limit of Fee", None),
        ("TX Premium", None),
        ("TX - Premium", None),
        ("Tax Premium", None),
        ("NAIC(s)", Some(F::InsuranceCompany)),
        ("Primary Risk Zip Code", Some(F::PhysicalZip)),
        ("Primary Premium", None),
        ("POLNUM", Some(F::PolicyNumber)),
        ("EFFDT", Some(F::PolicyEffectiveDate)),
        ("PREMAMT", Some(F::Premium)),
        ("SLTAXAMT", Some(F::SlTax)),
        ("NAICCD", Some(F::InsuranceCompany)),
        ("TRANCD", Some(F::TransactionType)),
        ("Additional Premium", None),
        ("Remarks", None),
        ("", None),
    ];
    for (header, field) in cases {
        let proposal = proposed(&format!("\"{header}\",id,rpg\nx,y,0\n"), &[]);
        let found = proposal.columns[0].field;
        assert_eq!(found, field, "{header}");
    }
}

/// What is close to a name is said with the reason, and matched by a person alone.
#[test]
fn headers_close_to_a_name_are_suggested_and_not_taken() {
    use Field as F;
    for (header, cell, field, reason) in [
        ("Polcy Numbr", "P-1", Some(F::PolicyNumber), "Close to Policy number."),
        (
            "Effectve Date",
            "03/01/2026",
            Some(F::PolicyEffectiveDate),
            "Close to \"effective date\", another name of Policy effective date.",
        ),
        (
            "Insurd Name",
            "Diner LLC",
            Some(F::InsuredName),
            "Close to \"insured name\", another name of Insured.",
        ),
        ("Premuim", "1,200.00", Some(F::Premium), "Close to Premium."),
        ("Trx Typ", "NBUS", Some(F::TransactionType), "Close to Transaction type."),
        ("Stampng Fee", "0.40", Some(F::StampingFee), "Close to Stamping fee."),
        // The cells of a fee's column are amounts.
        ("Countyy", "Travis", None, ""),
        ("Remarks", "none yet", None, ""),
        (
            "County",
            "Travis",
            None,
            "Not matched to County tax: its cells are no amounts, such as \"Travis\".",
        ),
        (
            "Commission",
            "150.00",
            None,
            "Not matched to Commission received: its cells are neither yes nor no, such as \"150.00\".",
        ),
        (
            "Limits",
            "1M/2M",
            None,
            "Not matched to Policy limit: its cells are no amounts, such as \"1M/2M\".",
        ),
        (
            "NonPremiumFees",
            "500.00",
            None,
            "It has amounts of a tax or a fee. Match it to its field: what isn't matched isn't sent.",
        ),
        ("Kitchen levy", "0.00", None, ""),
        ("Client #", "GULF-01", None, ""),
        (
            "NonPremium",
            "500.00",
            Some(F::AgencyFee),
            "Its name doesn't say whose fees these are, the agency's or the insurer's.",
        ),
        (
            "Policy Fees (Carrier)",
            "150.00",
            Some(F::InspectionFee),
            "With what is in brackets, it is a name of Inspection fee.",
        ),
        (
            "SL Taxes & Fees",
            "51.13",
            None,
            "It has taxes and fees in one amount. Leave it out where other columns have each of them.",
        ),
        ("NAICS", "722511", None, "It is the insured's industry, and not the insurer's NAIC number."),
        ("FL SL Tax", "51.13", Some(F::SlTax), "Without \"FL\", it is a name of Surplus lines tax."),
        (
            "Gross",
            "1000.00",
            Some(F::Premium),
            "It is the premium where taxes and fees are in columns of their own.",
        ),
        ("Debit", "100", None, "Merge debits and credits into Premium where they are the premium's."),
        ("Fee code", "500", None, ""),
        ("TX", "48.50", None, "is tax or Texas. Match it to its field: what isn't matched isn't sent."),
        ("TX", "Y", None, ""),
        ("Total Tax & Stamp", "51.13", None, "Leave it out where other columns have each of them."),
        ("Class", "Commercial Property", Some(F::LineOfBusiness), "such as \"Commercial Property\"."),
        ("RPG", "Diners Group", Some(F::PurchasingGroupName), "They may be Purchasing group name."),
        ("Coverage", "1,000,000", Some(F::PolicyLimit), "They may be Policy limit."),
    ] {
        let proposal = proposed(&format!("{header},Unique ID\n\"{cell}\",1\n\"{cell}\",2\n"), &[]);
        let column = &proposal.columns[0];
        let suggestion = column.suggestion.as_ref();
        assert_eq!((column.field, column.reason), (None, MappingReason::Unknown), "{header}");
        assert_eq!(proposal.mapping.columns[0].field, None, "{header}");
        assert_eq!(suggestion.and_then(|found| found.field), field, "{header}: {suggestion:?}");
        let said = suggestion.map_or("", |found| found.reason.as_str());
        assert!(said.ends_with(reason) && said.is_empty() == reason.is_empty(), "{header}: {said}");
    }
    // A field that a column has already isn't suggested again; one whose cells fit is taken by its name.
    let proposal = proposed("Policy number,Polcy Numbr,County\n1,2,3.50\n", &[]);
    assert_eq!(proposal.columns[1].suggestion, None);
    assert_eq!(proposal.columns[2].field, Some(F::CountyFee));
}

/// What has no name, or a name that leaves a doubt, is suggested with what it may be.
#[test]
fn columns_in_doubt_are_suggested_and_not_taken() {
    use Field as F;
    let rows = "77,R,Kinsale Insurance Company,Ann,100.00,90.00\n78,N,Evanston Ins. Co.,Lee,100.00,90.00\n";
    for (headers, column, field) in [
        ("Policy,T,Co,x,Gross Premium,Commission", 1, Some(F::TransactionType)),
        ("Policy,T,Co,x,Gross Premium,Commission", 2, Some(F::InsuranceCompany)),
        // A letter more is a mistake, another word is none.
        ("Policy,T,Co,InsuredFirst,Premium,y", 3, None),
        ("Policy,T,Co,Insured Last,Premium,y", 3, None),
        ("Policy,T,Co,Insurd Name,Premium,y", 3, Some(F::InsuredName)),
        // Taxes are on the premium before any commission.
        ("Policy,T,Co,x,Gross Premium,Net Premium", 5, None),
        ("Policy,T,Co,x,y,NetPrem", 5, Some(F::Premium)),
        // What an amount is of is not said.
        ("Policy,T,Co,x,y,TRANS_AMT", 5, Some(F::Premium)),
        ("Policy,T,Co,x,Premium,Transaction Amount", 5, None),
    ] {
        // A report has its headers once more on each page.
        let proposal = proposed(&format!("{headers}\n{rows}{headers}\n"), &[]);
        let found = &proposal.columns[column];
        assert_eq!(found.field, None, "{headers}");
        assert_eq!(
            found.suggestion.as_ref().and_then(|s| s.field),
            field,
            "{headers}: {:?}",
            found.suggestion
        );
    }
    let days = "Policy/Certificate,Account,Eff Date/Time,Exp Date/Time\n1,A LLC,10/13/2026 12:01 AM,10/13/2027 12:01 AM\n";
    let named: Vec<_> = proposed(days, &[]).columns.iter().map(|column| column.field).collect();
    let expected =
        [F::PolicyNumber, F::InsuredName, F::PolicyEffectiveDate, F::PolicyExpirationDate].map(Some);
    assert_eq!(named, expected);
    // The rate of a tax is not a second tax.
    let rates = ["SL Tax %", "SL Tax Rate", "Stamping Fee Pct", "StampFeePercent"];
    for header in rates {
        let proposal = proposed(&format!("Policy,SL Tax,Stamping Fee,{header}\n1,48.50,0.40,4.85\n"), &[]);
        assert_eq!(proposal.columns[3].field, None, "{header}");
    }
    let proposal = proposed("Policy,Gross Premium 100%\n1,48.50\n", &[]);
    assert_eq!(proposal.columns[1].field, Some(F::Premium));
    // Yes or no, and agency or direct bill, are not transaction types.
    for letters in [["N", "Y", "N"], ["A", "D", "A"], ["A", "C", "A"]] {
        let [one, two, three] = letters;
        let proposal = proposed(&format!("Policy,x\n1,{one}\n2,{two}\n3,{three}\n"), &[]);
        assert_eq!(proposal.columns[1].suggestion, None, "{letters:?}");
    }
}

#[test]
fn a_reference_is_the_transactions_id_where_nothing_else_is() {
    let names = [
        "Ref",
        "Ref.",
        "REF #",
        "Ref No.",
        "Reference",
        "Reference Number",
        "Our Ref",
        "Transaction Ref",
        "Trans ID",
        "Trans. No.",
        "Transaction No",
        "Transaction #",
        "Txn ID",
        "Record No",
    ];
    for name in names {
        let proposal = proposed(&format!("{name},Policy #,Premium\nx,y,1\n"), &[]);
        let found = (proposal.columns[0].field, proposal.columns[0].reason);
        assert_eq!(found, (Some(Field::Id), MappingReason::Name), "{name}");
    }
    let fields = |text: &str| proposed(text, &[]).columns.iter().map(|c| c.field).collect::<Vec<_>>();
    let (id, kind) = (Some(Field::Id), Some(Field::TransactionType));
    assert_eq!(fields("Ref,Transaction ID,Policy\n1,2,3\n")[..2], [None, id], "an id before a reference");
    assert_eq!(fields("Transaction ID,Ref,Policy\n1,2,3\n")[..2], [id, None]);
    assert_eq!(fields("Transaction #,Transaction,Policy\n1,PN,3\n")[..2], [id, kind]);
}

#[test]
fn cells_say_what_a_column_without_a_name_is() {
    let text = "id,A,B,C,premium\n1,GEN-1002,TX,NP,5\n2,GEN-1008,CA,RP,6\n3,GEN-1002,NY,APE,7\n";
    let fields: Vec<_> = proposed(text, &[]).columns.iter().map(|c| (c.field, c.reason)).collect();
    assert_eq!(fields[1], (Some(Field::LineOfBusiness), MappingReason::Content));
    assert_eq!(fields[2], (Some(Field::PhysicalState), MappingReason::Content));
    assert_eq!(fields[3], (Some(Field::TransactionType), MappingReason::Content));
}

/// "RP" is a renewal where "NP" is a new policy, and a return premium beside "AP" and another word for renewals, or where
/// each of them gives premium back.
#[test]
fn the_words_beside_it_say_what_rp_is() {
    for (words, code) in [
        (["NB", "REN", "AP", "RP"], Some("RPE")),
        (["nb", "rn", "ap", "rp"], Some("RPE")),
        (["NP", "REN", "AP", "RP"], None),
        (["NB", "NB", "AP", "RP"], None),
        (["NB", "REN", "END", "RP"], None),
    ] {
        let rows: String = words.map(|word| format!("1,{word},5\n")).concat();
        let mapping = proposed(&format!("Policy No,Transaction type,premium\n{rows}"), &[]).mapping;
        assert_eq!(mapping.remembered_code(Field::TransactionType, "RP"), code, "{words:?}");
    }
    for (premiums, code) in
        [(["(5.00)", "-7"], Some("RPE")), (["-5", "7"], None), (["-5", ""], None), (["-5", "about 7"], None)]
    {
        let rows: String = premiums.map(|premium| format!("1,RP,{premium}\n")).concat();
        let mapping = proposed(&format!("Policy No,Transaction type,premium\n1,NB,5\n{rows}"), &[]).mapping;
        assert_eq!(mapping.remembered_code(Field::TransactionType, "RP"), code, "{premiums:?}");
    }
}

#[test]
fn a_field_of_one_column_is_taken_once() {
    let proposal = proposed("Policy No,Policy Number,Fee,Agent Fee\n1,2,3,4\n", &[]);
    let fields: Vec<_> = proposal.columns.iter().map(|c| c.field).collect();
    let fee = Some(Field::AgencyFee);
    let number = Some(Field::PolicyNumber);
    assert_eq!(fields, [None, number, fee, fee], "fees are added, and the title says it best");
}

#[test]
fn premiums_beside_several_lines_are_the_lines_own() {
    let proposal = proposed("Line 1,Premium 1,Line 2,Premium 2\nGEN-1002,1,GEN-1008,2\n", &[]);
    let fields: Vec<_> = proposal.columns.iter().filter_map(|c| c.field).collect();
    assert_eq!(
        fields,
        [Field::LineOfBusiness, Field::LinePremium, Field::LineOfBusiness, Field::LinePremium]
    );
}

/// A row for each line of a policy, whose premiums add up to the one that all its rows have.
#[test]
fn rows_are_seen_to_be_lines_of_one_transaction() {
    let grouped = |rows: &str| {
        let text = format!("Policy,Type,Line,Line Premium,Total Premium\n{rows}");
        let mapping = proposed(&text, &[]).mapping;
        (mapping.grouping, mapping.row_amounts)
    };
    let lines = (RowGrouping::ByPolicy, Some(RowAmounts::Repeat));
    let apart = (RowGrouping::None, None);
    let of_first = "PK-1,NB,GEN-1001,\"6,000.00\",10000\nPK-1,NB,GEN-1002,4000,10000\n";
    for (rows, expected) in [
        (of_first.to_owned(), lines),
        (format!("{of_first}PK-2,NB,GEN-1002,2500,2500\n"), lines),
        (format!("{of_first}Total,,,10000,20000\n"), lines),
        // One that does not add up leaves it to a person.
        (format!("{of_first}PK-2,NB,GEN-1002,2500,2600\n"), apart),
        (of_first.replace("4000,", "3000,"), apart),
        (of_first.replace("4000,10000", "4000,4000"), apart),
        ("PK-1,NB,GEN-1001,6000,6000\nPK-2,NB,GEN-1002,4000,4000\n".to_owned(), apart),
    ] {
        assert_eq!(grouped(&rows), expected, "{rows}");
    }
}

#[test]
fn the_persons_own_memory_comes_first() {
    let choice =
        |header: &str, field| ColumnChoice { header: header.into(), occurrence: 0, field: Some(field) };
    let own = Mapping {
        version: 1,
        name: "ours".into(),
        columns: vec![choice("Ref", Field::Id), choice("Amt", Field::Premium)],
        date_order: Some(DateOrder::DayFirst),
        ..Mapping::default()
    };
    let other =
        Mapping { name: "theirs".into(), columns: vec![choice("Ref", Field::InvoiceNumber)], ..own.clone() };
    let proposal = proposed("REF,Amt,Policy\n1,2,3\n", &[own.clone(), other.clone()]);
    assert_eq!(proposal.remembered.as_deref(), Some("ours"));
    assert_eq!(proposal.mapping.date_order, Some(DateOrder::DayFirst));
    let fields: Vec<_> = proposal.columns.iter().map(|c| c.field).collect();
    assert_eq!(fields, [Some(Field::Id), Some(Field::Premium), Some(Field::PolicyNumber)]);
    let proposal = proposed("Ref,Policy\n1,3\n", &[own, other]);
    assert_eq!(proposal.remembered.as_deref(), Some("theirs"), "the first whose headers are all there");
}

#[test]
fn a_mapping_file_comes_back_and_others_are_refused() {
    let mut mapping = proposed("Policy No,Type\n1,NP\n", &[]).mapping;
    mapping.name = "Example agency".into();
    mapping.grouping = RowGrouping::ById;
    mapping.remember_value(Field::InsuranceCompany, " Example Specialty ", "10899");
    assert_eq!(mapping.remembered_code(Field::InsuranceCompany, "EXAMPLE SPECIALTY"), Some("10899"));
    let text = mapping.to_file();
    assert_eq!(Mapping::from_file(&text).unwrap(), mapping);
    assert!(matches!(Mapping::from_file("{\"color\":1}"), Err(MappingError::Unreadable(_))));
    assert_eq!(Mapping::from_file("{\"version\":2}"), Err(MappingError::Newer(2)));
}

#[test]
fn a_services_message_finds_its_field() {
    for (key, field) in [
        ("slTax", Some(Field::SlTax)),
        ("sl_tax", Some(Field::SlTax)),
        ("stampingFee", Some(Field::StampingFee)),
        ("total", Some(Field::Total)),
        ("lineOfBusiness", Some(Field::LineOfBusiness)),
        ("insuranceCompany", Some(Field::InsuranceCompany)),
        ("riskDescription", Some(Field::RiskDescription)),
        ("mailingInsuredName", Some(Field::InsuredName)),
        ("documents", Some(Field::Documents)),
        ("PolicyNumber", Some(Field::PolicyNumber)),
        ("Policy-Effective_Date", Some(Field::PolicyEffectiveDate)),
        ("SL_TAX", Some(Field::SlTax)),
        ("policy number", Some(Field::PolicyNumber)),
        ("Transactions[3].LineOfBusiness", Some(Field::LineOfBusiness)),
        ("transaction/InsuranceCompanyList", Some(Field::InsuranceCompany)),
        ("documents.POLIC", None),
        ("anything else", None),
        ("", None),
    ] {
        assert_eq!(Field::by_message_key(key), field, "{key}");
    }
}
