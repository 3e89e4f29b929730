//! `bordereau-desktop`: opens the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

use bordereau_desktop::{WindowOptions, run_window};

fn main() -> ExitCode {
    let sentence = match WindowOptions::read(std::env::args_os().skip(1)) {
        Ok(Some(options)) => match run_window(options) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => error.to_string(),
        },
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bordereau-desktop: {error}");
            return ExitCode::from(2);
        }
    };
    eprintln!("bordereau-desktop: {sentence}");
    ExitCode::from(5)
}
