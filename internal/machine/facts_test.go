// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"g500/internal/expect"
)

// nodeOf writes the files of an invented node.
func nodeOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		expect.Write(t, filepath.Join(root, name), text)
	}
	return root
}

// A node with two sockets of two cores with two threads, two GPUs, an InfiniBand port and Ethernet.
func TestFactsOfANode(t *testing.T) {
	files := map[string]string{
		"proc/cpuinfo":                           "processor\t: 0\nmodel name\t: Model X\n",
		"proc/meminfo":                           "MemTotal:       527932112 kB\n",
		"proc/sys/kernel/osrelease":              "6.1.0-18-amd64\n",
		"etc/os-release":                         "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
		"proc/driver/nvidia/version":             "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5\n",
		"sys/class/net/lo/speed":                 "",
		"sys/class/net/docker0/speed":            "10000\n",
		"sys/class/net/eth0/speed":               "25000\n",
		"sys/class/net/eth1/speed":               "-1\n",
		"sys/class/net/eth1/device/vendor":       "0x15b3\n",
		"sys/class/infiniband/mlx5_0/hca_type":   "MT4129\n",
		"sys/devices/system/cpu/cpufreq/boost":   "1\n",
		"sys/bus/pci/drivers/mlx5_core/uevent":   "",
		"sys/devices/system/cpu/cpu9/online":     "0\n",
		"sys/class/net/eth0/device/vendor":       "0x15b3\n",
		"sys/class/infiniband/mlx5_0/node_guid":  "0000:0000:0000:0000\n",
		"proc/driver/nvidia/gpus/01/information": "Model: \t\t NVIDIA H200\nIRQ: 5\n",
		"proc/driver/nvidia/gpus/02/information": "Model: \t\t NVIDIA H200\n",
	}
	for i, place := range [][2]string{{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"},
		{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}} {
		at := filepath.Join("sys/devices/system/cpu", "cpu"+string(rune('0'+i)), "topology")
		files[filepath.Join(at, "physical_package_id")], files[filepath.Join(at, "core_id")] = place[0], place[1]
	}
	for name, text := range map[string]string{"cpu0/cpufreq/scaling_governor": "powersave\n",
		"cpu1/cpufreq/scaling_governor": "performance\n", "cpu2/cpufreq/scaling_governor": "powersave\n",
		"cpu0/cpufreq/scaling_driver": "acpi-cpufreq\n", "cpu1/cpufreq/scaling_driver": "acpi-cpufreq\n"} {
		files[filepath.Join("sys/devices/system/cpu", name)] = text
	}
	port := "sys/class/infiniband/mlx5_0/ports/1"
	files[port+"/link_layer"], files[port+"/rate"] = "InfiniBand\n", "400 Gb/sec (4X NDR)\n"
	files[port+"/state"] = "4: ACTIVE\n"
	root := nodeOf(t, files)
	expect.NoError(t, os.Symlink("../../../../bus/pci/drivers/mlx5_core",
		filepath.Join(root, "sys/class/net/eth0/device/driver")))
	want := Facts{
		CPU: "Model X", Sockets: 2, Cores: 4, Threads: 8, MemoryB: 503 << 30,
		GPUs: []string{"NVIDIA H200", "NVIDIA H200"}, Driver: "550.54.15",
		Networks: []string{"mlx5_0 port 1, MT4129: InfiniBand, 400 Gb/sec (4X NDR), active",
			"eth0 (mlx5_core): 25 Gb/s", "eth1 (unknown driver): unknown speed"},
		Kernel: "6.1.0-18-amd64", Distro: "Debian GNU/Linux 12 (bookworm)",
		Scaling: "performance, powersave (driver acpi-cpufreq, unknown)",
	}
	expect.Equal(t, Root(root).Describe(), want)
}

// A node without files, as in some containers, has no facts.
func TestFactsWithoutFiles(t *testing.T) {
	got := Root(t.TempDir()).Describe()
	expect.That(t, got.Threads >= 1 && got.CPU == "" && got.MemoryB == 0 && got.GPUs == nil && got.Networks == nil &&
		got.Scaling == "", "%+v", got)
}

func TestTransportVariables(t *testing.T) {
	changing := []string{"FI_PROVIDER=tcp", "I_MPI_FABRICS=shm", "MPICH_OFI_NIC_POLICY=GPU", "NCCL_ALGO=Ring",
		"NCCL_IB_ADDR_RANGE=10.0.0.0/8",
		"NCCL_P2P_DISABLE=1", "OMPI_MCA_btl=self,vader", "OMPI_MCA_btl_tcp_if_include=eth0", "UCX_TLS=tcp"}
	given := append([]string{"UCX_LOG_LEVEL=info", "OMPI_MCA_orte_hnp_uri=1.0;tcp://10.0.0.1:4", "NCCL_HOSTID=rank-1",
		"MPIR_CVAR_CH3_INTERFACE_HOSTNAME=a", "NCCL_DEBUG=INFO", "OMPI_MCA_btl_base_verbose=30", "I_MPI_ROOT=/opt",
		"NCCL_IB_HCA=", "NCCL_COMM_ID=node1:4000", "FI_PSM3_UUID=7", "NCCL_RAS_ADDR=node1:28028", "MPICH_ENV_DISPLAY=1",
		"MPICH_MEMORY_REPORT=1", "HOME=/root", "MY_UCX_TLS=tcp"}, changing...)
	slices.Reverse(given)
	expect.Equal(t, TransportVariables(given), changing)
}

func TestQueueTellsWhatTheJobWasGiven(t *testing.T) {
	for _, name := range queueVariables {
		t.Setenv(name, "")
	}
	expect.Equal(t, Queue(), nil)
	t.Setenv("SLURM_JOB_NUM_NODES", "4")
	t.Setenv("SLURM_JOB_ID", "17")
	t.Setenv("SLURM_JWT", "secret")
	expect.Equal(t, Queue(), []string{"SLURM_JOB_ID=17", "SLURM_JOB_NUM_NODES=4"})
}

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
	k := Root(t.TempDir())
	expect.Equal(t, k.FarFromNetwork()+k.FarFromCores("0000:C1:00.0"), "", "a node without files")
}
