"""Hardware inputs: the accelerator and what it hangs on, with the catalogue's figures as columns."""

from __future__ import annotations

from reportgen.catalog import accelerators
from reportgen.formula.quantity import choice, number, words
from reportgen.formula.sources import Assumption, Definition
from reportgen.model.axes import ACCELERATOR
from reportgen.model.references import ML_ENGINEERING, NVIDIA_DGX_H100, PCI_SIG

CATALOGUE = Definition("from the accelerator catalogue, whose rows carry their sources")
AS_CATALOGUE = "as catalogue"
MISSING = "missing"
GIB = 2**30

NAMES = tuple(row.accelerator for row in accelerators())

HARDWARE_INPUTS = (
    choice(
        "accelerator",
        NAMES,
        "The accelerator, as named in the catalogue.",
        Assumption("the most widely deployed training accelerator"),
        section="hardware",
        default="NVIDIA H100 SXM",
        choices_from="accelerator_name",
    ),
    number(
        "accelerator_memory_override",
        "byte/GPU",
        "Usable memory of one GPU, where it differs from the catalogue's.",
        CATALOGUE,
        section="hardware",
        between=(1, 2**50),
        word=AS_CATALOGUE,
    ),
    number(
        "peak_flops_override",
        "FLOP/second/GPU",
        "Dense peak of one GPU at the training precision, where it differs from the catalogue's bf16 peak.",
        CATALOGUE,
        section="hardware",
        between=(1, 1e20),
        word=AS_CATALOGUE,
    ),
    number(
        "gpus_per_node",
        "GPU/node",
        "GPUs in one server.",
        NVIDIA_DGX_H100.at("introduction"),
        section="hardware",
        default=8,
        between=(1, 1024),
        whole=True,
    ),
    number(
        "framework_bytes",
        "byte/GPU",
        "Memory that the CUDA context and the communication library take, unseen by the framework's own counters.",
        ML_ENGINEERING.at("memory usage of a CUDA context and NCCL, 0.5 to 2 GiB and more"),
        section="hardware",
        default=GIB,
        between=(0, 2**40),
    ),
    number(
        "memory_reserve_fraction",
        "1",
        "Share of the usable memory kept free for what is not modelled: fragmentation, buckets, temporary tensors.",
        Assumption("closed forms come out below measured peaks; this share is left free until each cause is modelled"),
        section="hardware",
        default=0.1,
        between=(0, 0.9),
    ),
    number(
        "host_link_bandwidth",
        "byte/second/GPU",
        "Device-to-host bandwidth of one GPU.",
        PCI_SIG.at("x16, one direction, 64 GB/s less protocol, as sustained by pinned copies"),
        section="hardware",
        default=50e9,
        between=(1e6, 1e15),
    ),
    number(
        "node_disk_bandwidth",
        "byte/second/node",
        "Sustained write bandwidth of one node's local NVMe.",
        Assumption("eight data-centre NVMe drives of about 4 GB/s behind one server, half of it sustained"),
        section="hardware",
        default=16e9,
        between=(1e6, 1e15),
    ),
    number(
        "node_host_memory",
        "byte/node",
        "Host memory of one server.",
        NVIDIA_DGX_H100.at("system memory, 2 TB"),
        section="hardware",
        default=2e12,
        between=(1e9, 1e15),
    ),
    number(
        "node_disk_capacity",
        "byte/node",
        "Capacity of one server's local NVMe.",
        NVIDIA_DGX_H100.at("internal storage, eight drives of 3.84 TB"),
        section="hardware",
        default=30.72e12,
        between=(1e9, 1e17),
    ),
    number(
        "node_storage_bandwidth",
        "byte/second/node",
        "Bandwidth from one node to the shared store.",
        NVIDIA_DGX_H100.at("storage network, 400 Gb/s, half of it sustained"),
        section="hardware",
        default=25e9,
        between=(1e6, 1e15),
    ),
    number(
        "store_bandwidth",
        "byte/second",
        "Write bandwidth of the shared store for all nodes together.",
        Assumption("a mid-sized parallel file system; a store's own figure should replace it"),
        section="hardware",
        default=200e9,
        between=(1e6, 1e16),
    ),
    number(
        "accelerator_memory_column",
        "byte/GPU",
        "Usable memory of each accelerator of the catalogue.",
        CATALOGUE,
        section="catalogue",
        default=tuple(row.memory_bytes_usable or MISSING for row in accelerators()),
        between=(1, 2**50),
        word=MISSING,
        axis=ACCELERATOR,
    ),
    number(
        "peak_flops_column",
        "FLOP/second/GPU",
        "Dense bf16 peak of each accelerator of the catalogue.",
        CATALOGUE,
        section="catalogue",
        default=tuple(row.peak_flops_bf16 or MISSING for row in accelerators()),
        between=(1, 1e20),
        word=MISSING,
        axis=ACCELERATOR,
    ),
    words(
        "accelerator_name",
        "Name of the accelerator.",
        CATALOGUE,
        section="catalogue",
        default=NAMES,
        axis=ACCELERATOR,
    ),
)
