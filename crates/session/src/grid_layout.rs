//! The arrangement of the grid's columns: one for each saved mapping, and one for all files without a mapping.

use std::collections::BTreeMap;

use bordereau_api::{BoundaryError, GridLayout, MappingName, SaveGridLayout};
use bordereau_spreadsheets::Field;
use bordereau_store::ValueName;
use serde::{Deserialize, Serialize};

use crate::Context;

/// Pixels of a column at normal zoom: none disappears, none fills the screen.
const WIDTH: std::ops::RangeInclusive<u32> = 32..=800;
/// Columns that stay while the others scroll.
const FROZEN_MAX: u32 = 8;
/// Mappings whose layout is stored.
const MAPPINGS_MAX: usize = 500;

/// The stored layouts. An earlier version stored only widths, for all files.
#[derive(Default, Serialize, Deserialize)]
struct GridLayouts {
    #[serde(flatten)]
    unnamed: GridLayout,
    #[serde(default)]
    mappings: BTreeMap<String, GridLayout>,
}

async fn load(ctx: &Context) -> Result<GridLayouts, BoundaryError> {
    let stored = ctx.store().load_value::<GridLayouts>(ValueName::ColumnWidths).await?;
    Ok(stored.map(|(layouts, _)| layouts).unwrap_or_default())
}

async fn save(ctx: &Context, layouts: &GridLayouts) -> Result<(), BoundaryError> {
    Ok(ctx.store().save_value(ValueName::ColumnWidths, layouts, ctx.now_text()).await?)
}

/// The layout of a mapping; without one, the layout for files without a mapping.
pub async fn grid_layout(ctx: &Context, request: MappingName) -> Result<GridLayout, BoundaryError> {
    let mut layouts = load(ctx).await?;
    Ok(layouts.mappings.remove(&request.name).unwrap_or(layouts.unnamed))
}

/// Stores a layout. Unknown fields are dropped, widths are brought into the allowed range.
pub async fn grid_layout_save(ctx: &Context, request: SaveGridLayout) -> Result<GridLayout, BoundaryError> {
    let mut layout = request.layout;
    let is_known = |field: &String| Field::by_name(field).is_some();
    layout.widths.retain(|field, _| is_known(field));
    for width in layout.widths.values_mut() {
        *width = (*width).clamp(*WIDTH.start(), *WIDTH.end());
    }
    for fields in [&mut layout.order, &mut layout.hidden] {
        let mut seen = std::collections::BTreeSet::new();
        fields.retain(|field| is_known(field) && seen.insert(field.clone()));
    }
    layout.frozen = layout.frozen.min(FROZEN_MAX);
    let mut layouts = load(ctx).await?;
    let is_new = !layouts.mappings.contains_key(&request.mapping);
    if request.mapping.is_empty() || (is_new && layouts.mappings.len() >= MAPPINGS_MAX) {
        layouts.unnamed = layout.clone();
    } else {
        layouts.mappings.insert(request.mapping, layout.clone());
    }
    save(ctx, &layouts).await?;
    Ok(layout)
}

/// Gives a copied mapping the layout of the original, and removes that of a removed mapping.
pub async fn copy_layout(
    ctx: &Context,
    name: &str,
    to: Option<&str>,
    moves: bool,
) -> Result<(), BoundaryError> {
    let mut layouts = load(ctx).await?;
    let Some(layout) = layouts.mappings.get(name).cloned() else { return Ok(()) };
    if let Some(to) = to {
        layouts.mappings.insert(to.to_owned(), layout);
    }
    if moves {
        layouts.mappings.remove(name);
    }
    save(ctx, &layouts).await
}
