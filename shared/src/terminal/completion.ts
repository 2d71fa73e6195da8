import type { RootCommand } from '@bomb.sh/tab';
import { Argument, type Command, type Option } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Where a script or the ends of a word are printed. */
interface Printed {
  write(text: string): unknown;
}

/** Facts of a command that prints the script of a shell. Each command line adds it in its own way. */
interface CompletionDescription {
  readonly summary: string;
  readonly notes: string;
  readonly examples: readonly string[];
  readonly json: string;
}

export function completionDescription(name: string): CompletionDescription {
  return {
    summary: 'print the script that completes command lines in a shell',
    notes: `Load it in the start file of the shell:
  bash  echo 'source <(${name} completion bash)' >> ~/.bashrc
  zsh   echo 'source <(${name} completion zsh)' >> ~/.zshrc      (after compinit)
  fish  ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    json: 'print errors as {"error": "…"}',
    examples: ['completion bash', `completion fish > ~/.config/fish/completions/${name}.fish`],
  };
}

/**
 * The script of the package for bash evaluates the words of the user, and needs the package bash-completion; this one does
 * neither, and works in bash 3.2 too. Bash splits --option=value at the =. Where nothing else fits, it completes files.
 */
function bashScript(name: string): string {
  const complete = `_${name.replaceAll('-', '_')}`;
  return `# bash completion of ${name}
${complete}() {
  local word last='' line words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == '=' ]] && last='' || { words+=("$word"); last=$word; }
  done
  [[ \${COMP_WORDS[COMP_CWORD]} == '=' ]] && words+=('')
  COMPREPLY=()
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    [[ $line != :* && $line == "$last"* ]] && COMPREPLY+=("$line")
  done < <(${name} complete -- "\${words[@]}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} == 0 ]]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F ${complete} ${name}`;
}

/** Makes a command print the script that makes a shell complete command lines of the program. */
export function printsCompletion(command: Command, program: Command, stdout: Printed): void {
  const name = program.name();
  command.addArgument(new Argument('<shell>', 'the shell').choices(SHELLS)).action(async (shell: string) => {
    if (shell === 'bash') return void stdout.write(`${bashScript(name)}\n`);
    const { script } = await import('@bomb.sh/tab');
    printTo(stdout, () => script(shell, name, name));
  });
}

/** Answers a script of a shell: prints how the last word can end. @param words After `complete`, which begins with `--`. */
export async function complete(program: Command, words: readonly string[], stdout: Printed): Promise<void> {
  const { RootCommand } = await import('@bomb.sh/tab');
  const root = new RootCommand();
  describe(program, '', root);
  printTo(stdout, () => root.parse(words.slice(words[0] === '--' ? 1 : 0)));
}

/** The package prints by `console.log`. */
function printTo(stdout: Printed, work: () => void): void {
  const { log } = console;
  console.log = (text: string) => stdout.write(`${text}\n`);
  try {
    work();
  } finally {
    console.log = log;
  }
}

function describe(command: Command, path: string, root: RootCommand): void {
  const described = path === '' ? root : root.command(path, command.summary());
  for (const option of command.createHelp().visibleOptions(command)) describeOption(option, described);
  for (const { name, argChoices, variadic } of command.registeredArguments.map(partsOf)) {
    described.argument(name, (add) => argChoices.forEach((choice) => void add(choice, '')), variadic);
  }
  for (const child of command.createHelp().visibleCommands(command)) {
    describe(child, path === '' ? child.name() : `${path} ${child.name()}`, root);
  }
}

function partsOf(argument: Argument) {
  return { name: argument.name(), argChoices: argument.argChoices ?? [], variadic: argument.variadic };
}

function describeOption(option: Option, described: ReturnType<RootCommand['command']>): void {
  const long = option.long?.slice(2);
  if (long === undefined) return;
  // Commander keeps the first of two long names as the short one.
  if (option.short?.startsWith('--')) {
    describeName(option, option.short.slice(2), undefined, described);
    describeName(option, long, undefined, described);
  } else describeName(option, long, option.short?.slice(1), described);
}

function describeName(
  option: Option,
  long: string,
  short: string | undefined,
  described: ReturnType<RootCommand['command']>,
): void {
  const choices = option.argChoices ?? [];
  // Without a function the package takes the option for one without a value.
  if (option.required) {
    described.option(
      long,
      option.description,
      (add) => choices.forEach((choice) => void add(choice, '')),
      short,
    );
  } else described.option(long, option.description, short);
}
