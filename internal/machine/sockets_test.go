// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"maps"
	"testing"

	"g500/internal/expect"
)

// A GPU is named if its socket has no active adapter, or none of the cores that the process may use. Nodes without the
// facts give no finding.
func TestGPUsOnAnotherSocket(t *testing.T) {
	files := map[string]string{
		"proc/self/status":                                 "Cpus_allowed:\t0f\nCpus_allowed_list:\t0-3\n",
		"sys/class/infiniband/mlx5_0/ports/1/state":        "4: ACTIVE\n",
		"sys/class/infiniband/mlx5_0/device/local_cpulist": "0-1,4-5\n",
		"sys/class/infiniband/mlx5_1/ports/1/state":        "1: DOWN\n",
		"sys/class/infiniband/mlx5_1/device/local_cpulist": "2-3,6-7\n",
		"sys/class/net/eth0/operstate":                     "up\n",
		"sys/class/net/eth0/device/local_cpulist":          "2-3,6-7\n",
		"sys/class/net/eth1/operstate":                     "down\n",
		"sys/class/net/eth1/device/local_cpulist":          "2-3,6-7\n",
		"sys/class/net/lo/operstate":                       "unknown\n",
		"sys/class/net/docker0/operstate":                  "up\n",
		"proc/driver/nvidia/gpus/0000:41:00.0/information": "",
		"proc/driver/nvidia/gpus/0000:c1:00.0/information": "",
		"sys/bus/pci/devices/0000:41:00.0/local_cpulist":   "0-1,4-5\n",
		"sys/bus/pci/devices/0000:c1:00.0/local_cpulist":   "2-3,6-7\n",
	}
	for cpu := range 8 { // of each socket two cores with two threads
		files[fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu)] = fmt.Sprint(cpu / 2 % 2)
	}
	const network = "the network adapters (mlx5_0) are on socket 0, and GPUs 0000:c1:00.0 on socket 1: their messages " +
		"to other nodes cross the link between sockets; "
	const cores = "the cores 0-1,4 of this rank are on socket 0, and its GPU 0000:C1:00.0 on socket 1: let mpirun bind " +
		"each rank to the socket of its GPU, as with --map-by ppr:4:socket --bind-to socket for 4 GPUs per socket, or use " +
		"--bind-to none"
	for name, c := range map[string]struct {
		change         map[string]string
		network, cores string
	}{
		"an adapter on one socket": {nil, network + "if a node has fewer ranks than GPUs, use the other GPUs, by " +
			"CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=0", ""},
		"on both": {map[string]string{"sys/class/infiniband/mlx5_1/ports/1/state": "4: ACTIVE\n"}, "", ""},
		"interfaces only": {map[string]string{"sys/class/infiniband/mlx5_0/ports/1/state": "1: DOWN\n",
			"sys/bus/pci/devices/0000:41:00.0/local_cpulist": "2-3\n",
			"sys/class/net/eth0/device/local_cpulist":        "0\n"},
			"the network adapters (eth0) are on socket 0, and GPUs 0000:41:00.0, 0000:c1:00.0 on socket 1: their messages " +
				"to other nodes cross the link between sockets; install an adapter there", ""},
		"bound to one socket": {map[string]string{"proc/self/status": "Cpus_allowed_list:\t0-1,4\n",
			"sys/class/infiniband/mlx5_1/ports/1/state": "4: ACTIVE\n"}, "", cores},
		"unknown sockets": {map[string]string{"sys/bus/pci/devices/0000:c1:00.0/local_cpulist": "\n",
			"proc/self/status": "Cpus_allowed_list:\t0-1,4\n"}, "", ""},
	} {
		all := maps.Clone(files)
		maps.Copy(all, c.change)
		k := Root(nodeOf(t, all))
		expect.Equal(t, k.FarFromNetwork(), c.network, name, "network")
		expect.Equal(t, k.FarFromCores("0000:C1:00.0"), c.cores, name, "cores")
	}
	if k := Root(t.TempDir()); k.FarFromNetwork() != "" || k.FarFromCores("0000:C1:00.0") != "" {
		t.Error("a node without files has GPUs on another socket")
	}
}
