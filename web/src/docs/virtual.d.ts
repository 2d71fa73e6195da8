declare module 'virtual:guides' {
  /** All guides as one Markdown text. */
  const guides: string;
  export default guides;
}

declare module 'virtual:scalar-bundle' {
  /** The address of the script. */
  const url: string;
  export default url;
}
