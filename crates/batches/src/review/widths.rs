//! Column widths of the grid, as the person set them.

use bordereau_api::{BoundaryError, ColumnWidths, Nothing};
use bordereau_session::Context;
use bordereau_store::ValueName;

/// Pixels of a column at usual size: no column is lost, none fills the screen.
const WIDTH: std::ops::RangeInclusive<u32> = 32..=800;

/// Widths of columns that are not as usual.
pub async fn column_widths(ctx: &Context, _request: Nothing) -> Result<ColumnWidths, BoundaryError> {
    let kept = ctx.store().load_value::<ColumnWidths>(ValueName::ColumnWidths).await?;
    Ok(kept.map(|(widths, _)| widths).unwrap_or_default())
}

/// Stores them. Those of unknown fields are omitted, too narrow and too wide ones become the nearest allowed.
pub async fn column_widths_save(ctx: &Context, request: ColumnWidths) -> Result<ColumnWidths, BoundaryError> {
    let mut widths = request.widths;
    widths.retain(|field, _| bordereau_spreadsheets::Field::by_name(field).is_some());
    for width in widths.values_mut() {
        *width = (*width).clamp(*WIDTH.start(), *WIDTH.end());
    }
    let kept = ColumnWidths { widths };
    ctx.store().save_value(ValueName::ColumnWidths, &kept, ctx.now_text()).await?;
    Ok(kept)
}
