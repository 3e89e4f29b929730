//! What an option can be: the names on the command line, and what each is in the core.

/// Makes enums that an option is read as, `name => core type`, each with its `From` for the core's own.
macro_rules! choice_names {
    ($($(#[$doc:meta])* $name:ident => $core:ident { $($(#[$help:meta])* $choice:ident => $value:ident,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
        pub(crate) enum $name {
            $($(#[$help])* $choice,)+
        }

        impl From<$name> for $core {
            fn from(name: $name) -> $core {
                match name { $($name::$choice => $core::$value,)+ }
            }
        }
    )+};
}

pub(crate) use choice_names;
