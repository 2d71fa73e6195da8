declare module 'virtual:scalar-bundle' {
  /** The address of the script. */
  const url: string;
  export default url;
}
