//! A desk whose practice service runs in the process of the bench.

use std::path::Path;
use std::sync::Arc;

use bordereau_desk::{
    BoxFuture, Desk, DeskConfig, Ports, PracticeEndpoint, PracticePort, SecretStore, SystemClock,
};
use bordereau_service::RunningService;

use crate::no_ports::NoPorts;

/// The address of a service that runs already.
struct RunningPractice(PracticeEndpoint);

impl PracticePort for RunningPractice {
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

pub fn open_desk(folder: &Path, running: &RunningService, secrets: Arc<dyn SecretStore>) -> Desk {
    let endpoint = PracticeEndpoint {
        base_url: running.base_url.clone(),
        ca_pem: running.ca_pem.clone(),
        api_key: running.api_key.clone(),
        username: running.username.clone(),
        password: running.password.clone(),
    };
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets,
        practice: Arc::new(RunningPractice(endpoint)),
        dialogs: Arc::new(NoPorts),
        browser: Arc::new(NoPorts),
        policy: Arc::default(),
        sign_in: None,
    };
    Desk::open(DeskConfig { data_dir: folder.to_owned(), ports }).expect("the desk opens")
}
