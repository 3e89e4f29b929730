//! The client against the practice service and its faults; what that service cannot do (another host,
//! strange bodies, a foreign authority) against a few lines of a raw TLS listener.

mod answers;
mod documents;
mod downloads;
mod driver;
mod faults;
mod following;
mod imports;
mod limits;
mod practice;
mod probes;
mod quotes;
mod scripted;
mod search_pages;
mod searching;
mod secrecy;
mod signing_in;
mod trust;
mod writes;
