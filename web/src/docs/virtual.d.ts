declare module 'virtual:scalar-bundle' {
  /** The address of the script. */
  const url: string;
  export default url;
}

declare module 'virtual:search-index' {
  const index: {
    /** As `DocsSearch.text` has it. */
    readonly search: string;
    readonly oldAddresses: Readonly<Record<string, string>>;
  };
  export default index;
}
