//! `bordereau-desktop`: opens the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

use bordereau_desktop::{MessageLevel, RequestedStart, read_arguments, run_window, show_message};

fn main() -> ExitCode {
    bordereau_host::protect_process();
    if let Some(code) = bordereau_desk::reading_process::run_if_requested() {
        return code;
    }
    if let Err(fault) = bordereau_host::check_computer() {
        show_message(MessageLevel::Error, &fault);
        return ExitCode::from(5);
    }
    let folder = std::env::current_dir().unwrap_or_default();
    match read_arguments(std::env::args_os().skip(1), &folder) {
        Ok(RequestedStart::Window(options)) => match run_window(options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                show_message(MessageLevel::Error, &error.to_string());
                ExitCode::from(5)
            }
        },
        Ok(RequestedStart::Text(text)) => {
            show_message(MessageLevel::Info, &text);
            ExitCode::SUCCESS
        }
        Err(error) => {
            show_message(MessageLevel::Error, &error.to_string());
            ExitCode::from(2)
        }
    }
}
