// SPDX-License-Identifier: Apache-2.0

// Package output writes results in the formats that commands share: tables for people, CSV and JSON.
package output
