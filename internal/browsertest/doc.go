// SPDX-License-Identifier: Apache-2.0

// Package browsertest drives a headless Chromium for tests, over the pipe of its DevTools protocol. The browser has no
// network and no sandbox, because containers lack one.
package browsertest
