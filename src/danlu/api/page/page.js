// The page behind the login link: who you are, what runs where, what waits and why. Live, and no more than that.

const chinese = navigator.language.toLowerCase().startsWith("zh");
const WORDS = {
  sign_in: ["Sign in", "登录"],
  name: ["Name", "名称"],
  password: ["Password", "密码"],
  jobs: ["Jobs", "任务"],
  owner: ["Owner", "用户"],
  state: ["State", "状态"],
  remark: ["Remark", "说明"],
  empty: ["No jobs yet. Submit the first one: ", "还没有任务。提交第一个："],
  waiting: ["waiting", "等待"],
  held: ["held", "挂起"],
  starting: ["starting", "启动中"],
  running: ["running", "运行中"],
  stopping: ["stopping", "停止中"],
  succeeded: ["succeeded", "成功"],
  failed: ["failed", "失败"],
  cancelled: ["cancelled", "已取消"],
  reconnecting: ["Reconnecting …", "正在重新连接……"],
  free: ["free", "空闲"],
  lost: ["lost", "失联"],
  drained: ["drained", "排空"],
  used: ["in use", "使用中"],
  foreign: ["in use by others", "被其他进程占用"],
  unmanaged: ["not managed", "未纳入管理"],
  faulty: ["out of order", "故障"],
};
const word = (key) => (WORDS[key] ? WORDS[key][chinese ? 1 : 0] : key);
const find = (id) => document.getElementById(id);
let csrf = null;

async function call(method, path, body) {
  const headers = { "Accept-Language": chinese ? "zh" : "en", "Content-Type": "application/json" };
  if (csrf) headers["X-CSRF-Token"] = csrf;
  const reply = await fetch(`api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const data = reply.status === 204 ? null : await reply.json();
  if (!reply.ok) throw Object.assign(new Error(data.message), { status: reply.status });
  return data;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawStatus(status) {
  find("status").textContent = chinese
    ? `运行 ${status.running} · 等待 ${status.waiting} · GPU ${status.gpus_used}/${status.gpus}`
    : `${status.running} running · ${status.waiting} waiting · ${status.gpus_used}/${status.gpus} GPUs in use`;
}

function drawNode(node) {
  const card = element("div", "node");
  card.append(element("b", "", node.name));
  const notes = [`${node.cpus_used}/${node.cpus} CPU`];
  if (node.state !== "up") notes.push(word("lost"));
  if (node.drained) notes.push(word("drained"));
  card.append(element("small", "", notes.join(" · ")));
  const gpus = element("div", "gpus");
  for (const gpu of node.gpus) {
    const owner = gpu.state === "foreign" ? gpu.processes.map((process) => process.user).join(", ") : gpu.user;
    const cell = element("span", "gpu", gpu.job ? `${gpu.index} · #${gpu.job}` : `${gpu.index}`);
    cell.title = [gpu.name, word(gpu.state), owner, gpu.fault].filter(Boolean).join(" · ");
    if (gpu.job || gpu.state === "foreign") cell.classList.add("busy");
    else if (gpu.state !== "free") cell.classList.add("drained");
    gpus.append(cell);
  }
  card.append(gpus);
  return card;
}

function drawJob(job) {
  const row = element("tr");
  const tasks = job.array && `${job.array.total - job.array.waiting - job.array.active}/${job.array.total}`;
  const remark = tasks || (job.why.length ? job.why[0].message : job.node || "");
  row.append(
    element("td", "number", job.ref),
    element("td", "", job.name),
    element("td", "", job.owner),
    element("td", "state", word(job.state)),
    element("td", "number", job.gpu_ids.length ? job.gpu_ids.join(",") : job.gpus || ""),
    element("td", "remark", remark),
  );
  return row;
}

async function refresh() {
  const [status, nodes, page] = await Promise.all([
    call("GET", "/status"),
    call("GET", "/nodes"),
    call("GET", "/jobs?limit=50"),
  ]);
  drawStatus(status);
  find("nodes").replaceChildren(...nodes.map(drawNode));
  find("jobs").replaceChildren(...page.jobs.map(drawJob));
  find("empty").hidden = page.jobs.length > 0;
}

function follow() {
  // Many events at once make one refresh, and a refresh under way makes at most one more.
  let busy = false;
  let again = false;
  const soon = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    do {
      again = false;
      await refresh().catch(() => {});
      await new Promise((done) => setTimeout(done, 300));
    } while (again);
    busy = false;
  };
  const source = new EventSource("api/v1/events");
  for (const kind of ["hello", "job.submitted", "job.edited", "job.moved", "job.state", "node.up", "node.lost",
    "node.changed", "node.drained", "node.undrained", "gpu.drained", "gpu.undrained",
    "gpu.fault", "gpu.recovered", "scheduling.changed"]) {
    source.addEventListener(kind, soon);
  }
  source.onerror = () => {
    find("status").textContent = word("reconnecting");
  };
}

async function enter(me) {
  csrf = me.csrf_token;
  find("who").textContent = me.name;
  find("login").hidden = true;
  find("overview").hidden = false;
  await refresh();
  follow();
}

function askForPassword(problem) {
  const form = document.querySelector("#login form");
  find("login").hidden = false;
  form.querySelector(".problem").textContent = problem || "";
  form.onsubmit = async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form));
    try {
      await enter(await call("POST", "/auth/login", fields));
    } catch (refusal) {
      form.querySelector(".problem").textContent = refusal.message;
    }
  };
}

async function begin() {
  document.documentElement.lang = chinese ? "zh-CN" : "en";
  for (const each of document.querySelectorAll("[data-word]")) each.textContent = word(each.dataset.word);
  const code = new URLSearchParams(location.hash.slice(1)).get("login");
  // The code works once; it has no business in the address bar or the history.
  history.replaceState(null, "", location.pathname);
  try {
    await enter(code ? await call("POST", "/auth/link", { code }) : await call("GET", "/me"));
  } catch (refusal) {
    if (code) {
      await call("GET", "/me").then(enter, () => askForPassword(refusal.message));
    } else askForPassword(refusal.status === 401 ? "" : refusal.message);
  }
}

begin();
