"""What the form of a job says before anything is submitted, and the examples."""

from __future__ import annotations

from danlu.wire.job_fields import FIELDS

MESSAGES: dict[str, tuple[str, str]] = {
    # What the form calls a field where that is not its label elsewhere.
    **{f"forms.label.{name}": field.form_label for name, field in FIELDS.items() if field.form_label},
    # When it would start.
    "forms.would_start": ("It would start now on {node}{gpus}.", "现在提交会立即在 {node}{gpus} 上启动。"),
    "forms.elements_would_start": (
        "{started} of its {total} elements would start now, the first on {node}{gpus}.",
        "共 {total} 个子任务，其中 {started} 个会立即启动，第一个在 {node}{gpus} 上。",
    ),
    "forms.gpus": (", GPU {ids}", " 的 GPU {ids}"),
    "forms.would_wait": ("It would wait. {reasons}", "现在提交需要等待。{reasons}"),
    "forms.would_be_held": (
        "It would be on hold until a user releases it.",
        "提交后会处于挂起状态，释放后才会排队。",
    ),
    "forms.directory": ("its folder", "目录"),
    "forms.environment": ("its environment", "环境"),
    "forms.program": ("its program", "程序"),
    # Why a folder is not shown.
    "forms.folder.outside": (
        "{path} is outside the folders that you may browse.",
        "{path} 不在您可以浏览的文件夹之内。",
    ),
    "forms.folder.missing": ("There is no folder {path}.", "没有文件夹 {path}。"),
    "forms.folder.no_folder": ("{path} is not a folder.", "{path} 不是文件夹。"),
    "forms.folder.unreadable": ("Your account may not look into {path}.", "您的账号无权查看 {path}。"),
    "forms.folder.hangs": (
        "{path} does not answer; its file system may hang.",
        "{path} 没有响应，其文件系统可能已挂起。",
    ),
    "forms.folder.busy": (
        "Too many folders are being read for you. Try again in a moment.",
        "正在为您读取的文件夹过多，请稍后再试。",
    ),
    "forms.folder.no_account": (
        "There is no Unix account for your jobs to run as yet: ask an administrator to set one.",
        "您的任务还没有可用的系统账号：请联系管理员设置。",
    ),
    "forms.folder.no_such_account": (
        "The Unix account that your jobs should run as does not exist: ask an administrator.",
        "您的任务所用的系统账号不存在：请联系管理员。",
    ),
    "forms.folder.account_unusable": (
        "The server is not root and cannot run your jobs as the account set for you: ask an administrator.",
        "服务不是 root，不能以为您设置的账号运行任务：请联系管理员。",
    ),
    "forms.folder.root_account": (
        "Your jobs may not run as root: ask an administrator to set another account.",
        "您的任务不能以 root 运行：请联系管理员设置其他账号。",
    ),
    # The examples, in two sentences each.
    "forms.example.classifier.title": ("Train a small classifier", "训练一个小分类器"),
    "forms.example.classifier.text": (
        "A neural network of a dozen neurons learns to tell two half-moons apart. Watch the loss fall in "
        "its log, epoch by epoch, for about fifteen seconds.",
        "一个只有十几个神经元的网络学习区分两个半月形。在日志里可以看到损失逐轮下降，大约需要十几秒。",
    ),
    "forms.example.cpu.title": ("A job without a GPU", "不用 GPU 的任务"),
    "forms.example.cpu.text": (
        "Two processes throw random points side by side to estimate pi. Such a job asks only for CPUs, "
        "so it does not wait behind those that need GPUs.",
        "两个进程同时随机投点来估算圆周率。这样的任务只需要 CPU，不必排在等待 GPU 的任务后面。",
    ),
    "forms.example.shared-gpu.title": ("Share a GPU", "共享一块 GPU"),
    "forms.example.shared-gpu.text": (
        "It asks for one gigabyte of a GPU that others may be using, instead of waiting for a free one. "
        "With PyTorch it really computes there; without, it says what it would do.",
        "它只申请一块 GPU 上的 1 GB 显存，可以与他人共用，不必等待空闲的卡。"
        "有 PyTorch 时会真正计算；没有时会说明它本来要做什么。",
    ),
    "forms.example.chain.title": ("Two jobs, one after the other", "两个先后运行的任务"),
    "forms.example.chain.text": (
        "The first job prepares data, the second learns from it. "
        "The second waits until the first has succeeded, and says so while it waits.",
        "第一个任务准备数据，第二个任务用这些数据训练。第二个会等到第一个成功后才开始，等待时会说明原因。",
    ),
    "forms.example.array.title": ("Six learning rates at once", "一次试六个学习率"),
    "forms.example.array.text": (
        "One job with six elements that differ only in their learning rate, at most three at a time. "
        "Compare their logs to see which rate is too small, and which is too large.",
        "一个任务包含六个子任务，只有学习率不同，最多三个同时运行。对比它们的日志，看看哪个太小、哪个太大。",
    ),
}
