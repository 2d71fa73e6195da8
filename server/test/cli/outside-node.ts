import { execFileSync } from 'node:child_process';
import { accessSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A Node of the machine that cannot run the service itself, otherwise the Node of this test. */
export function outsideNode(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    try {
      accessSync(node);
      const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
      if (Number.parseInt(version.slice(1), 10) < 24) return node;
    } catch {}
  }
  return process.execPath;
}
