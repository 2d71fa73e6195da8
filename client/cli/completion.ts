import type { RootCommand } from '@bomb.sh/tab';
import { Argument, type Command, type Option } from 'commander';
import { addCommand } from './command.ts';
import type { Context } from './context.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const NOTES = `Load it in the start file of the shell:
  bash  echo 'source <(petstore completion bash)' >> ~/.bashrc
  zsh   echo 'source <(petstore completion zsh)' >> ~/.zshrc      (after compinit)
  fish  petstore completion fish > ~/.config/fish/completions/petstore.fish`;

/**
 * The script of the package for bash evaluates the words of the user, and needs the package bash-completion; this one does
 * neither, and works in bash 3.2 too. Bash splits --option=value at the =.
 */
const BASH = `# bash completion of petstore
_petstore() {
  local word last='' line words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == '=' ]] && last='' || { words+=("$word"); last=$word; }
  done
  [[ \${COMP_WORDS[COMP_CWORD]} == '=' ]] && words+=('')
  COMPREPLY=()
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    [[ $line != :* && $line == "$last"* ]] && COMPREPLY+=("$line")
  done < <(petstore complete -- "\${words[@]}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} == 0 && \${COMP_WORDS[1]} == @(import|export) ]]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F _petstore petstore`;

/** Adds the script that makes a shell complete command lines. */
export function addCompletion(program: Command, context: Context): void {
  addCommand(program, 'completion', {
    summary: 'print the script that completes command lines in a shell',
    notes: NOTES,
    json: 'print errors as {"error": "…"}',
    examples: ['completion bash', 'completion fish > ~/.config/fish/completions/petstore.fish'],
    isLocal: true,
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(async (shell: string) => {
      if (shell === 'bash') return void context.stdout.write(`${BASH}\n`);
      const { script } = await import('@bomb.sh/tab');
      printTo(context, () => script(shell, program.name(), program.name()));
    });
}

/** Answers a script of a shell: prints how the last word can end. @param words After `complete`, which begins with `--`. */
export async function complete(program: Command, words: readonly string[], context: Context): Promise<void> {
  const { RootCommand } = await import('@bomb.sh/tab');
  const root = new RootCommand();
  describe(program, '', root);
  printTo(context, () => root.parse(words.slice(words[0] === '--' ? 1 : 0)));
}

/** The package prints by `console.log`. */
function printTo({ stdout }: Context, work: () => void): void {
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
