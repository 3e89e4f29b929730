//! Where the window may be: on a monitor that is there now.

/// A rectangle in physical pixels of the desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelArea {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// So much of the title bar must be on a monitor for a person to reach the window.
const REACHABLE_WIDTH: i64 = 120;
const REACHABLE_HEIGHT: i64 = 40;

/// The window as it was kept, moved and shrunk only as far as needed: a monitor may have been unplugged,
/// or be smaller than before. `None` when it can stay, or when no monitor is known.
pub(crate) fn onto_a_monitor(window: PixelArea, monitors: &[PixelArea]) -> Option<PixelArea> {
    let home = monitors.iter().max_by_key(|monitor| overlap_area(window, **monitor))?;
    let fits = window.width <= home.width && window.height <= home.height;
    if fits && monitors.iter().any(|monitor| title_bar_reachable(window, *monitor)) {
        return None;
    }
    let width = window.width.min(home.width);
    let height = window.height.min(home.height);
    let between = |value: i32, from: i32, room: u32| {
        value.clamp(from, from.saturating_add(i32::try_from(room).unwrap_or(i32::MAX)))
    };
    Some(PixelArea {
        x: between(window.x, home.x, home.width - width),
        y: between(window.y, home.y, home.height - height),
        width,
        height,
    })
}

fn area_edges(area: PixelArea) -> (i64, i64, i64, i64) {
    let (x, y) = (i64::from(area.x), i64::from(area.y));
    (x, y, x + i64::from(area.width), y + i64::from(area.height))
}

fn overlap_area(a: PixelArea, b: PixelArea) -> i64 {
    let ((ax, ay, ar, ab), (bx, by, br, bb)) = (area_edges(a), area_edges(b));
    (ar.min(br) - ax.max(bx)).max(0) * (ab.min(bb) - ay.max(by)).max(0)
}

fn title_bar_reachable(window: PixelArea, monitor: PixelArea) -> bool {
    let ((wx, wy, wr, _), (mx, my, mr, mb)) = (area_edges(window), area_edges(monitor));
    wr.min(mr) - wx.max(mx) >= REACHABLE_WIDTH && wy >= my && wy + REACHABLE_HEIGHT <= mb
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn area(x: i32, y: i32, width: u32, height: u32) -> PixelArea {
        PixelArea { x, y, width, height }
    }

    #[test]
    fn a_window_is_always_reachable() {
        let one = vec![area(0, 0, 1920, 1080)];
        let two = vec![area(0, 0, 1920, 1080), area(1920, 0, 1280, 1024)];
        let cases = [
            ("stays where it fits", area(100, 100, 1360, 860), &two, None),
            ("may hang over an edge", area(1700, 100, 1360, 860), &one, None),
            (
                "came from a monitor that is gone",
                area(2500, 100, 1280, 860),
                &one,
                Some(area(640, 100, 1280, 860)),
            ),
            ("title bar above the screen", area(100, -300, 900, 600), &one, Some(area(100, 0, 900, 600))),
            ("larger than the monitor", area(0, 0, 2560, 1400), &one, Some(area(0, 0, 1920, 1080))),
            ("far away", area(-30000, -30000, 900, 600), &one, Some(area(0, 0, 900, 600))),
        ];
        for (what, window, monitors, expected) in cases {
            assert_eq!(onto_a_monitor(window, monitors), expected, "{what}");
        }
        assert_eq!(onto_a_monitor(area(0, 0, 10, 10), &[]), None, "no monitor known");
    }
}
