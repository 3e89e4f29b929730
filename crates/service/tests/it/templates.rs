//! One-time addresses of document templates (contract section 2).

use reqwest::Method;

use crate::harness::{Service, service, texas};

async fn links(service: &Service) -> Vec<String> {
    let answer = service.calculate(&texas()).await.expect(200).json();
    let documents = answer["tax_rule"]["state_documents"].as_array().unwrap();
    documents.iter().map(|d| d["document_download_link"].as_str().unwrap().to_owned()).collect()
}

async fn get(service: &Service, link: &str) -> (u16, String, Vec<u8>) {
    let response = service.client.get(link).send().await.unwrap();
    let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
    (response.status().as_u16(), kind, response.bytes().await.unwrap().to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_works_once_within_a_minute() {
    let service = service().await;
    let fetched = links(&service).await;
    assert!(!fetched.is_empty(), "Texas asks for documents");
    let mut unique = fetched.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), fetched.len(), "each document has its own address");
    for link in &fetched {
        assert!(link.starts_with(&service.running.base_url), "{link}");
        let (status, kind, bytes) = get(&service, link).await;
        assert_eq!((status, kind.as_str()), (200, "application/pdf"));
        assert!(bytes.starts_with(b"%PDF-1.4") && bytes.ends_with(b"%%EOF"));
        let (status, kind, _) = get(&service, link).await;
        assert_eq!((status, kind.as_str()), (410, "application/problem+json"), "one use only");
    }
    let late = links(&service).await;
    service.clock.advance(59);
    assert_eq!(get(&service, &late[0]).await.0, 200);
    service.clock.advance(1);
    assert_eq!(get(&service, &late[1]).await.0, 410, "a minute is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_is_not_using_and_forging_does_not_work() {
    let service = service().await;
    let link = links(&service).await.remove(0);
    let looked = service.client.head(&link).send().await.unwrap();
    assert_eq!(looked.status().as_u16(), 200);
    let mut forged = link.clone();
    let at = forged.len() - 40;
    let other = if &forged[at..=at] == "A" { "B" } else { "A" };
    forged.replace_range(at..=at, other);
    for bad in [forged.as_str(), &link[..link.len() - 1], &service.url("/api/templates/AAAA")] {
        assert_eq!(get(&service, bad).await.0, 404, "{bad}");
    }
    assert_eq!(get(&service, &link).await.0, 200);
    service.send(service.bare(Method::POST, "/api/templates/AAAA")).await.expect(405);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_many_at_once_gets_it() {
    let service = service().await;
    let link = links(&service).await.remove(0);
    let tries = (0..10).map(|_| {
        let (client, link) = (service.client.clone(), link.clone());
        tokio::spawn(async move { client.get(link).send().await.unwrap().status().as_u16() })
    });
    let mut statuses = Vec::new();
    for one in tries.collect::<Vec<_>>() {
        statuses.push(one.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 410).count(), 9, "{statuses:?}");
}
