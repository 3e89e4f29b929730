//! By name: the one way every host serves the list of operations.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Desk;
use crate::api::*;

/// The functions of all rooms, by the names of the list.
mod rooms {
    use crate::Context;
    use crate::api::{BoundaryError, Nothing, ProfileId};

    pub(super) use crate::batch::*;
    pub(super) use crate::confirmation::*;
    pub(super) use crate::diligent::*;
    pub(super) use crate::documents::*;
    pub(super) use crate::due::*;
    pub(super) use crate::events::*;
    pub(super) use crate::pdf::*;
    pub(super) use crate::practice::*;
    pub(super) use crate::profile::*;
    pub(super) use crate::quote::*;
    pub(super) use crate::reference::*;
    pub(super) use crate::review::*;
    pub(super) use crate::settings::*;
    pub(super) use crate::transactions::*;

    /// With the profile goes what its service said.
    pub(super) async fn profile_remove(ctx: &Context, request: ProfileId) -> Result<Nothing, BoundaryError> {
        let id = request.id.clone();
        let removed = crate::profile::profile_remove(ctx, request).await?;
        forget_profile(ctx, &id);
        Ok(removed)
    }
}

macro_rules! serve {
    ($($name:ident: $request:ty => $answer:ty;)+) => {
        /// Names that [`dispatch`] serves, in the order of the list.
        pub const SERVED: &[&str] = &[$(stringify!($name),)+];

        /// Does the operation named with the request as JSON and answers JSON.
        ///
        /// # Errors
        /// That of the operation; [`ErrorCode::Internal`] for a name or a request that cannot be read.
        pub async fn dispatch(desk: &Desk, operation: &str, request: Value) -> Result<Value, BoundaryError> {
            match operation {
                $(stringify!($name) => {
                    let request: $request = read(stringify!($name), request)?;
                    let answer: $answer = Box::pin(rooms::$name(&desk.context, request)).await?;
                    write(&answer)
                })+
                _ => Err(BoundaryError::of(ErrorCode::Internal, "This operation is not known.")),
            }
        }

        impl Desk {
            $(
                #[doc = concat!("The operation `", stringify!($name), "`.")]
                ///
                /// # Errors
                /// Those of the operation.
                pub async fn $name(&self, request: $request) -> Result<$answer, BoundaryError> {
                    rooms::$name(&self.context, request).await
                }
            )+
        }
    };
}

bordereau_api::for_each_operation!(serve);

/// The reason is not repeated for the person: it could quote a secret from the request.
fn read<T: DeserializeOwned>(operation: &'static str, request: Value) -> Result<T, BoundaryError> {
    serde_json::from_value(request).map_err(|error| {
        tracing::warn!(operation, column = error.column(), "request cannot be read");
        BoundaryError::of(ErrorCode::Internal, format!("The request of {operation} cannot be read."))
    })
}

fn write<T: Serialize>(answer: &T) -> Result<Value, BoundaryError> {
    serde_json::to_value(answer).map_err(|_| BoundaryError::internal("writing the answer"))
}
