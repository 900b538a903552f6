# g500 under ReFrame 4: reframe -c packaging/reframe/g500.py -r
#
# g500_cpu starts one rank per node, which uses all cores. g500_gpu runs on partitions with the feature "gpu", with one
# rank per device of type "gpu" in their configuration. Scale 24 needs 19 GiB on CPUs, scale 26 27 GiB on one GPU.
# If srun does not start tasks by PMIx, export SLURM_MPI_TYPE=pmix.
# Set variables by -S: -S num_nodes=4 -S g500_cpu.scale=28 -S program=/opt/g500/bin/g500 -S modules=g500

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ

# Figures of the official output block, with the expression before the number and the unit.
FIGURES = {
    'construction': ('^construction_time:', 's'),
    'bfs': (r'^bfs  harmonic_mean_TEPS:\s+!', 'TEPS'),
    'bfs_median_time': ('^bfs  median_time:', 's'),
    'bfs_validation': ('^bfs  mean_validate:', 's'),
    'sssp': (r'^sssp harmonic_mean_TEPS:\s+!', 'TEPS'),
    'sssp_median_time': ('^sssp median_time:', 's'),
    'sssp_validation': ('^sssp mean_validate:', 's'),
}


class G500(rfm.RunOnlyRegressionTest):
    program = variable(str, value='g500')
    scale = variable(int)
    engine = variable(str)
    num_nodes = variable(int, value=1)
    flags = variable(typ.List[str], value=[])

    valid_prog_environs = ['*']
    time_limit = '1h'
    maintainers = ['g500']

    # Examples of references, from results/ of g500. Other systems need their own:
    #
    # reference = {
    #     'h200:gpu': {'bfs': (1.88e12, -0.05, None, 'TEPS'), 'sssp': (5.24e11, -0.05, None, 'TEPS')},   # scale 26
    #     'xeon:cpu': {'bfs': (3.88e10, -0.10, None, 'TEPS')},                                # 32 cores, scale 24
    # }

    @run_after('setup')
    def set_command(self):
        self.executable = self.program
        self.executable_opts = ['run', '--kernel', 'both', '--engine', self.engine, '--scale', str(self.scale)]
        self.executable_opts += self.flags
        self.num_tasks_per_node = self.ranks_per_node()
        self.num_tasks = self.num_nodes * self.num_tasks_per_node
        cores = self.current_partition.processor.num_cores
        if cores:
            self.num_cpus_per_task = max(1, cores // self.num_tasks_per_node)

    @run_before('run')
    def share_cores(self):
        if self.job.launcher.registered_name == 'mpirun':
            self.job.launcher.options = ['--bind-to', 'none']

    @sanity_function
    def valid(self):
        return sn.assert_found('^VALID$', self.stdout)

    @run_before('performance')
    def set_figures(self):
        for name, (key, unit) in FIGURES.items():
            figure = sn.extractsingle(key + r'\s+(?P<figure>\S+)', self.stdout, 'figure', float)
            self.perf_variables[name] = sn.make_performance_function(figure, unit)


@rfm.simple_test
class g500_cpu(G500):
    descr = 'Graph500 on CPUs, both kernels, validated'
    valid_systems = ['*']
    engine = 'cpu'
    scale = 24

    def ranks_per_node(self):
        return 1


@rfm.simple_test
class g500_gpu(G500):
    descr = 'Graph500 on NVIDIA GPUs, both kernels, validated'
    valid_systems = ['+gpu']
    engine = 'gpu'
    scale = 26

    def ranks_per_node(self):
        return max([1] + [d.num_devices for d in self.current_partition.devices if d.type == 'gpu'])
