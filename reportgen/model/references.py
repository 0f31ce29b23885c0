"""The publications that the estimator stands on, each kept once."""

from __future__ import annotations

from reportgen.formula.sources import Source

RAJBHANDARI_2020 = Source(
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    "Rajbhandari et al., SC20",
    "2020",
    "https://arxiv.org/abs/1910.02054",
)
KORTHIKANTI_2022 = Source(
    "Reducing Activation Recomputation in Large Transformer Models",
    "Korthikanti et al.",
    "2022",
    "https://arxiv.org/abs/2205.05198",
)
NARAYANAN_2021 = Source(
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    "Narayanan et al., SC21",
    "2021",
    "https://arxiv.org/abs/2104.04473",
)
KAPLAN_2020 = Source(
    "Scaling Laws for Neural Language Models", "Kaplan et al.", "2020", "https://arxiv.org/abs/2001.08361"
)
CHOWDHERY_2022 = Source(
    "PaLM: Scaling Language Modeling with Pathways",
    "Chowdhery et al.",
    "2022",
    "https://arxiv.org/abs/2204.02311",
)
VASWANI_2017 = Source("Attention Is All You Need", "Vaswani et al.", "2017", "https://arxiv.org/abs/1706.03762")
SHAZEER_2020 = Source("GLU Variants Improve Transformer", "Shazeer", "2020", "https://arxiv.org/abs/2002.05202")
SHAZEER_2017 = Source(
    "Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer",
    "Shazeer et al.",
    "2017",
    "https://arxiv.org/abs/1701.06538",
)
DEEPSEEK_MOE = Source(
    "DeepSeekMoE: Towards Ultimate Expert Specialization in Mixture-of-Experts Language Models",
    "Dai et al.",
    "2024",
    "https://arxiv.org/abs/2401.06066",
)
DEEPSEEK_V2 = Source(
    "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
    "DeepSeek-AI",
    "2024",
    "https://arxiv.org/abs/2405.04434",
)
DEEPSEEK_V3 = Source("DeepSeek-V3 Technical Report", "DeepSeek-AI", "2024", "https://arxiv.org/abs/2412.19437")
HU_2021 = Source(
    "LoRA: Low-Rank Adaptation of Large Language Models", "Hu et al.", "2021", "https://arxiv.org/abs/2106.09685"
)
DETTMERS_2023 = Source(
    "QLoRA: Efficient Finetuning of Quantized LLMs", "Dettmers et al.", "2023", "https://arxiv.org/abs/2305.14314"
)
BITSANDBYTES = Source(
    "bitsandbytes", "bitsandbytes foundation", "2024", "https://github.com/bitsandbytes-foundation/bitsandbytes"
)
PEFT = Source("PEFT: Parameter-Efficient Fine-Tuning", "Hugging Face", "2024", "https://github.com/huggingface/peft")
SHAZEER_2018 = Source(
    "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost",
    "Shazeer and Stern",
    "2018",
    "https://arxiv.org/abs/1804.04235",
)
JORDAN_2024 = Source(
    "Muon: An optimizer for hidden layers in neural networks",
    "Jordan et al.",
    "2024",
    "https://kellerjordan.github.io/posts/muon",
)
HUANG_2019 = Source(
    "GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism",
    "Huang et al.",
    "2019",
    "https://arxiv.org/abs/1811.06965",
)
QI_2023 = Source("Zero Bubble Pipeline Parallelism", "Qi et al.", "2023", "https://arxiv.org/abs/2401.10241")
REN_2021 = Source(
    "ZeRO-Offload: Democratizing Billion-Scale Model Training", "Ren et al.", "2021", "https://arxiv.org/abs/2101.06840"
)
NANOTRON = Source("nanotron", "Hugging Face", "2025", "https://github.com/huggingface/nanotron")
TORCHTITAN = Source("torchtitan", "PyTorch", "2026", "https://github.com/pytorch/torchtitan")
PYTORCH = Source("PyTorch", "PyTorch", "2026", "https://github.com/pytorch/pytorch")
DAO_2022 = Source(
    "FlashAttention: Fast and Memory-Efficient Exact Attention",
    "Dao et al.",
    "2022",
    "https://arxiv.org/abs/2205.14135",
)
DAO_2023 = Source(
    "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
    "Dao",
    "2023",
    "https://arxiv.org/abs/2307.08691",
)
BELTAGY_2020 = Source(
    "Longformer: The Long-Document Transformer", "Beltagy et al.", "2020", "https://arxiv.org/abs/2004.05150"
)
DETTMERS_2022 = Source(
    "8-bit Optimizers via Block-wise Quantization",
    "Dettmers et al.",
    "2022",
    "https://arxiv.org/abs/2110.02861",
)
LOSHCHILOV_2019 = Source(
    "Decoupled Weight Decay Regularization",
    "Loshchilov and Hutter",
    "2019",
    "https://arxiv.org/abs/1711.05101",
)
CHEN_2023 = Source(
    "Symbolic Discovery of Optimization Algorithms", "Chen et al.", "2023", "https://arxiv.org/abs/2302.06675"
)
LLAMA3_2024 = Source("The Llama 3 Herd of Models", "Llama Team, Meta", "2024", "https://arxiv.org/abs/2407.21783")
BLOOM_2022 = Source(
    "BLOOM 176B training notes", "BigScience", "2022", "https://github.com/bigscience-workshop/bigscience"
)
MEGATRON_LM = Source(
    "Megatron-LM and Megatron Core documentation",
    "NVIDIA",
    "2024",
    "https://github.com/NVIDIA/Megatron-LM",
)
PYTORCH_AUTOGRAD = Source(
    "Bytes of unique storages that one layer keeps, measured with PyTorch 2.13 autograd",
    "reportgen measurements",
    "2026",
    "tests/cases/activations.csv and tests/cases/loss_heads.csv",
)
PYTORCH_FSDP = Source(
    "torch.distributed.fsdp documentation",
    "PyTorch",
    "2025",
    "https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html",
)
PCI_SIG = Source("PCI Express 5.0, x16", "PCI-SIG", "2019", "https://pcisig.com")
NVIDIA_DGX_H100 = Source("DGX H100 user guide", "NVIDIA", "2023", "https://docs.nvidia.com/dgx/dgxh100-user-guide")
ML_ENGINEERING = Source(
    "Machine Learning Engineering Open Book, accelerators",
    "Bekman",
    "2026",
    "https://github.com/stas00/ml-engineering",
)
DEEPSPEED = Source("DeepSpeed", "Microsoft", "2025", "https://github.com/deepspeedai/DeepSpeed")
