//! NuSMV.
