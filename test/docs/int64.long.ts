import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COPY_LIBRARIES } from '../../client/test/generated-clients/generators.ts';
import { runCommand } from '../../client/test/generated-clients/run-command.ts';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { blocksIn, readPage } from './pages.ts';

const TEXT = '[{"petId":9007199254740993,"quantity":4,"status":"available"}]';
const QUOTED = JSON.stringify(TEXT);
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>docs</groupId><artifactId>int64</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-databind</artifactId><version>2.19.0</version>
  </dependency></dependencies>
</project>
`;

interface Language {
  /** Of its block in the guide. */
  readonly name: string;
  /** The program around the block, which prints the first petId. */
  readonly file: string;
  readonly program: (block: string) => string;
  run(folder: string): Promise<string>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'python',
    file: 'main.py',
    program: (block) => `text = ${QUOTED}\n${block}\nprint(pet_id)\n`,
    run: (folder) => runCommand(folder, 'python3', ['main.py']),
  },
  {
    name: 'go',
    file: 'main.go',
    program: (block) => `package main
import ("encoding/json"; "fmt")
${block}
func main() {
	var items []InventoryItem
	if err := json.Unmarshal([]byte(${QUOTED}), &items); err != nil { panic(err) }
	fmt.Println(items[0].PetID)
}
`,
    run: (folder) => runCommand(folder, 'go', ['run', 'main.go']),
  },
  {
    name: 'java',
    file: 'Main.java',
    program: (block) => `import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
class Main {
  public static void main(String[] words) throws Exception {
    String text = ${QUOTED};
    ${block}
    System.out.println(items.get(0).petId());
  }
}
`,
    run: async (folder) => {
      writeFileSync(join(folder, 'pom.xml'), POM);
      mkdirSync(join(folder, 'classes'));
      await runCommand(folder, 'mvn', ['-q', COPY_LIBRARIES, '-DoutputDirectory=libraries']);
      await runCommand(folder, 'javac', ['-d', 'classes', '-cp', 'libraries/*', 'Main.java']);
      return runCommand(folder, 'java', ['-cp', 'classes:libraries/*', 'Main']);
    },
  },
];

for (const { name, file, program, run } of LANGUAGES) {
  test(`the ${name} of docs/int64.md reads 64-bit integers exactly`, async (t) => {
    const blocks = blocksIn(readPage('docs/int64.md')).filter(({ language }) => language === name);
    assert.equal(blocks.length, 1);
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, file), program(blocks[0]?.text ?? ''));
    assert.equal((await run(folder)).trim(), '9007199254740993');
  });
}
