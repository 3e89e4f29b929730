//! How wide the person made the columns of the grid.

use crate::Desk;
use crate::api::{BoundaryError, ColumnWidths, Nothing};
use crate::store::Value;

/// Pixels of a column at usual size: no column is lost, none fills the screen.
const WIDTH: std::ops::RangeInclusive<u32> = 32..=800;

impl Desk {
    /// Widths of columns that are not as usual.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Storage`].
    pub async fn column_widths(&self, _request: Nothing) -> Result<ColumnWidths, BoundaryError> {
        let kept = self.inner.store.value::<ColumnWidths>(Value::ColumnWidths).await?;
        Ok(kept.map(|(widths, _)| widths).unwrap_or_default())
    }

    /// Keeps them. Those of unknown fields are left out, too narrow and too wide ones are taken as the nearest.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Storage`].
    pub async fn column_widths_save(&self, request: ColumnWidths) -> Result<ColumnWidths, BoundaryError> {
        let mut widths = request.widths;
        widths.retain(|field, _| bordereau_intake::Field::by_name(field).is_some());
        for width in widths.values_mut() {
            *width = (*width).clamp(*WIDTH.start(), *WIDTH.end());
        }
        let kept = ColumnWidths { widths };
        self.inner.store.keep_value(Value::ColumnWidths, &kept, self.stamp()).await?;
        Ok(kept)
    }
}
