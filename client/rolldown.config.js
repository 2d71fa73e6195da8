/** The command line as one file without dependencies, for every runtime of the package. */
export default {
  input: 'cli/main.ts',
  platform: 'node',
  transform: { target: 'node20' },
  output: { file: 'dist/petstore.js', minify: true, codeSplitting: false },
};
