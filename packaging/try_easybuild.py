"""Runs a recipe without EasyBuild: python3 try_easybuild.py FILE.eb SOURCES PREFIX.

It calls make in the folder of the sources and checks files and commands as EasyBuild would do. For recipes with CUDA it
only prints make's arguments.
"""

import os
import subprocess
import sys

recipe, sources, prefix = sys.argv[1:]
values = {"SYSTEM": "system", "SOURCELOWER_TAR_GZ": "%(namelower)s-%(version)s.tar.gz"}
with open(recipe) as file:
    exec(compile(file.read(), recipe, "exec"), values)

cuda = [version for name, version, *_ in values.get("dependencies", []) if name == "CUDA"]
suffix = values.get("versionsuffix", "").replace("%(cudaver)s", "".join(cuda))
toolchain = values["toolchain"]
name = f"g500-{values['version']}-{toolchain['name']}-{toolchain['version']}{suffix}.eb"
if os.path.basename(recipe) != name:
    sys.exit(f"EasyBuild searches for {name}")
templates = {
    "%(installdir)s": prefix,
    "%(builddir)s/go": subprocess.check_output(["go", "env", "GOPATH"], text=True).strip(),
    "%(cuda_cc_space_sep_no_period)s": " ".join(values.get("cuda_compute_capabilities", [])).replace(".", ""),
}


def command(*parts):
    line = "".join(parts)
    for template, value in templates.items():
        line = line.replace(template, value)
    print(line, flush=True)
    if not cuda:
        subprocess.run(line, shell=True, check=True, cwd=sources, env=environment)


environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}
command(values["prebuildopts"], "make ", values["buildopts"])
command(values["preinstallopts"], "make install ", values["installopts"])
for check in values["sanity_check_commands"]:
    command(check)
for file in values["sanity_check_paths"]["files"]:
    if not cuda and not os.path.isfile(os.path.join(prefix, file)):
        sys.exit(f"there is no {file} below {prefix}")
