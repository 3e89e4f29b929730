//! `bordereau workspace files`.

use std::path::PathBuf;

use bordereau_desk::api::{Nothing, OfficeFilesKey};
use bordereau_desk::workspace::{self, BOUND_KB, FilePlace, OfficeFiles};
use clap::{Args, Subcommand};

use crate::exit::CommandExit;
use crate::file_target::read_data;
use crate::shared_arguments::GlobalArgs;
use crate::workspace::{OfficeArguments, show_office, show_status};
use crate::{open_desk, secret_entry};

#[derive(Debug, Subcommand)]
pub(crate) enum FilesCommand {
    /// Store all files in the database
    Database(OfficeArguments),
    /// Store larger files in a folder that every desk has at the same path, such as a share
    Folder {
        /// Full path of the folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        #[command(flatten)]
        bound: BoundArgument,
        #[command(flatten)]
        office: OfficeArguments,
    },
    /// Store larger files in a bucket of S3 or a compatible service; enter this computer's key first
    S3(Box<BucketArguments>),
    /// Store this computer's key for S3 in its keychain; on a server set BORDEREAU_FILES_KEY for each command
    Key,
}

#[derive(Args, Debug)]
pub(crate) struct BoundArgument {
    /// Files above this many KB count as larger: 64 to 4096
    #[arg(long = "over-kb", value_name = "KB", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(i64::from(*BOUND_KB.start())..=i64::from(*BOUND_KB.end())))]
    kb: u32,
}

#[derive(Args, Debug)]
pub(crate) struct BucketArguments {
    /// Name of the bucket
    #[arg(long, value_name = "NAME")]
    bucket: String,
    /// Region of the bucket
    #[arg(long, value_name = "NAME", default_value = "us-east-1")]
    region: String,
    /// Address of the service, https://; default: that of AWS in the region
    #[arg(long, value_name = "URL", default_value = "")]
    endpoint: String,
    /// Prefix of all file names
    #[arg(long, value_name = "TEXT", default_value = "")]
    prefix: String,
    /// Trust only this certificate authority for the service, PEM; default: the system's
    #[arg(long, value_name = "FILE")]
    s3_authority: Option<PathBuf>,
    #[command(flatten)]
    bound: BoundArgument,
    #[command(flatten)]
    office: OfficeArguments,
}

pub(crate) async fn run_files(place: &GlobalArgs, command: FilesCommand) -> Result<(), CommandExit> {
    let (files, office) = match command {
        FilesCommand::Database(office) => (OfficeFiles::default(), office),
        FilesCommand::Folder { folder, bound, office } => {
            let path = folder.to_string_lossy().into_owned();
            (larger_ones(FilePlace::Folder { path }, bound), office)
        }
        FilesCommand::S3(asked) => {
            let BucketArguments { bucket, region, endpoint, prefix, s3_authority, bound, office } = *asked;
            let authority = s3_authority.as_deref().map_or(Ok(String::new()), read_data)?;
            let place = FilePlace::Bucket { bucket, region, endpoint, prefix, authority };
            (larger_ones(place, bound), office)
        }
        FilesCommand::Key => {
            let key = secret_entry::ask_secret("key of S3 (access key ID, a colon, secret access key)")?;
            let desk = open_desk::open_own(place)?;
            desk.office_files_key(OfficeFilesKey { key }).await?;
            return show_office(place, &desk.office_show(Nothing {}).await?);
        }
    };
    let database = office.open_with_key(place)?;
    workspace::change_files(database.clone(), files).await?;
    show_status(place, &workspace::workspace_status(database).await?)
}

fn larger_ones(place: FilePlace, bound: BoundArgument) -> OfficeFiles {
    OfficeFiles { place, bound_kb: bound.kb, ..OfficeFiles::default() }
}
