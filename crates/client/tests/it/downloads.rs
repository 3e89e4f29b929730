//! Documents: credentials to the own host only, everything bounded, names safe.

use std::sync::atomic::{AtomicU32, Ordering};

use bordereau_client::{ClientError, fetch_public_file};
use bordereau_contract::CalculateRequest;

use crate::practice::{Practice, texas};
use crate::scripted::{Scripted, answer};

fn pdf(body: &str) -> Vec<u8> {
    answer(
        200,
        "content-type: application/pdf\r\ncontent-disposition: attachment; filename=\"../SL-1.pdf\"\r\n",
        body,
    )
}

#[tokio::test]
async fn a_template_of_the_practice_service_once() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let mut link = None;
    for state in ["TX", "CA", "FL", "NY", "IL"] {
        let request = CalculateRequest { physical_state: state.to_owned(), ..texas() };
        let quote = client.calculate(&request).await.expect("a quote");
        link =
            quote.tax_rule.state_documents.into_iter().find_map(|document| document.document_download_link);
        if link.is_some() {
            break;
        }
    }
    let link = link.expect("one of these states has a template");
    let document = client.download_document(&link, 1_000_000).await.expect("a document");
    assert!(!document.bytes.is_empty());
    assert!(!document.file_name.contains('/') && !document.file_name.is_empty(), "{}", document.file_name);
    let error = client.download_document(&link, 1_000_000).await.expect_err("an address is good once");
    assert!(matches!(error, ClientError::Rejected { .. }), "{error}");
}

#[tokio::test]
async fn credentials_go_to_the_own_host_only() {
    let own = Scripted::start(|_| pdf("%PDF own")).await;
    let client = own.client();
    for address in [format!("{}/doc/1", own.base_url), "/doc/2".to_owned()] {
        let document = client.download_document(&address, 100).await.expect("a document");
        assert_eq!(document.bytes, b"%PDF own");
        assert_eq!(document.file_name, "SL-1.pdf");
        assert_eq!(document.content_type, "application/pdf");
    }
    assert!(own.requests().iter().all(|request| request.contains("bdk_visible_key")));
}

/// The other host is trusted here because both certificates are in the profile's CA file.
#[tokio::test]
async fn elsewhere_is_fetched_without_credentials() {
    let own = Scripted::start(|_| answer(500, "", "")).await;
    let storage = Scripted::start(|_| pdf("%PDF storage")).await;
    let (ca, hop) = (storage.ca_pem.clone(), format!("location: {}/final\r\n", storage.base_url));
    let hopping = Scripted::start(move |_| answer(302, &hop, "")).await;
    let mut config = own.config();
    config.extra_ca_pem = Some(format!("{}\n{ca}\n{}", own.ca_pem, hopping.ca_pem));
    let client = bordereau_client::Client::new(
        config,
        bordereau_client::Credentials::with_api_key("bdk_visible_key"),
        std::sync::Arc::new(bordereau_client::MemoryTokens::new()),
    )
    .expect("a client");
    for service in [&storage, &hopping] {
        let document =
            client.download_document(&format!("{}/doc", service.base_url), 100).await.expect("a document");
        assert_eq!(document.bytes, b"%PDF storage");
    }
    for service in [&storage, &hopping] {
        assert!(!service.requests().is_empty());
        assert!(service.requests().iter().all(|request| !request.contains("bdk_visible_key")));
    }
    assert!(own.requests().is_empty());
}

