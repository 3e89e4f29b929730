//! `POST /api/oauth2/token`: sign-in and refresh (contract section 1).

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bordereau_contract::{
    FieldProblem, REFRESH_TOKEN_SECONDS, TOKEN_SECONDS, TokenError, TokenRequest, TokenResponse,
};
use bordereau_dialects::ServiceEndpoint;
use bordereau_server::PeerAddress;
use bordereau_service_store::accounts::{self, Account};
use bordereau_service_store::tokens::{self, TokenKind};
use serde_json::Value;

use crate::answer::{json_answer, json_status};
use crate::refusal::Refusal;
use crate::service::{AppState, Service};
use crate::{Clock, body, secrets};

/// Longest username, password or refresh token that is looked at.
const TEXT_MAX: usize = 1_024;

/// How long a sign-in waits for its turn to be hashed.
const HASHING_TIME: std::time::Duration = std::time::Duration::from_secs(10);

/// The handler.
pub(crate) async fn post_token(State(app): State<AppState>, request: Request) -> Response {
    let answer = async |request| {
        Ok(match grant_token(&app, request).await {
            Ok(granted) => json_answer(&granted),
            Err(denied) => denied.into_response(),
        })
    };
    app.answer(ServiceEndpoint::Token, request, answer).await
}

/// Why no token was given.
enum TokenDenial {
    /// 401 `invalid_grant`, in the fields of RFC 6749.
    Grant(&'static str),
    /// 400 in the fields of RFC 6749, with the fields at fault.
    Request {
        error: &'static str,
        errors: Vec<FieldProblem>,
    },
    Refused(Refusal),
}

impl From<Refusal> for TokenDenial {
    fn from(refusal: Refusal) -> Self {
        TokenDenial::Refused(refusal)
    }
}

impl IntoResponse for TokenDenial {
    fn into_response(self) -> Response {
        let (status, body) = match self {
            TokenDenial::Refused(refusal) => return refusal.into_response(),
            TokenDenial::Grant(why) => (
                StatusCode::UNAUTHORIZED,
                TokenError {
                    error: "invalid_grant".into(),
                    error_description: why.into(),
                    errors: Vec::new(),
                },
            ),
            TokenDenial::Request { error, errors } => {
                let why: Vec<&str> = errors.iter().map(|e| e.detail.as_str()).collect();
                let body = TokenError { error: error.into(), error_description: why.join(" "), errors };
                (StatusCode::BAD_REQUEST, body)
            }
        };
        json_status(status, &body)
    }
}

async fn grant_token(app: &AppState, request: Request) -> Result<TokenResponse, TokenDenial> {
    let (parts, body) = request.into_parts();
    let text = body::json_text(&parts, body).await?;
    match read(&text)? {
        TokenRequest::Password { username, password } => {
            let peer = parts.extensions.get::<PeerAddress>().map(|peer| peer.0.ip());
            let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
            sign_in(app, username, password, peer).await
        }
        TokenRequest::RefreshToken { refresh_token } => refresh_access(app, &refresh_token).await,
    }
}

fn read(text: &str) -> Result<TokenRequest, TokenDenial> {
    let value: Value = serde_json::from_str(text).map_err(|error| body::not_json(&error))?;
    let Value::Object(fields) = value else {
        return Err(Refusal::malformed("The body is not a JSON object.").into());
    };
    let mut errors = Vec::new();
    let mut text_of = |name: &str| match fields.get(name) {
        Some(Value::String(text)) if !text.is_empty() && text.len() <= TEXT_MAX => text.clone(),
        found => {
            let detail = match found {
                None | Some(Value::Null) => format!("{name} is missing."),
                Some(Value::String(text)) if text.is_empty() => format!("{name} is empty."),
                Some(Value::String(_)) => format!("{name} is longer than {TEXT_MAX} bytes."),
                Some(_) => format!("{name} must be a string."),
            };
            errors.push(FieldProblem { pointer: format!("/{name}"), detail });
            String::new()
        }
    };
    let grant_type = text_of("grant_type");
    let read = match grant_type.as_str() {
        "password" => TokenRequest::Password { username: text_of("username"), password: text_of("password") },
        "refresh_token" => TokenRequest::RefreshToken { refresh_token: text_of("refresh_token") },
        "" => return Err(TokenDenial::Request { error: "invalid_request", errors }),
        other => {
            let other: String = other.chars().take(40).collect();
            let detail = format!("grant_type \"{other}\" is not password or refresh_token.");
            let errors = vec![FieldProblem { pointer: "/grant_type".into(), detail }];
            return Err(TokenDenial::Request { error: "unsupported_grant_type", errors });
        }
    };
    if errors.is_empty() { Ok(read) } else { Err(TokenDenial::Request { error: "invalid_request", errors }) }
}

async fn sign_in(
    app: &AppState,
    username: String,
    password: String,
    peer: IpAddr,
) -> Result<TokenResponse, TokenDenial> {
    let begun =
        app.sign_ins.begin_try(&username, peer, Instant::now()).map_err(Refusal::too_many_sign_ins)?;
    let found =
        app.store.read(move |db| accounts::by_username(db, &username)).await.map_err(Refusal::from)?;
    let (account, phc) = match found {
        Some((account, phc)) => (Some(account), Some(phc)),
        None => (None, None),
    };
    let phc = phc.unwrap_or_else(|| app.decoy_hash.clone());
    let right = app.hash_off_thread(move || secrets::verify_password(&password, &phc)).await?;
    match account {
        Some(account) if right => {
            app.sign_ins.note_success(&begun);
            app.limits.count(&account.id, app.clock.now())?;
            may_sign_in(&account)?;
            issue_tokens(app, &account).await
        }
        _ => Err(TokenDenial::Grant("The username or the password is wrong.")),
    }
}

fn may_sign_in(account: &Account) -> Result<(), Refusal> {
    if !account.active && !account.practice {
        return Err(Refusal::forbidden("The account is inactive."));
    }
    if !account.api_access {
        return Err(Refusal::forbidden("API access is switched off for this account."));
    }
    Ok(())
}

async fn issue_tokens(app: &AppState, account: &Account) -> Result<TokenResponse, TokenDenial> {
    let (access, refresh) = (secrets::generate_secret("bda_"), secrets::generate_secret("bdr_"));
    let (access_hash, refresh_hash) = (secrets::hash(&access), secrets::hash(&refresh));
    let (id, now) = (account.id.clone(), app.clock.now().timestamp());
    app.store
        .with_connection(move |db| {
            tokens::insert(db, &access_hash, &id, TokenKind::Access, now, now + TOKEN_SECONDS)?;
            tokens::insert(db, &refresh_hash, &id, TokenKind::Refresh, now, now + REFRESH_TOKEN_SECONDS)
        })
        .await
        .map_err(Refusal::from)?;
    Ok(TokenResponse { access_token: access, refresh_token: Some(refresh), expires_in: Some(TOKEN_SECONDS) })
}

/// A new access token; the refresh token stays the one the client has (contract section 1 allows both).
async fn refresh_access(app: &AppState, refresh_token: &str) -> Result<TokenResponse, TokenDenial> {
    let hash = secrets::hash(refresh_token);
    let found = app
        .store
        .read(move |db| tokens::find_token(db, &hash, TokenKind::Refresh))
        .await
        .map_err(Refusal::from)?;
    let now = app.clock.now().timestamp();
    let account = match found {
        Some((account, expires_at)) if now < expires_at => account,
        Some(_) => return Err(TokenDenial::Grant("The refresh token has expired; sign in again.")),
        None => return Err(TokenDenial::Grant("The refresh token is not known; sign in again.")),
    };
    app.limits.count(&account.id, app.clock.now())?;
    may_sign_in(&account)?;
    let access = secrets::generate_secret("bda_");
    let access_hash = secrets::hash(&access);
    app.store
        .with_connection(move |db| {
            tokens::insert(db, &access_hash, &account.id, TokenKind::Access, now, now + TOKEN_SECONDS)
        })
        .await
        .map_err(Refusal::from)?;
    Ok(TokenResponse { access_token: access, refresh_token: None, expires_in: Some(TOKEN_SECONDS) })
}

impl Service {
    /// Runs password hashing on a thread that may block, at most two at a time.
    pub(crate) async fn hash_off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let interrupted = || Refusal::internal_error("The service is shutting down.");
        let turn = tokio::time::timeout(HASHING_TIME, self.hashing.acquire()).await;
        let _turn = turn.map_err(|_| Refusal::busy())?.map_err(|_| interrupted())?;
        tokio::task::spawn_blocking(work).await.map_err(|_| interrupted())
    }
}
