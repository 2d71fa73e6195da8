/** The mark of the shop, which a name stands beside. */
export function Logo({ size = 24 }: { size?: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
