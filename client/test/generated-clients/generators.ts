import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.ts';

/** A client generator for a document, which is a file, with a program that uses the generated client. */
export interface Generator {
  readonly name: string;
  /** Installs the generator and the libraries of its client. A failure means that this machine cannot run it. */
  readonly install: (folder: string, document: string) => Promise<void>;
  /** Generates the client and compiles it with the program. */
  readonly build: (folder: string, document: string) => Promise<void>;
  readonly command: (folder: string) => Command;
  /** Compiles the longer program, which needs operations that only the interface of clients has. */
  readonly scenario?: (folder: string) => Promise<Command>;
  /** Compiles a program that changes one member of a pet, which only the management interface has. */
  readonly edit?: (folder: string) => Promise<Command>;
}

type Command = readonly [command: string, ...words: string[]];

const JAR = {
  url: 'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/7.25.0/openapi-generator-cli-7.25.0.jar',
  sha256: '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae',
};
/** Copies the libraries that the `pom.xml` of a folder names. */
export const COPY_LIBRARIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

function copyProgram(folder: string, name: string, place = name): void {
  copyFileSync(fileURLToPath(new URL(`programs/${name}`, import.meta.url)), join(folder, place));
}

async function downloadJar(folder: string): Promise<void> {
  const response = await fetch(JAR.url);
  if (!response.ok) throw new Error(`${JAR.url}: ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== JAR.sha256) throw new Error(`${JAR.url} has the SHA-256 ${sha256}.`);
  writeFileSync(join(folder, 'generator.jar'), bytes);
}

function generate(folder: string, document: string, ...words: readonly string[]): Promise<string> {
  return runCommand(folder, 'java', [
    '-jar',
    'generator.jar',
    'generate',
    '-i',
    document,
    '-o',
    'client',
    ...words,
  ]);
}

const TYPESCRIPT: Generator = {
  name: 'openapi-typescript',
  install: async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const packages = [
      'openapi-typescript@7.13.0',
      'openapi-fetch@0.17.0',
      'typescript@5.9.3',
      '@types/node@26.6.6',
    ];
    await runCommand(folder, 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]);
  },
  build: async (folder, document) => {
    copyProgram(folder, 'generate.mjs');
    copyProgram(folder, 'main.ts.txt', 'main.ts');
    await runCommand(folder, process.execPath, ['generate.mjs', document]);
    const options =
      '--noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --types node';
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    await runCommand(folder, process.execPath, [compiler, ...options.split(' '), 'main.ts']);
  },
  command: () => [process.execPath, 'main.ts'],
};

/** The command of the quick start that adds an import which openapi-python-client 0.29.1 leaves out of two modules. */
export const PYTHON_REPAIR = String.raw`sed -i.bak 's/^from \.\.\.types import /&Unset, /' petstore/api/*/*.py`;
const IMPORT_ALL = `import importlib, pkgutil, petstore
for module in pkgutil.walk_packages(petstore.__path__, "petstore."):
    importlib.import_module(module.name)`;

const PYTHON: Generator = {
  name: 'openapi-python-client',
  install: async (folder) => {
    await runCommand(folder, 'python3', ['-m', 'venv', 'venv']);
    const pip = ['-m', 'pip', 'install', '--quiet', 'openapi-python-client==0.29.1'];
    await runCommand(folder, join(folder, 'venv', 'bin', 'python'), pip);
  },
  build: async (folder, document) => {
    copyProgram(folder, 'main.py');
    const words = ['generate', '--path', document, '--output-path', 'petstore', '--meta', 'none'];
    await runCommand(folder, join(folder, 'venv', 'bin', 'openapi-python-client'), words, {
      PATH: `${join(folder, 'venv', 'bin')}:${process.env.PATH}`,
    });
    await runCommand(folder, 'sh', ['-c', PYTHON_REPAIR]);
    await runCommand(folder, join(folder, 'venv', 'bin', 'python'), ['-c', IMPORT_ALL]);
  },
  command: (folder) => [join(folder, 'venv', 'bin', 'python'), 'main.py'],
  scenario: async (folder) => {
    copyProgram(folder, 'scenario.py');
    return [join(folder, 'venv', 'bin', 'python'), 'scenario.py'];
  },
};

const GO_CLIENT = [
  ...['-g', 'go', '--git-user-id', 'example', '--git-repo-id', 'petstore'],
  // Without the prefix the constants of two enumerations with the same value collide.
  '--additional-properties=packageName=petstore,enumClassPrefix=true',
];

const GO: Generator = {
  name: 'openapi-generator for Go',
  install: async (folder, document) => {
    await downloadJar(folder);
    await runCommand(folder, 'go', ['version']);
    await generate(folder, document, ...GO_CLIENT);
    await runCommand(join(folder, 'client'), 'go', ['mod', 'tidy']);
  },
  build: async (folder) => {
    const client = join(folder, 'client');
    mkdirSync(join(client, 'program'));
    copyProgram(folder, 'main.go', 'client/program/main.go');
    await runCommand(client, 'go', ['build', './...']);
    await runCommand(client, 'go', ['build', '-o', '../program', './program']);
  },
  command: (folder) => [join(folder, 'program')],
  scenario: async (folder) => {
    mkdirSync(join(folder, 'client', 'scenario'));
    copyProgram(folder, 'scenario.go', 'client/scenario/main.go');
    await runCommand(join(folder, 'client'), 'go', ['build', '-o', '../long-program', './scenario']);
    return [join(folder, 'long-program')];
  },
};

const JAVA_CLIENT = [
  ...['-g', 'java', '--library', 'native'],
  // Otherwise a list that is not set is sent as an empty one, which removes the barcodes of a pet.
  '--additional-properties=containerDefaultToNull=true',
];

const JAVA: Generator = {
  name: 'openapi-generator for Java',
  install: async (folder, document) => {
    await downloadJar(folder);
    await generate(folder, document, ...JAVA_CLIENT);
    await runCommand(join(folder, 'client'), 'mvn', ['-q', COPY_LIBRARIES, '-DoutputDirectory=../libraries']);
  },
  build: (folder) => compileJava(folder, 'Main.java'),
  command: () => ['java', '-cp', 'classes:libraries/*', 'Main'],
  scenario: async (folder) => {
    await compileJava(folder, 'Scenario.java');
    return ['java', '-cp', 'classes:libraries/*', 'Scenario'];
  },
  edit: async (folder) => {
    await compileJava(folder, 'Edit.java');
    return ['java', '-cp', 'classes:libraries/*', 'Edit'];
  },
};

async function compileJava(folder: string, program: string): Promise<void> {
  copyProgram(folder, program);
  const sources = ['-sourcepath', 'client/src/main/java', program];
  await runCommand(folder, 'javac', ['-nowarn', '-d', 'classes', '-cp', 'libraries/*', ...sources]);
}

/** Installs a program of a Go module in a folder. */
function installGo(folder: string, module: string): Promise<string> {
  return runCommand(folder, 'go', ['install', module], { GOBIN: folder });
}

/** Compiles programs with a client in the folder `client`. */
async function buildGo(folder: string, programs: readonly string[]): Promise<void> {
  for (const program of programs) copyProgram(folder, program);
  await runCommand(folder, 'go', ['mod', 'init', 'example.com/petstore']);
  await runCommand(folder, 'go', ['mod', 'tidy']);
  await runCommand(folder, 'go', ['build', '-o', 'program', '.']);
}

const OAPI_CODEGEN: Generator = {
  name: 'oapi-codegen',
  install: async (folder) => {
    await installGo(folder, 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2');
  },
  build: async (folder, document) => {
    mkdirSync(join(folder, 'client'));
    const words = ['-generate', 'types,client', '-package', 'petstore', '-o', 'client/client.go', document];
    await runCommand(folder, join(folder, 'oapi-codegen'), words);
    await buildGo(folder, ['oapi-codegen.go']);
  },
  command: (folder) => [join(folder, 'program')],
};

const OGEN: Generator = {
  name: 'ogen',
  install: async (folder) => {
    await installGo(folder, 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0');
  },
  build: async (folder, document) => {
    const words = ['--target', 'client', '--package', 'petstore', document];
    await runCommand(folder, join(folder, 'ogen'), words);
    const hasSessions = document.endsWith('admin-openapi.json');
    await buildGo(folder, ['ogen.go', ...(hasSessions ? ['ogen-session.go'] : [])]);
  },
  command: (folder) => [join(folder, 'program')],
};

const RUST_CLIENT = ['-g', 'rust', '--additional-properties=packageName=petstore,supportAsync=false'];

const RUST: Generator = {
  name: 'openapi-generator for Rust',
  install: async (folder, document) => {
    await downloadJar(folder);
    await generate(folder, document, ...RUST_CLIENT);
    await runCommand(join(folder, 'client'), 'cargo', ['fetch', '--quiet']);
  },
  build: async (folder) => {
    mkdirSync(join(folder, 'client', 'examples'));
    copyProgram(folder, 'main.rs', 'client/examples/main.rs');
    const words = ['build', '--quiet', '--example', 'main', '--target-dir', '../target'];
    await runCommand(join(folder, 'client'), 'cargo', words, { CARGO_PROFILE_DEV_DEBUG: '0' });
  },
  command: (folder) => [join(folder, 'target', 'debug', 'examples', 'main')],
};

export const GENERATORS: readonly Generator[] = [TYPESCRIPT, PYTHON, GO, OAPI_CODEGEN, OGEN, JAVA, RUST];
