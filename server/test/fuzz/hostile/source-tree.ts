import { fileURLToPath } from 'node:url';
import type { Node } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCES = [`${ROOT}server/src/`, `${ROOT}shared/src/`];

/** Calls back for each node of each file of the service, as the parser of TypeScript reads them. */
export function visitSource(visit: (node: Node, file: string) => void): void {
  const api = new API({ cwd: ROOT });
  try {
    const snapshot = api.updateSnapshot({ openProject: `${ROOT}tsconfig.json` });
    const program = snapshot.getProjects()[0]?.program;
    if (!program) throw new Error('TypeScript opened no project.');
    for (const path of program.getSourceFileNames()) {
      const folder = SOURCES.find((name) => path.startsWith(name));
      if (folder === undefined) continue;
      const file = path.slice(folder.length);
      const descend = (node: Node): void => {
        visit(node, file);
        node.forEachChild(descend);
      };
      const source = program.getSourceFile(path);
      if (source) descend(source);
    }
  } finally {
    api.close();
  }
}
