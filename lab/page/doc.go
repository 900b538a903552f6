// SPDX-License-Identifier: Apache-2.0

// Package page makes the page of studies: verdicts, pictures and the tables of each study.
package page
