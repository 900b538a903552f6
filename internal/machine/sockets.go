// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FarFromNetwork describes GPUs of this node without an active network adapter on their socket, "" if there are none or
// sockets are unknown.
func FarFromNetwork() string { return kernel("/").farFromNetwork() }

// FarFromCores describes the GPU with a PCI bus id if this process may use no core of its socket, "" if it may or
// sockets are unknown.
func FarFromCores(gpu string) string { return kernel("/").farFromCores(gpu) }

func (k kernel) farFromNetwork() string {
	var gpus, sockets, near []string // GPUs without an adapter, their sockets, and the numbers of the other GPUs
	adapters, at := k.adapters()
	for i, gpu := range k.list("proc/driver/nvidia/gpus") {
		on := k.socketsOf(k.text("sys/bus/pci/devices", gpu, "local_cpulist"))
		if len(on) == 0 || len(adapters) == 0 || shares(on, at) {
			near = append(near, strconv.Itoa(i))
			continue
		}
		gpus, sockets = append(gpus, gpu), append(sockets, on...)
	}
	if len(gpus) == 0 {
		return ""
	}
	cure := "install an adapter there"
	if len(near) > 0 {
		cure = "if a node has fewer ranks than GPUs, use the other GPUs, by CUDA_DEVICE_ORDER=PCI_BUS_ID " +
			"CUDA_VISIBLE_DEVICES=" + strings.Join(near, ",")
	}
	return fmt.Sprintf("the network adapters (%s) are on socket %s, and GPUs %s on socket %s: their messages to other "+
		"nodes cross the link between sockets; %s", strings.Join(adapters, ", "), unique(at), strings.Join(gpus, ", "),
		unique(sockets), cure)
}

func (k kernel) farFromCores(gpu string) string {
	allowed := field(k.path("proc/self/status"), "Cpus_allowed_list")
	cores := k.socketsOf(allowed)
	on := k.socketsOf(k.text("sys/bus/pci/devices", strings.ToLower(gpu), "local_cpulist"))
	if len(on) == 0 || len(cores) == 0 || shares(on, cores) {
		return ""
	}
	return fmt.Sprintf("the cores %s of this rank are on socket %s, and its GPU %s on socket %s: let mpirun bind each "+
		"rank to the socket of its GPU, as with --map-by ppr:4:socket --bind-to socket for 4 GPUs per socket, or use "+
		"--bind-to none", allowed, unique(cores), gpu, unique(on))
}

// adapters returns the active RDMA devices or, without any, the network interfaces that are up, and their sockets.
// Those on an unknown socket are left out.
func (k kernel) adapters() (names, sockets []string) {
	add := func(dir, name string) {
		if on := k.socketsOf(k.text(dir, name, "device/local_cpulist")); len(on) > 0 {
			names, sockets = append(names, name), append(sockets, on...)
		}
	}
	const fabrics, interfaces = "sys/class/infiniband", "sys/class/net"
	for _, name := range k.list(fabrics) {
		active := func(port string) bool {
			return strings.Contains(k.text(fabrics, name, "ports", port, "state"), "ACTIVE")
		}
		if slices.ContainsFunc(k.list(fabrics+"/"+name+"/ports"), active) {
			add(fabrics, name)
		}
	}
	if len(names) > 0 {
		return names, sockets
	}
	for _, name := range k.list(interfaces) {
		if k.text(interfaces, name, "operstate") == "up" {
			add(interfaces, name)
		}
	}
	return names, sockets
}

// socketsOf returns the sockets of a list of logical processors, such as 0-3,8.
func (k kernel) socketsOf(list string) (sockets []string) {
	for _, n := range numbers(list) {
		socket := k.text("sys/devices/system/cpu", "cpu"+strconv.Itoa(n), "topology/physical_package_id")
		if socket != "" && !slices.Contains(sockets, socket) {
			sockets = append(sockets, socket)
		}
	}
	return sockets
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(socket string) bool { return slices.Contains(b, socket) })
}

// unique lists the distinct texts.
func unique(texts []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(texts))), ", ")
}