#[tokio::test]
async fn a_profiles_authorities_count_for_its_own_host_alone() {
    let own = Scripted::start(|_| pdf("%PDF own")).await;
    let elsewhere = Scripted::start_for("localhost", |_| pdf("%PDF elsewhere")).await;
    let mut config = own.config();
    config.extra_ca_pem = Some(format!("{}\n{}", own.ca_pem, elsewhere.ca_pem));
    let client = bordereau_client::Client::new(
        config,
        bordereau_client::Credentials::with_api_key("bdk_visible_key"),
        std::sync::Arc::new(bordereau_client::MemoryTokens::new()),
    )
    .expect("a client");
    assert_eq!(client.download_document("/doc", 100).await.expect("a document").bytes, b"%PDF own");
    let address = elsewhere.base_url.replace("127.0.0.1", "localhost");
    let error = client.download_document(&address, 100).await.expect_err("another host").to_string();
    let reason = "its issuer is not among the trusted ones; the profile's CA file counts for 127.0.0.1 only";
    assert!(error.contains(reason), "{error}");
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn what_is_refused() {
    let own = Scripted::start(|_| pdf(&"x".repeat(5_000))).await;
    let client = own.client();
    for (address, part) in [
        ("http://filing.example/doc", "does not begin with https://"),
        ("file:///etc/passwd", "must begin with https://"),
        ("https://user:secret@127.0.0.1/doc", "username or password"),
        ("/doc", "larger than 100 bytes"),
    ] {
        let error = client.download_document(address, 100).await.expect_err(address).to_string();
        assert!(error.contains(part) && !error.contains("secret@"), "{error}");
    }
}

/// Some services answer with the document's address; and what is no document is never kept as one.
#[tokio::test]
async fn what_is_said_about_a_document_is_not_the_document() {
    let json = "content-type: application/json\r\n";
    let own = Scripted::start(move |request| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        match path {
            "/doc" => pdf("%PDF own"),
            "/called-otherwise" => answer(200, json, "%PDF own"),
            "/named" => answer(200, json, r#"{"data": {"downloadUrl": "/doc"}}"#),
            "/circle" => answer(200, json, r#"{"url": "/circle"}"#),
            "/expired" => answer(200, json, r#"{"success": false, "message": "The link has expired"}"#),
            "/page-called-pdf" => pdf("<!DOCTYPE html><p>Session expired</p>"),
            "/empty" => pdf(""),
            "/page" => answer(200, "content-type: text/html\r\n", "<p>Please sign in</p>"),
            _ => answer(200, &format!("{json}content-disposition: attachment; filename=a.json\r\n"), "{}"),
        }
    })
    .await;
    let client = own.client();
    for (address, expected) in [
        ("/doc", "%PDF own"),
        ("/called-otherwise", "%PDF own"),
        ("/named", "%PDF own"),
        ("/sent-as-a-file", "{}"),
    ] {
        let document = client.download_document(address, 100).await.expect(address);
        assert_eq!(document.bytes, expected.as_bytes(), "{address}");
        let mut written = Vec::new();
        let saved = client.download_to(address, 100, &mut written).await.expect(address);
        assert_eq!((written.as_slice(), saved.bytes), (expected.as_bytes(), expected.len() as u64));
    }
    for (address, part) in [
        ("/circle", "names another address once more"),
        ("/expired", "The link has expired"),
        ("/page", "it is a web page: Please sign in"),
        ("/page-called-pdf", "it is a web page: Session expired"),
        ("/empty", "the document is empty"),
    ] {
        let mut written = Vec::new();
        let error = client.download_to(address, 100, &mut written).await.expect_err(address).to_string();
        assert!(error.contains(part) && written.is_empty(), "{address}: {error}");
    }
}

#[tokio::test]
async fn an_own_document_that_leads_elsewhere_is_fetched_there_without_credentials() {
    let storage = Scripted::start(|_| pdf("%PDF storage")).await;
    let away = format!("location: {}/final\r\n", storage.base_url);
    let own = Scripted::start(move |_| answer(302, &away, "")).await;
    let mut config = own.config();
    config.extra_ca_pem = Some(format!("{}\n{}", own.ca_pem, storage.ca_pem));
    let client = bordereau_client::Client::new(
        config,
        bordereau_client::Credentials::with_api_key("bdk_visible_key"),
        std::sync::Arc::new(bordereau_client::MemoryTokens::new()),
    )
    .expect("a client");
    let document = client.download_document("/doc", 100).await.expect("a document");
    assert_eq!(document.bytes, b"%PDF storage");
    assert!(own.requests()[0].contains("bdk_visible_key"));
    assert!(!storage.requests()[0].contains("bdk_visible_key"));
}

#[tokio::test]
async fn a_public_file_is_fetched_bounded_and_over_tls_alone() {
    let holder = Scripted::start(|_| answer(200, "", "the file")).await;
    let target = format!("location: {}/newest\r\n", holder.base_url);
    let hopping = Scripted::start(move |_| answer(302, &target, "")).await;
    let circling = Scripted::start(|_| answer(302, "location: /again\r\n", "")).await;
    let downgrading = Scripted::start(|_| answer(302, "location: http://127.0.0.1:1/file\r\n", "")).await;
    let missing = Scripted::start(|_| answer(404, "", "")).await;
    let trusted =
        [&holder, &hopping, &circling, &downgrading, &missing].map(|one| one.ca_pem.clone()).join("\n");
    let fetch = async |address: &str, most: u64| fetch_public_file(address, most, Some(&trusted)).await;
    for server in [&holder, &hopping] {
        assert_eq!(fetch(&format!("{}/file", server.base_url), 8).await.expect("the file"), b"the file");
    }
    assert!(holder.requests().iter().all(|request| !request.contains("bdk_visible_key")));
    let too_large = fetch(&format!("{}/file", holder.base_url), 7).await;
    assert!(matches!(too_large, Err(ClientError::TooLarge { limit_bytes: 7 })), "{too_large:?}");
    let none = fetch(&missing.base_url, 100).await;
    assert!(matches!(none, Err(ClientError::Rejected { status: 404, .. })), "{none:?}");
    let around = fetch(&circling.base_url, 100).await;
    assert!(matches!(around, Err(ClientError::BadAddress { .. })), "{around:?}");
    for address in [downgrading.base_url.as_str(), "http://127.0.0.1:1/file"] {
        let plain = fetch(address, 100).await;
        assert!(matches!(plain, Err(ClientError::InsecureAddress { .. })), "{plain:?}");
    }
    let untrusted = fetch_public_file(&holder.base_url, 100, None).await;
    assert!(matches!(untrusted, Err(ClientError::Untrusted { .. })), "{untrusted:?}");
}

#[tokio::test]
async fn a_download_answered_with_503_is_tried_again() {
    for (status, headers, body) in [
        (503, "content-type: text/html\r\n", "<html>Busy</html>"),
        (429, "content-type: application/json\r\nretry-after: 1\r\n", r#"{"message":"Slow down"}"#),
    ] {
        let tries = AtomicU32::new(0);
        let service = Scripted::start(move |_| match tries.fetch_add(1, Ordering::Relaxed) {
            0 => answer(status, headers, body),
            _ => answer(200, "content-type: application/pdf\r\n", "%PDF"),
        })
        .await;
        let download = service.client().download_document("/transaction/document/1/2/download", 1_000).await;
        assert_eq!(download.expect("a document").bytes, b"%PDF", "{status}");
    }
}

/// The content as text, with its name beside it; whole and piece by piece.
#[tokio::test]
async fn a_download_may_be_its_content_in_base64() {
    for (body, name) in [
        (r#"{"file_name":"policy.pdf","content_type":"application/pdf","content":"JVBERg=="}"#, "policy.pdf"),
        (r#"{"FileName":"policy.pdf","FileContents":"JVBERg=="}"#, "policy.pdf"),
        (r#"{"fileName":"policy.pdf","anything":"JVBERi0xLjc="}"#, "policy.pdf"),
        (r#""JVBERg==""#, "download"),
    ] {
        let service = Scripted::start(move |_| answer(200, "content-type: application/json\r\n", body)).await;
        let client = service.client();
        let address = "/transaction/document/1/2/download";
        let whole = client.download_document(address, 1_000).await.expect("a document");
        assert!(whole.bytes.starts_with(b"%PDF"), "{body}");
        assert!(whole.file_name.starts_with(name), "{body}: {}", whole.file_name);
        let mut pieces = Vec::new();
        let saved = client.download_to(address, 1_000, &mut pieces).await.expect("a document");
        assert_eq!((pieces, saved.file_name), (whole.bytes, whole.file_name), "{body}");
    }
    let service = Scripted::start(|_| {
        answer(200, "content-type: application/json\r\n", r#"{"content":"no file","status":"pending"}"#)
    });
    let error = service.await.client().download_document("/d", 1_000).await.expect_err("no document");
    assert!(matches!(error, ClientError::Unreadable { .. }), "{error}");
}
