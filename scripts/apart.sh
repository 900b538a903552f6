# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# apart COMMAND...: runs a command in place of the script that reads this file (bash, read with "."). All processes of
# the command end with the script, also if it is killed: they are in a namespace, if the machine allows one, else in a
# session.
apart() {
	local in=(unshare --pid --fork --kill-child --mount-proc)
	"${in[@]}" true 2>/dev/null || in=(setsid)
	setpriv --pdeathsig KILL "${in[@]}" "$@" &
	trap 'kill -KILL $! 2>/dev/null || true; pkill -KILL --session $! || true' EXIT
	trap 'exit 143' HUP INT TERM
	wait $!
	exit
}
